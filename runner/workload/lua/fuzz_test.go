package lua

import "testing"

// FuzzParseArguments: no options of a script panic, and none is without a name.
func FuzzParseArguments(f *testing.F) {
	for _, seed := range []string{"", "--tables=4", "--x", "--=1", "-", "--", "tables=4", "--a=b=c"} {
		f.Add(seed, "5")
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		options, err := ParseArguments([]string{one, two})
		if _, empty := options[""]; err == nil && empty {
			t.Errorf("%q %q has an option without a name", one, two)
		}
	})
}
