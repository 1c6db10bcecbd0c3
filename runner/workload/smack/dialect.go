package smack

// Dialect is the help text on the supported parts of a .smack file.
const Dialect = `.smack files, as super-smack 1.3 reads them: mysweep run --smack FILE

read from the file
  table            create; alter, after create and before loading; min_rows, data_file; gen_data_file when it calls gen-data,
                   which is built in: no shell is run
  dictionary       rand, seq, unique; from a file, a list or a template
  query            query, type (the row in queries.csv), has_result_set, parsed
  main             init, create_threads, set_num_rounds, unload_query_barrel, query, sleep
  $1 and $2        the cell's threads and queries

read and ignored
  client           user, pass, host, db, port and socket: mysweep's own flags name the server
  connect, disconnect, collect_threads
                   threads connect before the barrier and disconnect after their last answer
  run_save_result  the query is sent and its result read; nothing is saved
  run_check_result does nothing: there is no saved result to check against
  print            prints nothing: the figures of clients and query types are in the report

intended differences from super-smack
  all words of a list dictionary are used (the original drops the last one)
  a $dictionary at the end of a query is replaced too
  numbers of a unique dictionary are unique across all threads
`
