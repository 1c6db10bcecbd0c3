package page

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// pair is a line of a table of facts.
type pair struct{ Name, Value, Source, Default string }

// machine is one machine of a run.
type machine struct {
	Title   string
	Rows    []pair // in words
	All     []pair // as they are, by key
	Remarks []string
}

func machines(run *result.Run) []machine {
	if run.SharedHost {
		return []machine{newMachine("Server and client "+run.ServerHost, &run.Client, !ownStorage(run))}
	}
	server := machine{Title: "Server " + run.ServerHost, Remarks: []string{"Not available: nothing of this machine could be read (--server-ssh USER@HOST would)."}}
	if run.Server != nil {
		server = newMachine(server.Title, run.Server, !ownStorage(run))
	}
	return []machine{server, newMachine("Client "+run.ClientHost, &run.Client, !ownStorage(run))}
}

// newMachine describes a machine, with its data directory where the cases do not have their own.
func newMachine(title string, f *hwinfo.Facts, storage bool) machine {
	m, data := machine{Title: title}, ""
	if storage {
		data = datadir(f)
	}
	for _, p := range []pair{
		{Name: "CPU", Value: cpu(f)},
		{Name: "cores / threads", Value: cores(f)},
		{Name: "memory", Value: memory(f)},
		{Name: "network", Value: ports(f)},
		{Name: "datadir", Value: data},
		{Name: "system", Value: f.String("os.pretty_name")},
		{Name: "kernel", Value: f.String("kernel.release")},
		{Name: "virtualisation", Value: virtualization(f)},
		{Name: "ports", Value: f.String("sysctl.net.ipv4.ip_local_port_range")},
		{Name: "open files", Value: f.String("limit.nofile")},
	} {
		if p.Value != "" {
			m.Rows = append(m.Rows, p)
		}
	}
	for _, fact := range f.List {
		value := hwinfo.Text(fact.Value)
		if fact.Value == nil {
			value = "not known"
		} else if fact.Unit != "" {
			value += " " + fact.Unit
		}
		m.All = append(m.All, pair{Name: fact.Key, Value: value, Source: fact.Source})
	}
	return m
}

// cpu is 2 × Intel Xeon E5-2630 @ 2.30GHz.
func cpu(f *hwinfo.Facts) string {
	model := f.String("cpu.model")
	for _, noise := range []string{"(R)", "(TM)", "(tm)", " CPU"} {
		model = strings.ReplaceAll(model, noise, "")
	}
	model = strings.ReplaceAll(strings.Join(strings.Fields(model), " "), " 0 @", " @")
	if n, ok := f.Int("cpu.sockets"); ok && n > 1 && model != "" {
		return fmt.Sprintf("%d × %s", n, model)
	}
	return model
}

func cores(f *hwinfo.Facts) string {
	var parts []string
	if n := f.String("cpu.cores"); n != "" {
		parts = append(parts, n+" / "+f.String("cpu.online"))
	} else if n := f.String("cpu.online"); n != "" {
		parts = append(parts, n+" CPUs")
	}
	if ht := f.String("cpu.hyperthreading"); ht != "" && ht != "unknown" {
		parts = append(parts, "Hyper-Threading "+ht)
	}
	usable, ok := f.Float("cpu.usable")
	if online, known := f.Float("cpu.online"); ok && known && usable != online {
		parts = append(parts, charts.Significant(&usable)+" usable")
	}
	if g := f.String("cpu.governor"); g != "" {
		parts = append(parts, g+" governor")
	}
	return strings.Join(parts, ", ")
}

func memory(f *hwinfo.Facts) string {
	total, ok := f.Int("memory.total_bytes")
	if !ok {
		return ""
	}
	text := charts.Bytes(total)
	if modules := f.String("memory.modules"); modules != "" {
		text = modules + " (" + text + ")"
	}
	if limit, ok := f.Int("memory.limit_bytes"); ok && limit < total {
		text += ", limited to " + charts.Bytes(limit)
	}
	return text
}

