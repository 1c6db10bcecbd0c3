package verdict

const (
	mostSteal     = 0.02   // of the time
	mostOthers    = 0.15   // of the usable CPUs, in other processes
	mostSwapBytes = 4096.0 // a page a second
)

// machines looks at what the machines did beside a trial.
func (l *looker) machines() {
	t := l.trial
	if t.Evidence.SharedHost {
		l.say("shared-host", 0, "client and server ran on one machine and took its CPUs from each other")
	}
	if b := busy(serverMachine(t)); b != nil && *b >= fullCPU {
		whose := "the server's CPUs were"
		if sharedCPUs(t) {
			whose = "the CPUs that server and client share were"
		}
		l.say("server-cpu-saturated", *b, "%s %s busy", whose, percent(*b))
	}
	if b := busy(t.Evidence.Client); b != nil && *b >= fullCPU && !sharedCPUs(t) {
		l.say("client-cpu-saturated", *b, "the client's CPUs were %s busy: the figure may be a lower bound", percent(*b))
	}
	if o := others(t); o != nil && *o > mostOthers*clientUsable(t) {
		l.say("other-load", *o, "other processes used %s of the %s CPUs of the client's machine meanwhile", two(*o), short(clientUsable(t)))
	}
	for _, s := range sides(t) {
		l.devices(s)
		l.cpus(s)
		l.memory(s)
	}
}

func (l *looker) devices(s side) {
	if d := busiest(s, nicRatio); d != nil && d.share > fullNIC {
		l.say("nic-saturated", d.share, "network %s%s was at %s of its link's speed", d.name, of(s.role), percent(d.share))
	}
	if d := busiest(s, diskRatio); d != nil && d.share > fullDisk {
		l.say("disk-saturated", d.share, "disk %s%s was busy %s of the time", d.name, of(s.role), percent(d.share))
	}
	if v := column(s.machine, listenDrops); v != nil && *v > 0 {
		l.say("listen-overflow", *v, "the listen queue%s overflowed %s times a second: connects were retried by the kernel", of(s.role), short(*v))
	}
}

func (l *looker) cpus(s side) {
	c := interrupts(s.machine)
	if c != nil && c.IRQ+c.SoftIRQ >= fullInterrupt {
		l.say("one-cpu-saturated", c.IRQ+c.SoftIRQ, "CPU %d%s spent %s of its time on interrupts: spread them over CPUs (RPS, more queues)",
			c.ID, of(s.role), percent(c.IRQ+c.SoftIRQ))
	}
	if v := steal(s.machine); v != nil && *v > mostSteal {
		l.say("steal", *v, "the hypervisor gave %s of the CPU time%s to others", percent(*v), of(s.role))
	}
	if v := column(s.machine, throttles); v != nil && *v > 0 {
		l.say("thermal-throttled", *v, "the CPUs%s were slowed down by heat %s times a second", of(s.role), short(*v))
	}
	if v := column(s.machine, quotaWaits); v != nil && *v > 0 {
		l.say("cpu-throttled", *v, "the CPU quota of the control group%s was used up %s times a second: raise or remove it (cpu.max, CPUQuota=)", of(s.role), short(*v))
	}
}

func (l *looker) memory(s side) {
	in, out := column(s.machine, swapIn), column(s.machine, swapOut)
	sum := 0.0
	for _, v := range []*float64{in, out} {
		if v != nil {
			sum += *v
		}
	}
	if sum >= mostSwapBytes {
		l.say("swapping", sum, "memory%s was swapped, %s a second", of(s.role), bytes(sum))
	}
}
