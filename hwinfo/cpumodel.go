package hwinfo

import (
	"cmp"
	"fmt"
	"strings"
)

// model is the model of one CPU; empty if the architecture has none (s390x, and
// riscv64 without uarch).
func (c *cpuinfo) model(cpu int) string {
	if arm := c.field(cpu, "cpu implementer"); arm != "" {
		return c.armModel(cpu, arm)
	}
	for _, key := range []string{"model name", "cpu model", "uarch"} {
		if v := c.field(cpu, key); meaningful(v) {
			return v
		}
	}
	if c.field(cpu, "arch") == "IA-64" { // older kernels name only the family: Itanium 2
		return c.field(cpu, "family")
	}
	if v := c.field(cpu, "cpu"); meaningful(v) && c.field(cpu, "vendor_id") == "" {
		return v
	}
	if v := c.common["processor"]; meaningful(v) {
		return v
	}
	return ""
}

// armModel decodes implementer and part. A name printed by the kernel
// ("Phytium,D2000/8") has precedence, unless it only names the architecture
// ("ARMv7 Processor rev 4 (v7l)"). An unknown part is shown as the raw pair.
func (c *cpuinfo) armModel(cpu int, implementer string) string {
	name := c.field(cpu, "model name")
	if meaningful(name) && !strings.HasPrefix(name, "ARM") && !strings.HasPrefix(name, "AArch64") {
		return name
	}
	part := c.field(cpu, "cpu part")
	if _, decoded := armNames(implementer, part); decoded != "" {
		return decoded
	}
	if part == "" {
		return cmp.Or(name, c.common["processor"], implementer)
	}
	return fmt.Sprintf("%s/%s", implementer, part)
}

// vendor of one CPU, as the kernel writes it; ARM's implementer is decoded.
func (c *cpuinfo) vendor(cpu int) string {
	if arm := c.field(cpu, "cpu implementer"); arm != "" {
		vendor, _ := armNames(arm, c.field(cpu, "cpu part"))
		return cmp.Or(vendor, arm)
	}
	if v := cmp.Or(c.field(cpu, "vendor_id"), c.field(cpu, "vendor")); v != "" {
		return v
	}
	switch model := c.model(cpu); {
	case strings.HasPrefix(model, "POWER"):
		return "IBM"
	case strings.HasPrefix(model, "Loongson"):
		return "Loongson"
	}
	return riscvVendor(c.field(cpu, "mvendorid"))
}

// riscvVendor decodes the JEDEC number of mvendorid; an unknown one is returned raw.
func riscvVendor(id string) string {
	switch n, err := parseHex(id); {
	case err != nil || n == 0:
		return ""
	case n == 0x489:
		return "SiFive"
	case n == 0x5b7:
		return "T-Head"
	case n == 0x710:
		return "SpacemiT"
	case n == 0x31e:
		return "Andes"
	}
	return id
}

func armNames(implementer, part string) (vendor, model string) {
	v, err := parseHex(implementer)
	if err != nil {
		return "", ""
	}
	p, err := parseHex(part)
	if err != nil {
		p = 1 << 63 // no such part
	}
	return lookupIDs(strings.NewReader(armIDs), v, p)
}

// meaningful reports whether a name is not a placeholder of kernel or hypervisor.
func meaningful(name string) bool {
	return name != "" && strings.Trim(name, "-. ") != "" && !strings.EqualFold(name, "unknown") &&
		!strings.EqualFold(name, "(null)") && !strings.EqualFold(name, "n/a")
}
