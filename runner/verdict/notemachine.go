package verdict

const (
	mostSteal     = 0.02   // of the time
	mostOthers    = 0.15   // of the usable CPUs, in other processes
	mostSwapBytes = 4096.0 // a page a second
)

// machines looks at what the machines did beside a trial.
func (l *trialNotes) machines() {
	t := l.trial
	if t.Evidence.SharedHost {
		l.say("shared-host", 0)
	}
	if b := busy(serverMachine(t)); b != nil && *b >= fullCPU {
		role := Role("server")
		if sharedCPUs(t) {
			role = "shared"
		}
		l.say("server-cpu-saturated", *b, role, Share(*b))
	}
	if b := busy(t.Evidence.Client); b != nil && *b >= fullCPU && !sharedCPUs(t) {
		l.say("client-cpu-saturated", *b, Share(*b))
	}
	if o := others(t); o != nil && *o > mostOthers*clientUsable(t) {
		l.say("other-load", *o, Number(*o), Number(clientUsable(t)))
	}
	for _, s := range sides(t) {
		l.devices(s)
		l.cpus(s)
		l.memory(s)
	}
}

func (l *trialNotes) devices(s side) {
	if d := busiest(s, nicRatio); d != nil && d.share > fullNIC {
		l.say("nic-saturated", d.share, Name(d.name), Role(s.role), Share(d.share))
	}
	if d := busiest(s, diskRatio); d != nil && d.share > fullDisk {
		l.say("disk-saturated", d.share, Name(d.name), Role(s.role), Share(d.share))
	}
	if v := column(s.machine, listenDrops); v != nil && *v > 0 {
		l.say("listen-overflow", *v, Role(s.role), Number(*v))
	}
}

func (l *trialNotes) cpus(s side) {
	c := interrupts(s.machine)
	if c != nil && c.IRQ+c.SoftIRQ >= fullInterrupt {
		l.say("one-cpu-saturated", c.IRQ+c.SoftIRQ,
			c.ID, Role(s.role), Share(c.IRQ+c.SoftIRQ))
	}
	if v := steal(s.machine); v != nil && *v > mostSteal {
		l.say("steal", *v, Share(*v), Role(s.role))
	}
	if v := column(s.machine, throttles); v != nil && *v > 0 {
		l.say("thermal-throttled", *v, Role(s.role), Number(*v))
	}
	if v := column(s.machine, quotaWaits); v != nil && *v > 0 {
		l.say("cpu-throttled", *v, Role(s.role), Number(*v))
	}
}

func (l *trialNotes) memory(s side) {
	in, out := column(s.machine, swapIn), column(s.machine, swapOut)
	sum := 0.0
	for _, v := range []*float64{in, out} {
		if v != nil {
			sum += *v
		}
	}
	if sum >= mostSwapBytes {
		l.say("swapping", sum, Role(s.role), Bytes(sum))
	}
}
