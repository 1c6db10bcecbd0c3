package hwinfo

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	smbiosTable   = "/sys/firmware/dmi/tables/DMI"
	smbiosEntries = "/sys/firmware/dmi/entries"
	smbiosMax     = 1 << 20
)

// readModules records the memory modules, "8 x 8 GiB DDR3-1333 ECC". Only root may
// read the table.
func readModules(r *reader) {
	structures, source, err := r.smbios()
	modules, slots, ecc := modulesOf(structures)
	if err == nil && slots == 0 {
		err = errors.New("no memory device listed")
	}
	if err != nil {
		for _, k := range []string{"modules", "module_count", "module_slots", "ecc"} {
			r.unknown("memory."+k, source, err)
		}
		return
	}
	if len(modules) == 0 {
		r.unknown("memory.modules", source, errors.New("no slot reports the size of its module"))
	}
	r.put("memory.modules", describe(modules), source)
	r.put("memory.module_count", len(modules), source)
	r.put("memory.module_slots", slots, source)
	if ecc == nil {
		r.unknown("memory.ecc", source, errNotReported)
		return
	}
	r.put("memory.ecc", *ecc, source)
}

// smbios reads the whole table, else the entries of memory one by one.
func (r *reader) smbios() ([]structure, string, error) {
	data, err := r.read(smbiosTable, smbiosMax)
	if err == nil {
		return parseSMBIOS(data), smbiosTable, nil
	}
	var all []structure
	for _, name := range r.list(smbiosEntries) {
		if strings.HasPrefix(name, "16-") || strings.HasPrefix(name, "17-") {
			if data, err := r.read(smbiosEntries+"/"+name+"/raw", attributeMax); err == nil {
				all = append(all, parseSMBIOS(data)...)
			}
		}
	}
	if len(all) > 0 {
		return all, smbiosEntries, nil
	}
	return nil, smbiosTable, err
}

// structure is one entry of the SMBIOS table: its formatted part, and the strings behind.
type structure struct {
	kind    byte
	data    []byte
	strings []string
}

// parseSMBIOS splits a table into structures; a truncated last one is skipped.
// DMTF DSP0134, System Management BIOS Reference Specification.
func parseSMBIOS(data []byte) []structure {
	var all []structure
	for len(data) >= 4 {
		length := int(data[1])
		if length < 4 || length > len(data) {
			break
		}
		s := structure{kind: data[0], data: data[:length]}
		rest := data[length:]
		end := len(rest)
		for i := 0; i+1 < len(rest); i++ {
			if rest[i] == 0 && rest[i+1] == 0 {
				end = i
				break
			}
		}
		for _, text := range strings.Split(string(rest[:end]), "\x00") {
			s.strings = append(s.strings, clean(text))
		}
		all = append(all, s)
		if end+2 > len(rest) {
			break
		}
		data = rest[end+2:]
	}
	return all
}

func (s structure) byteAt(i int) byte {
	if i < len(s.data) {
		return s.data[i]
	}
	return 0
}

func (s structure) wordAt(i int) uint16 {
	if i+2 <= len(s.data) {
		return binary.LittleEndian.Uint16(s.data[i:])
	}
	return 0
}

func (s structure) doubleAt(i int) uint32 {
	if i+4 <= len(s.data) {
		return binary.LittleEndian.Uint32(s.data[i:])
	}
	return 0
}

// module is a memory device that is plugged in.
type module struct {
	mebibytes uint64
	kind      string // DDR3
	speed     uint16 // mega-transfers per second; 0 if unknown
	ecc       bool
}

const (
	memoryArray  = 16
	memoryDevice = 17
)

// modulesOf returns the modules, the number of slots, and whether memory has ECC:
// by the array's field, else by modules that are wider than their data.
func modulesOf(all []structure) (modules []module, slots int, ecc *bool) {
	for _, s := range all {
		if s.kind == memoryArray {
			switch s.byteAt(0x06) {
			case 3:
				ecc = new(false)
			case 5, 6:
				ecc = new(true)
			}
		}
	}
	for _, s := range all {
		if s.kind != memoryDevice {
			continue
		}
		slots++
		m := module{mebibytes: moduleSize(s), kind: memoryKind(s.byteAt(0x12)), speed: s.wordAt(0x15)}
		if m.mebibytes == 0 {
			continue
		}
		if configured := s.wordAt(0x20); configured != 0 && configured != 0xffff {
			m.speed = configured
		}
		if m.speed == 0xffff {
			m.speed = 0
		}
		total, data := s.wordAt(0x08), s.wordAt(0x0a)
		m.ecc = ecc != nil && *ecc
		if ecc == nil && total != 0xffff && data != 0 && data != 0xffff {
			m.ecc = total > data
		}
		modules = append(modules, m)
	}
	if ecc == nil && len(modules) > 0 {
		ecc = new(slices.ContainsFunc(modules, func(m module) bool { return m.ecc }))
	}
	return modules, slots, ecc
}

// moduleSize is in MiB; 0 for an empty slot or an unknown size.
func moduleSize(s structure) uint64 {
	switch size := s.wordAt(0x0c); {
	case size == 0xffff:
		return 0
	case size == 0x7fff:
		return uint64(s.doubleAt(0x1c) &^ (1 << 31))
	case size&0x8000 != 0:
		return uint64(size&0x7fff) / 1024
	default:
		return uint64(size)
	}
}

func memoryKind(code byte) string {
	switch code {
	case 0x0f:
		return "SDRAM"
	case 0x12:
		return "DDR"
	case 0x13:
		return "DDR2"
	case 0x14:
		return "DDR2-FB-DIMM"
	case 0x18:
		return "DDR3"
	case 0x1a:
		return "DDR4"
	case 0x1b:
		return "LPDDR"
	case 0x1c:
		return "LPDDR2"
	case 0x1d:
		return "LPDDR3"
	case 0x1e:
		return "LPDDR4"
	case 0x1f:
		return "non-volatile"
	case 0x20:
		return "HBM"
	case 0x21:
		return "HBM2"
	case 0x22:
		return "DDR5"
	case 0x23:
		return "LPDDR5"
	case 0x24:
		return "HBM3"
	}
	return "RAM"
}

// describe groups equal modules: "8 x 8 GiB DDR3-1333 ECC; 4 x 4 GiB DDR3-1333 ECC".
func describe(modules []module) string {
	count := map[module]int{}
	var kinds []module
	for _, m := range modules {
		if count[m] == 0 {
			kinds = append(kinds, m)
		}
		count[m]++
	}
	slices.SortStableFunc(kinds, func(a, b module) int { return cmp.Compare(b.mebibytes, a.mebibytes) })
	var parts []string
	for _, m := range kinds {
		text := fmt.Sprintf("%d x %s %s", count[m], moduleText(m.mebibytes), m.kind)
		if m.speed > 0 {
			text += fmt.Sprintf("-%d", m.speed)
		}
		if m.ecc {
			text += " ECC"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

func moduleText(mebibytes uint64) string {
	if mebibytes%1024 == 0 {
		return fmt.Sprintf("%d GiB", mebibytes/1024)
	}
	return fmt.Sprintf("%d MiB", mebibytes)
}
