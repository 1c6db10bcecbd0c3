package remote

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/hwinfo"
)

// script writes the POSIX shell program that prints the wanted files. It starts
// one process for hundreds of files, as a large machine has tens of thousands.
// tar is not usable because it stores the size of a file, which is 0 in /proc,
// and the shell's read is not because it reads bytes one by one, while settings
// in /proc/sys must be read at once.
//
// A line with the random token announces what follows: B the line that separates
// files, N the path of a file, C the contents of all files named since the last
// C, L a link and its target, E the end.
func script(w hwinfo.Wanted, datadir, token string) string {
	var b strings.Builder
	b.WriteString(functions(token))
	for _, pattern := range w.Files {
		fmt.Fprintf(&b, "files %s\n", pattern)
	}
	for _, pattern := range w.Links {
		fmt.Fprintf(&b, "links %s\n", pattern)
	}
	for _, d := range w.Devices {
		b.WriteString(deviceLoop(d))
	}
	fmt.Fprintf(&b, "link %s\n", quote(datadir))
	b.WriteString("flush\n[ -f /proc/sys/kernel/arch ] || { head_ N /proc/sys/kernel/arch; head_ C; uname -m; cat $b; }\n")
	b.WriteString("t=`readlink /etc/localtime 2>/dev/null` && head_ L /etc/localtime \"$t\"\n")
	b.WriteString("head_ E\n")
	return b.String()
}

// functions of the program. add collects files for one cat, which flush
// starts; the boot id between them is a line that no other file holds.
func functions(token string) string {
	return `LC_ALL=C; export LC_ALL; list=; n=0; b=` + bootIDPath + `
head_() { printf '\n%s %s %s %s\n' ` + token + ` "$1" "$2" "$3"; }
head_ B; cat $b || exit 9
flush() { [ $n -gt 0 ] || return 0; head_ C; eval "cat $list" 2>/dev/null; list=; n=0; }
add() {
	[ -f "$1" ] && [ -r "$1" ] || return 0
	case $1 in *\'*) return 0 ;; esac
	head_ N "$1"
	list="$list '$1' $b"; n=$((n + 1)); [ $n -lt 200 ] || flush
}
files() { for f in "$@"; do add "$f"; done; }
link() {
	( cd -P "$1" 2>/dev/null && [ "$PWD" != "$1" ] && head_ L "$1" "$PWD" )
}
links() { for f in "$@"; do
	cd / && cd -P "$f" 2>/dev/null && head_ L "$f" "$PWD"
done; }
`
}

// deviceLoop prints the files of each device below its resolved path.
func deviceLoop(d hwinfo.Device) string {
	var b strings.Builder
	fmt.Fprintf(&b, "for d in %s; do\n\tcd / && cd -P \"${d%%/*}\" 2>/dev/null || continue\n\tq=$PWD/${d##*/}\n", d.Dirs)
	b.WriteString("\tcd -P \"$q\" 2>/dev/null || continue\n\tp=$PWD\n\t[ \"$p\" = \"$q\" ] || head_ L \"$q\" \"$p\"\n")
	for _, f := range d.Files {
		fmt.Fprintf(&b, "\tfiles \"$p\"/%s\n", f)
	}
	for _, l := range d.Links {
		fmt.Fprintf(&b, "\tlinks \"$p\"/%s\n", l)
	}
	if len(d.Parents) > 0 {
		b.WriteString("\twhile p=${p%/*}; case $p in /sys/devices/*) true ;; *) false ;; esac; do\n")
		for _, f := range d.Parents {
			fmt.Fprintf(&b, "\t\tadd \"$p\"/%s\n", f)
		}
		b.WriteString("\t\tlinks \"$p\"/subsystem\n\tdone\n")
	}
	b.WriteString("done\n")
	return b.String()
}

// quote returns a string as one word of a shell command.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
