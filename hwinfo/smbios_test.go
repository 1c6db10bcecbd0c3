package hwinfo

import (
	"encoding/binary"
	"testing"
)

// device makes a memory device (type 17) of SMBIOS 2.8.
func device(totalWidth, dataWidth, size uint16, extended uint32, kind byte, speed uint16) []byte {
	d := make([]byte, 0x28)
	d[0], d[1] = memoryDevice, byte(len(d))
	put := binary.LittleEndian.PutUint16
	put(d[0x08:], totalWidth)
	put(d[0x0a:], dataWidth)
	put(d[0x0c:], size)
	d[0x12] = kind
	put(d[0x15:], speed)
	binary.LittleEndian.PutUint32(d[0x1c:], extended)
	return append(d, "DIMM_A1\x00\x00"...)
}

func array(ecc byte) []byte {
	return append([]byte{memoryArray, 0x0f, 0, 0, 3, 3, ecc, 0, 0, 0, 0, 0, 0, 8, 0}, 0, 0)
}

func TestModules(t *testing.T) {
	join := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	eight := device(72, 64, 8192, 0, 0x18, 1333)
	rows := []struct {
		why   string
		table []byte
		want  map[string]string
	}{
		{"equal modules are counted, empty slots are not", join(array(6), eight, eight, device(0, 0, 0, 0, 2, 0)),
			map[string]string{"memory.modules": "2 x 8 GiB DDR3-1333 ECC", "memory.module_count": "2", "memory.module_slots": "3", "memory.ecc": "true"}},
		{"large modules have an extended size", join(array(3), device(64, 64, 0x7fff, 65536, 0x22, 4800)),
			map[string]string{"memory.modules": "1 x 64 GiB DDR5-4800", "memory.ecc": "false"}},
		{"without an array, wider modules correct errors", join(device(72, 64, 4096, 0, 0x1a, 0xffff), device(72, 64, 2048, 0, 0x1a, 0)),
			map[string]string{"memory.modules": "1 x 4 GiB DDR4 ECC; 1 x 2 GiB DDR4 ECC", "memory.ecc": "true"}},
		{"a size that is not told", device(64, 64, 0xffff, 0, 0x18, 0), map[string]string{"memory.modules": "unknown", "memory.module_count": "0", "memory.module_slots": "1"}},
		{"a table that is cut off", eight[:20], map[string]string{"memory.modules": "unknown", "memory.ecc": "unknown"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			want(t, factsOf(t, Memory(map[string][]byte{smbiosTable: row.table}, nil), ""), row.want)
		})
	}
}

func TestUtmp(t *testing.T) {
	for _, size := range []int{384, 400} {
		record := func(kind byte, user string) []byte {
			r := make([]byte, size)
			r[0] = kind
			copy(r[44:], user)
			return r
		}
		data := append(append(record(2, "reboot"), record(7, "alice")...), append(record(8, ""), record(7, "bob")...)...)
		if got := parseUtmp(data); len(got) != 2 || got[0] != "alice" || got[1] != "bob" {
			t.Errorf("records of %d bytes: %q", size, got)
		}
	}
}
