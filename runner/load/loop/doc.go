// Package loop runs many tasks, written in plain blocking style, on one operating system thread.
//
// A load generator with one thread per connection pays two context switches a query, and one with a
// goroutine per connection pays the scheduler's futexes and a read that finds nothing. This loop
// pays neither: a task is a coroutine, and switching to it is a function call. Two pollers move the
// bytes:
//
//	    task A                Loop (one OS thread)          epoll            io_uring
//	-------------------   ----------------------------   --------------   ------------------
//	conn.Write(request)                                  send(2)          queued
//	conn.Read(answer)
//	  nothing there:
//	  park(until) ----->  back in Run: next tasks ...                     queued
//	                      none is ready: sleep           epoll_pwait2(2)  io_uring_enter(2):
//	                                                                      sends all of the
//	                                                                      turn, then sleeps
//	                      event of A's descriptor        readable         received
//	  <-----------------  resume(A)
//	  take the answer                                    recv(2)          copied
//	  return to the caller
//
// The rules that make it work:
//
//   - Everything of a loop happens on its own thread: tasks are created, resumed and ended there,
//     since a coroutine that is resumed on another thread is a fatal error of the Go runtime. Only
//     Abort and Post may be called from outside.
//   - A request is followed by a wait, so Read parks without trying first. With epoll, descriptors
//     are edge-triggered: readable is remembered until a read comes back short or empty, and for
//     ever once the peer has hung up.
//   - With io_uring, one receive for each connection is always under way, into buffers that the
//     connections of a loop share. The call that waits for the next answers also submits the sends
//     of the turn. A statement's clock starts before Write, so it includes the wait for this call.
//   - A task waits for one thing at a time: a descriptor, a time, or Wake. Every wait can have a
//     time limit, kept in a heap that is touched only when a limit moves forward in time; a limit
//     that moves away (each query sets a later one) is a store.
//   - Abort ends every wait, present and future, with its cause; tasks unwind by returning their
//     errors.
//   - A panic in a task ends that task and is reported by Run; the others go on.
//   - The Go scheduler does not know of these system calls, the sleep included. It can still stop
//     the thread, by a signal that ends the sleep. A process needs one P (GOMAXPROCS) more than
//     loops, for everything else.
//
// The package owns threads, descriptors and time. It knows neither MySQL nor what tasks do.
package loop
