package hwinfo

import "regexp"

// identities match texts that identify one file system, partition or disk: UUIDs, and the
// names of udev's links by identifier (short ones of FAT and NTFS, serial numbers).
// https://www.freedesktop.org/software/systemd/man/latest/udev.html, RFC 9562
var identities = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}` +
	`|\b[0-9a-f]{8}:[0-9a-f]{8}:[0-9a-f]{8}:[0-9a-f]{8}\b` + // of a Linux RAID
	`|\b(by-(?:part)?uuid|by-id|by-diskseq)/[^\s/"';,]+`)

// anonymous replaces identities by three dots.
func anonymous(text string) string {
	return identities.ReplaceAllStringFunc(text, func(found string) string {
		if kind := identities.FindStringSubmatch(found)[1]; kind != "" {
			return kind + "/..."
		}
		return "..."
	})
}

// hideIdentities takes identities out of values, sources and notes.
func (f *Facts) hideIdentities() {
	for i := range f.List {
		if text, ok := f.List[i].Value.(string); ok {
			f.List[i].Value = anonymous(text)
		}
		f.List[i].Source = anonymous(f.List[i].Source)
	}
	for i := range f.Notes {
		f.Notes[i].Text = anonymous(f.Notes[i].Text)
	}
}
