package workload

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// published are the stationary shares of the three mixes, in percent.
var published = map[string]map[interaction]float64{
	"shopping": {home: 16.00, newProducts: 5.00, bestSellers: 5.00, productDetail: 17.00, searchRequest: 20.00, searchResults: 17.00, shoppingCart: 11.60,
		customerRegistration: 3.00, buyRequest: 2.60, buyConfirm: 1.20, orderInquiry: 0.75, orderDisplay: 0.66, adminRequest: 0.10, adminConfirm: 0.09},
	"browsing": {home: 28.99, newProducts: 10.99, bestSellers: 10.99, productDetail: 21.0, searchRequest: 12.01, searchResults: 11.01, shoppingCart: 2.0,
		customerRegistration: .82, buyRequest: .75, buyConfirm: .69, orderInquiry: .30, orderDisplay: .25, adminRequest: .10, adminConfirm: .09},
	"ordering": {home: 9.72, newProducts: .49, bestSellers: .49, productDetail: 14.04, searchRequest: 16.58, searchResults: 14.92, shoppingCart: 11.8,
		customerRegistration: 11.21, buyRequest: 11.1, buyConfirm: 8.88, orderInquiry: .26, orderDisplay: .23, adminRequest: .14, adminConfirm: .13},
}

func TestDBT1StationaryMix(t *testing.T) {
	for name, want := range published {
		m := mixes[name]
		sum := 0.0
		for i, share := range m.stationary() {
			sum += share
			if math.Abs(100*share-want[interaction(i)]) > 0.012 {
				t.Errorf("%s: %s has %.4f %%, published is %.2f", name, interaction(i), 100*share, want[interaction(i)])
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: the shares add up to %g", name, sum)
		}
	}
}

// TestDBT1Mix: the interactions of many users, one each and so independent of
// each other, come within three standard errors of the stationary mix.
func TestDBT1Mix(t *testing.T) {
	for name := range mixes {
		w := newWorkload(t, "dbt1", "mix", name, "customers", "1000", "think-time", "0s").(*shop)
		const users, rounds = 50000, 2
		var count [interactions]int
		for user := range users {
			s := newFakeSession(user, users)
			s.silent = true
			round := newRound(t, w, s)
			for range rounds {
				if err := round(); err != nil {
					t.Fatal(err)
				}
			}
			for i, n := range interactionNames {
				if n == s.interaction {
					count[i]++
				}
			}
		}
		for i, share := range w.start {
			want, slack := share*users, 3*math.Sqrt(users*share*(1-share))
			if math.Abs(float64(count[i])-want) > slack {
				t.Errorf("%s: %s came %d times, want %.0f +- %.0f", name, interaction(i), count[i], want, slack)
			}
		}
	}
}

func TestDBT1Thinks(t *testing.T) {
	w := newWorkload(t, "dbt1", "customers", "1000")
	s := newFakeSession(0, 1)
	round := newRound(t, w, s)
	sum, most, n := time.Duration(0), time.Duration(0), 4000
	for range n {
		s.sent = nil
		if err := round(); err != nil {
			t.Fatal(err)
		}
		text, ok := strings.CutPrefix(s.sent[0], "THINK ")
		d, err := time.ParseDuration(text)
		if !ok || err != nil {
			t.Fatalf("a round begins with %q", s.sent[0])
		}
		sum += d
		most = max(most, d)
	}
	if mean := sum.Seconds() / float64(n); math.Abs(mean-7.2) > 4*7.2/math.Sqrt(float64(n)) || most > 72*time.Second {
		t.Errorf("mean think time %.2f s, longest %s", mean, most)
	}
	if limit := w.(Limiter).Limit(720); math.Abs(limit-100) > 0.01 {
		t.Errorf("720 users reach %.3f interactions per second, want 100", limit)
	}
}

// A failed interaction is tried again twice, without thinking, then left alone.
func TestDBT1Retries(t *testing.T) {
	w := newWorkload(t, "dbt1", "customers", "1000", "mix", "ordering").(*shop)
	s := newFakeSession(3, 4)
	round := newRound(t, w, s)
	refused := errors.New("deadlock")
	s.answer = func(sql string, _ Args) (int64, error) {
		if strings.HasPrefix(sql, "UPDATE shopping_cart,") || strings.HasPrefix(sql, "UPDATE shopping_cart SET") {
			return 0, refused
		}
		return 1, nil
	}
	var err error
	for range 1000 {
		if err = round(); err != nil {
			break
		}
	}
	if !errors.Is(err, refused) {
		t.Fatal("no interaction with the cart in 1000")
	}
	failing := s.interaction
	for range tries - 1 {
		s.take()
		err := round()
		if sent := s.take(); !errors.Is(err, refused) || s.interaction != failing || sent[0] != "BEGIN" {
			t.Fatalf("a retry of %s does %q and says %v", failing, sent, err)
		}
	}
	_ = round()
	if sent := s.take(); sent[0] != "THINK 10s" || !strings.HasPrefix(sent[1], "THINK ") {
		t.Errorf("after three tries the user does %q", sent)
	}
}

func TestDBT1Lines(t *testing.T) {
	line := int64(0)
	for order := range int64(45) {
		if linesBefore(order) != line {
			t.Fatalf("%d lines before order %d, want %d", linesBefore(order), order, line)
		}
		for n := range linesOf(order) {
			if o, l := orderOfLine(line); o != order || l != n {
				t.Fatalf("line %d is line %d of order %d, want line %d of %d", line, l, o, n, order)
			}
			line++
		}
	}
}

func TestSyllables(t *testing.T) {
	for _, test := range []struct {
		n     int64
		width int
		want  string
	}{{0, 0, "BA"}, {1234567890, 0, "OGALRIRESEATULINNGBA"}, {42, 7, "BABABABABAREAL"}} {
		if got := syllables(test.n, test.width); got != test.want {
			t.Errorf("syllables(%d, %d) = %s, want %s", test.n, test.width, got, test.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[int64]bool{}
	for range 20000 {
		n := nonUniform(r, nonUniformBits(1000), 1, 100)
		if n < 1 || n > 100 {
			t.Fatalf("%d is not from 1 to 100", n)
		}
		seen[n] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d of 100 numbers came", len(seen))
	}
	for customers, want := range map[int64]int64{100: 1023, 9999: 1023, 10000: 4095, 40000: 16383, 5760000: 1048575} {
		if got := nonUniformBits(customers); got != want {
			t.Errorf("bits for %d customers: %d, want %d", customers, got, want)
		}
	}
}

func TestDBT1Scale(t *testing.T) {
	values, err := NewValues(dbt1.Options, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := dbt1.New(values.ForThreads(50))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"country": 92, "author": 2500, "address": 288000, "customer": 144000, "item": 10000, "orders": 129600,
		"order_line": 388800, "cc_xacts": 129600, "shopping_cart": 0, "shopping_cart_line": 0}
	tables := w.Tables()
	if len(tables) != len(want) {
		t.Errorf("%d tables", len(tables))
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, table := range tables {
		if table.Rows != want[table.Name] {
			t.Errorf("%s has %d rows, want %d", table.Name, table.Rows, want[table.Name])
		}
		for i := range min(table.Rows, 20) {
			var row Row
			table.Row(&row, r, i)
			if row.Len() != len(table.Load) {
				t.Fatalf("a row of %s has %d fields of %d", table.Name, row.Len(), len(table.Load))
			}
		}
	}
}
