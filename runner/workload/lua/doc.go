// Package lua runs sysbench's Lua scripts as workloads: the bundled oltp_*,
// sysbench-tpcc, and those that people wrote for themselves. It offers the
// API of sysbench 1.0, and what is still in use of 0.4's and 0.5's, on a Lua
// 5.1 interpreter, and speaks to the server through a workload.Session (in
// trials) or a workload.Conn (prepare, cleanup, init, done). It knows no
// driver and no clock.
//
// One event is one round. Each thread has an interpreter of its own, as in
// sysbench; the compiled code is shared.
package lua
