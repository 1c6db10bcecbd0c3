package verdict

import "testing"

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{count(24310.4), "24,310"},
		{count(1234567), "1,234,567"},
		{count(999.6), "1,000"},
		{count(99.96), "100"},
		{count(12.345), "12.3"},
		{count(0), "0"},
		{count(-1500), "−1,500"},
		{short(0.00012345), "0.000123"},
		{short(4.10), "4.1"},
		{short(100), "100"},
		{span(0.0083), "8.3 ms"},
		{span(0.0000000005), "0.5 ns"},
		{span(0.000482), "482 µs"},
		{span(12.4), "12 s"},
		{span(0), "0 s"},
		{percent(0.018), "1.8 %"},
		{percent(0.97), "97 %"},
		{percent(0), "0 %"},
		{percent(-0.006), "−0.6 %"},
		{change(0.994), "−0.6 %"},
		{change(1.12), "+12 %"},
		{change(1.0001), "±0 %"},
		{change(1), "±0 %"},
		{bytes(134217728), "128 MiB"},
		{bytes(31.4e6), "29.9 MiB"},
		{bytes(500), "500 B"},
		{plural(1, "trial"), "1 trial"},
		{plural(1200, "trial"), "1,200 trials"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
