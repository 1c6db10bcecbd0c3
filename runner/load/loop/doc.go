// Package loop runs many tasks, written in plain blocking style, on one operating system thread.
//
// A load generator with one thread per connection pays two context switches a query, and one with a
// goroutine per connection pays the scheduler's futexes and a read that finds nothing. This loop
// pays neither: a task is a coroutine, and switching to it is a function call.
//
//	     task A                    Loop (one OS thread)                       kernel
//	-----------------      ------------------------------------      ----------------------
//	conn.Write(request) ------------------------------------------>  send(2), never waits
//	conn.Read(answer)
//	  nothing there:
//	  park(until) ------->  back in Run: next ready task B, C ...
//	                        no one ready:
//	                        epoll_pwait2(timeout = next timer) --->  sleeps; the answer of A
//	                        event of A's descriptor <-------------   makes it readable
//	  <-------------------  resume(A)
//	  recv(2) ---------------------------------------------------->  the answer
//	  return to the caller
//
// The rules that make it work:
//
//   - Everything of a loop happens on its own thread: tasks are created, resumed and ended there, since a coroutine
//     that is resumed on another thread is a fatal error of the Go runtime. Only Abort and Post may be called from outside.
//   - A request is followed by a wait, so Read does not try before it parks. Descriptors are edge-triggered: readable is
//     remembered until a read comes back short or empty, and for ever once the peer has hung up.
//   - A task waits for one thing at a time: a descriptor, a time, or Wake. Every wait can have a time limit, kept in a heap
//     that is touched only when a limit moves forward in time; a limit that moves away (each query sets a later one) is a store.
//   - Abort ends every wait, present and future, with its cause; tasks unwind by returning their errors.
//   - A panic in a task ends that task and is reported by Run; the others go on.
//   - The Go scheduler is told of none of these system calls, the sleep in epoll included. It can still stop the thread, by a
//     signal that ends the sleep. A process needs one P (GOMAXPROCS) more than loops, for everything else.
//
// The package owns threads, descriptors and time. It knows no MySQL, and nothing of what tasks do.
package loop
