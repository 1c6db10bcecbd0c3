package words

// noteSentences has the sentences of the notes that verdict derives, by code. Each %s is a figure
// of the note; of several sentences, the one with as many figures as the note has is taken. Those
// of the other codes are stored by the run.
var noteSentences = map[string][]string{
	"client-saturated": {"the load generator was %s busy: the figure is a lower bound"},
	"client-starved": {
		"the load generator waited for a CPU %s of the time: the figure is a lower bound",
		"the load generator waited for a CPU %s of the time, and the hypervisor took another %s: the figure is a lower bound",
	},
	"loop-lag":        {"answers waited %s in the load generator before they were read, %s of the median latency of %s"},
	"too-short":       {"%s were measured, less than %s: too short for a reliable figure"},
	"uneven-threads":  {"all threads were busy for only %s of the time: some ended long before others"},
	"long-statements": {"a statement takes %s, %s of the trial: statements cut off at the deadline are not counted, so the rate may be too low by that much"},
	"port-exhaustion-near": {"%s sockets were in TIME_WAIT, %s of the %s ephemeral ports: the kernel's search for a free one takes the client's CPU time and makes connects slow: " +
		"widen net.ipv4.ip_local_port_range, set net.ipv4.tcp_tw_reuse=1, or wait between cases (--settle timewait=N)"},
	"errors":       {"%s of %s statements failed%s"},
	"left-running": {"%s given up at a limit may still run on the server, into the next trials: %s"},
	"session-set":  {"%s began with a SET within the measured time: the server's session defaults are not those that the workload needs"},
	"sent-as-text": {"statements were sent as text, since they cannot be prepared or only the server knows whether they return rows: %s"},
	"deadlocks":    {"%s of %s were restarted after a deadlock or a lock wait timeout"},
	"dropped":      {"%s that were due were never sent: the server could not follow the rate"},
	"rate-missed": {
		"%s of the %s rounds that were due were answered: %s rounds/s of the requested %s",
		"%s of the requested %s rounds/s were reached",
	},
	"failed-trials":      {"failed: %s"},
	"invalid-trials":     {"not ranked: %s"},
	"skipped-trials":     {"not run: %s"},
	"interrupted-trials": {"interrupted: %s"},
	"not-reproduced":     {"run again after the sweep, it reached %s queries/s instead of %s (%s): luck, or the machine became slower"},
	"noisy":              {"coefficient of variation %s over %s"},
	"few-samples":        {"%s is empty: fewer than %s samples (%s)"},

	"shared-host":          {"client and server shared the CPUs of one machine"},
	"server-cpu-saturated": {"the CPUs%s were %s busy"},
	"client-cpu-saturated": {"the client's CPUs were %s busy: the figure may be a lower bound"},
	"other-load":           {"other processes used %s of the %s CPUs of the client machine"},
	"nic-saturated":        {"network %s%s was at %s of its link speed"},
	"disk-saturated":       {"disk %s%s was busy %s of the time"},
	"listen-overflow":      {"the listen queue%s overflowed %s times a second: connects were retried by the kernel"},
	"one-cpu-saturated":    {"CPU %s%s spent %s of its time on interrupts: spread them over CPUs (RPS, more queues)"},
	"steal":                {"the hypervisor gave %s of the CPU time%s to other guests"},
	"thermal-throttled":    {"the CPUs%s were throttled because of heat %s times a second"},
	"cpu-throttled":        {"the CPU quota of the control group%s was used up %s times a second: raise or remove it (cpu.max, CPUQuota=)"},
	"swapping":             {"memory%s was swapped, %s a second"},

	"foreign-queries":   {"other clients sent %s to the server during the trial, %s of ours"},
	"stock-buffer-pool": {"buffer pool at its default size (128 MiB); server not tuned"},
	"in-memory": {
		"data set (%s) fits in the buffer pool (%s): disk reads not exercised",
		"data set (%s rows, %s) fits in the buffer pool (%s): disk reads not exercised",
	},
	"io-bound": {
		"data set (%s) is %s times the buffer pool (%s): reads go to the page cache or the disk",
		"data set (%s rows, %s) is %s times the buffer pool (%s): reads go to the page cache or the disk",
	},
	"not-durable":         {"%s is %s: a crash may lose committed transactions"},
	"general-log":         {"the general log is on: every statement is written to it"},
	"query-cache":         {"the query cache is on (%s): repeated statements may be answered without being run"},
	"debug-build":         {"%s is a debug build"},
	"scale-below-threads": {"scale %s is less than %s threads: they queue for the rows of the branches"},
	"customers-scaled":    {"%s customers were loaded for %s users, for whom DBT-1 has %s: the data is smaller than its own"},

	"not-idle":        {"machine not idle at start: load average %s on %s CPUs"},
	"datadir-tmpfs":   {"the data directory is on %s (in memory): no disk was tested"},
	"replica-differs": {"%s differs from its primary: %s"},
	"reloaded":        {"the tables of %s were loaded again %s before trials: earlier ones had changed their rows, as in %s (%s instead of %s)"},
	"failed-case":     {"case %s did not run: %s"},
	"skipped-case":    {"case %s did not run: %s"},
	"torn-journal":    {"%s of the journal could not be read"},
	"interrupted":     {"the run ended early: %s of %s"},
	"unfinished":      {"the run has not ended, or was killed: %s of %s so far"},
	"server-unseen":   {"the server's machine could not be observed: its load, CPUs, network and disks are unknown (--server-ssh reads them)"},
	"no-repeats":      {"each cell ran once: the spread is unknown"},
	"unconfirmed":     {"the best cell was not run again: the best of many cells is partly luck"},
}
