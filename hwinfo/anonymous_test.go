package hwinfo

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func TestAnonymous(t *testing.T) {
	for text, want := range map[string]string{
		"/dev/disk/by-uuid/3C2A-11EF":                                    "/dev/disk/by-uuid/...",
		"/dev/disk/by-uuid/1b4e28ba-2fa1-11d2-883f-0016d3cca427":         "/dev/disk/by-uuid/...",
		"/dev/disk/by-partuuid/6a5c0d1e-01":                              "/dev/disk/by-partuuid/...",
		"/dev/disk/by-id/ata-Samsung_SSD_S3Z1NB0K":                       "/dev/disk/by-id/...",
		"UUID=1B4E28BA-2FA1-11D2-883F-0016D3CCA427 rw":                   "UUID=... rw",
		"/dev/mapper/luks-1b4e28ba-2fa1-11d2-883f-0016d3cca427":          "/dev/mapper/luks-...",
		"/sys/fs/btrfs/1b4e28ba-2fa1-11d2-883f-0016d3cca427/label":       "/sys/fs/btrfs/.../label",
		"md uuid 3aaa0122:29827cfa:5331ad66:ca767371":                    "md uuid ...",
		"/dev/mapper/vg0-data":                                           "/dev/mapper/vg0-data",
		"/dev/nvme0n1p2":                                                 "/dev/nvme0n1p2",
		"6.1.0-18-amd64 #1 SMP 2026-03-14":                               "6.1.0-18-amd64 #1 SMP 2026-03-14",
		"deadbeef-1 at 12:34:56":                                         "deadbeef-1 at 12:34:56",
		"rw,subvol=/@,compress=zstd:3,uuid=not-one,by-the-way/something": "rw,subvol=/@,compress=zstd:3,uuid=not-one,by-the-way/something",
	} {
		if got := anonymous(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// The source of the datadir names its file system in no fact, note or path unless asked for.
func TestNoIdentitiesInFacts(t *testing.T) {
	const uuid = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
	root := fstest.MapFS{
		"proc/self/mountinfo": {Data: []byte("25 1 253:0 / / rw,relatime - ext4 /dev/mapper/luks-" + uuid + " rw\n")},
		"proc/cmdline":        {Data: []byte("root=UUID=" + uuid + " crypt=luks-" + uuid + "\n")},
	}
	for _, identify := range []bool{false, true} {
		facts := Read(context.Background(), Options{Root: root, Datadir: "/", Identify: identify})
		if told := strings.Contains(fmt.Sprint(facts), uuid); told != identify {
			t.Errorf("identify %v: the UUID is told: %v\n%v", identify, told, facts.String("datadir.source"))
		}
		if facts.String("datadir.source") == "" {
			t.Errorf("identify %v: no datadir.source", identify)
		}
	}
}
