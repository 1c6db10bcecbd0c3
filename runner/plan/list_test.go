package plan

import (
	"slices"
	"strings"
	"testing"
)

func TestParseInts(t *testing.T) {
	for _, c := range []struct {
		text string
		want Ints
		err  string // part of the message
	}{
		{"1,2,4", Ints{1, 2, 4}, ""},
		{"10:30:10", Ints{10, 20, 30}, ""},         // both ends included
		{"10:35:10", Ints{10, 20, 30}, ""},         // the end need not be met
		{"1:64:x4", Ints{1, 4, 16, 64}, ""},        // factor
		{"1, 2 ,10:20:10", Ints{1, 2, 10, 20}, ""}, // mixture, blanks
		{"7", Ints{7}, ""},                         // one
		{"0", Ints{0}, ""},                         // whether 0 makes sense is Validate's affair
		{"-1", nil, "must not be negative"},        //
		{"10:5:1", nil, "10 is more than 5"},       // backwards
		{"1:5:0", nil, "step must be at least 1"},  // no step
		{"0:5:x2", nil, "must start above 0"},      // 0 * 2 = 0
		{"1:5:x1", nil, "factor at least 2"},       // 1 * 1 = 1
		{"1:2", nil, "expected from:to:step"},      // no step at all
		{"ten", nil, "invalid integer"},            //
		// Bounded.
		{"1:1000000:1", nil, "more than 10000 values"},
		{"99999999999", nil, "must be at most"},       //
		{"", nil, "invalid integer"},                  //
		{"1,,2", nil, "invalid integer"},              //
		{"1:999999999:x1000", Ints{1, 1000, 1e6}, ""}, // no overflow
	} {
		got, err := ParseInts(c.text)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("ParseInts(%q) = %v, %v; want an error with %q", c.text, got, err, c.err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("ParseInts(%q) = %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

// A list that was read prints as a list that reads the same.
func FuzzParseInts(f *testing.F) {
	for _, s := range []string{"1,2,4", "10:100:10", "1:64:x2", "10:5:1", "x", "1:9:x0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseInts(text)
		if err != nil {
			return
		}
		again, err := ParseInts(list.String())
		if err != nil || !slices.Equal(list, again) {
			t.Errorf("ParseInts(%q) = %v, printed and read again %v, %v", text, list, again, err)
		}
	})
}
