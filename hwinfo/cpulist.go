package hwinfo

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// cpusMax bounds the CPU numbers that are accepted: the kernel's own limit is 8,192.
const cpusMax = 1 << 16

// parseCPUList parses the kernel's list format, "1-5,8-19"; invalid parts are
// skipped. The numbers are sorted and distinct.
// https://docs.kernel.org/admin-guide/kernel-parameters.html (cpu lists)
func parseCPUList(s string) []int {
	var cpus []int
	for part := range strings.SplitSeq(strings.TrimSpace(s), ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(first)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(last)
		}
		if err != nil || a < 0 || b < a || b >= cpusMax {
			continue
		}
		for n := a; n <= b && len(cpus) < 2*cpusMax; n++ {
			cpus = append(cpus, n)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus)
}

// formatCPUList writes sorted CPU numbers as the kernel does: "1-5,8-19".
func formatCPUList(cpus []int) string {
	var b strings.Builder
	for i := 0; i < len(cpus); {
		j := i
		for j+1 < len(cpus) && cpus[j+1] == cpus[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(cpus[i]))
		if j > i {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(cpus[j]))
		}
		i = j + 1
	}
	return b.String()
}

// parseCPUMask reads the kernel's mask format: hexadecimal words of 32 bits,
// the highest CPUs first, "0000,00000000,0000000f".
func parseCPUMask(s string) (cpus []int, ok bool) {
	words := strings.Split(strings.TrimSpace(s), ",")
	if len(words) > cpusMax/32 {
		return nil, false
	}
	for i := len(words) - 1; i >= 0; i-- {
		w, err := strconv.ParseUint(words[i], 16, 32)
		if err != nil {
			return nil, false
		}
		for base := 32 * (len(words) - 1 - i); w != 0; w &= w - 1 {
			cpus = append(cpus, base+bits.TrailingZeros64(w))
		}
	}
	return cpus, true
}

// intersect returns the numbers that are in both sorted lists.
func intersect(a, b []int) []int {
	var both []int
	for _, n := range a {
		if _, ok := slices.BinarySearch(b, n); ok {
			both = append(both, n)
		}
	}
	return both
}