// ports lists the network ports that are up, or that nothing says are down.
func ports(f *hwinfo.Facts) string {
	var list []string
	for _, name := range f.Names("nic") {
		of := func(key string) string { return f.String("nic." + name + "." + key) }
		if state := of("state"); name == "lo" || state == "down" || state == "lowerlayerdown" {
			continue
		}
		parts := []string{name + ":"}
		if product := of("product"); product != "" {
			parts = append(parts, product+",")
		}
		if speed, ok := f.Float("nic." + name + ".speed_bits_per_second"); ok {
			parts = append(parts, bits(speed)+",")
		}
		if driver := of("driver"); driver != "" {
			parts = append(parts, driver)
		}
		list = append(list, strings.TrimRight(strings.Join(parts, " "), ",: "))
	}
	return strings.Join(list, "; ")
}

func bits(perSecond float64) string {
	if perSecond >= 1e9 {
		gigabits := perSecond / 1e9
		return charts.Significant(&gigabits) + " Gbit/s"
	}
	megabits := perSecond / 1e6
	return charts.Significant(&megabits) + " Mbit/s"
}

// datadir is the file system of the server's data and the disks under it.
func datadir(f *hwinfo.Facts) string {
	filesystem := f.String("datadir.filesystem")
	if filesystem == "" {
		return ""
	}
	text := filesystem
	if mount := f.String("datadir.mount"); mount != "" {
		text += " at " + mount
	}
	if list := disks(f); list != "" {
		text += ", on " + list
	}
	return text
}

// disks are those below the data directory.
func disks(f *hwinfo.Facts) string {
	var list []string
	for _, name := range strings.FieldsFunc(f.String("datadir.disks"), func(r rune) bool { return r == ';' || r == ' ' || r == ',' }) {
		list = append(list, disk(f, name))
	}
	return strings.Join(list, "; ")
}

func disk(f *hwinfo.Facts, name string) string {
	parts := []string{name}
	key := "disk." + name + "."
	if model := f.String(key + "model"); model != "" {
		parts = append(parts, model)
	}
	if size, ok := f.Float(key + "size_bytes"); ok {
		parts = append(parts, strings.Replace(charts.Compact(&size), "G", " G", 1)+"B")
	}
	transport := f.String(key + "transport")
	rotational, known := f.Bool(key + "rotational")
	switch medium := f.String(key + "medium"); {
	case strings.HasPrefix(medium, "unknown"):
		transport = strings.TrimPrefix(transport+", medium unknown", ", ")
	case known && transport != "nvme":
		transport = strings.TrimSpace(transport + map[bool]string{true: " rotating", false: " SSD"}[rotational])
	}
	if transport != "" {
		parts = append(parts, "("+transport+")")
	}
	return strings.Join(parts, " ")
}

func virtualization(f *hwinfo.Facts) string {
	var parts []string
	if role := f.String("virtualization.role"); role != "" && role != "none" && role != "unknown" {
		parts = append(parts, strings.TrimSpace(f.String("virtualization.hypervisor")+" "+role))
	}
	if c := f.String("virtualization.container"); c != "" && c != "none" {
		parts = append(parts, "container "+c)
	}
	return strings.Join(parts, ", ")
}

// machineInShort is a machine in half a line, empty when nothing is known.
func machineInShort(run *result.Run) string {
	f := run.Server
	if f == nil {
		return ""
	}
	var parts []string
	if model := cpu(f); model != "" {
		if ht := f.String("cpu.hyperthreading"); ht == "on" || ht == "off" || ht == "partial" {
			model += fmt.Sprintf(" (HT %s, %s CPUs)", ht, f.String("cpu.online"))
		}
		parts = append(parts, model)
	}
	if total, ok := f.Int("memory.total_bytes"); ok {
		parts = append(parts, charts.Bytes(total))
	}
	if text := diskInShort(run); text != "" {
		parts = append(parts, text)
	}
	if kernel := f.String("kernel.release"); kernel != "" {
		parts = append(parts, "kernel "+kernel)
	}
	return strings.Join(parts, ", ")
}

// diskInShort is the one disk below the data of all cases; empty where there are several or none.
func diskInShort(run *result.Run) string {
	facts := []*hwinfo.Facts{run.Server}
	if ownStorage(run) {
		facts = nil
		for i := range run.Cases {
			if f := run.Cases[i].Datadir; f != nil {
				facts = append(facts, f)
			}
		}
	}
	text := ""
	for i, f := range facts {
		name := f.String("datadir.disks")
		if name == "" || name == "none" || strings.ContainsAny(name, ";, ") || i > 0 && disk(f, name) != text {
			return ""
		}
		text = disk(f, name)
	}
	return text
}
