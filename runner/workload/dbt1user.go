package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

const (
	sessionMean   = 15 * time.Minute // of its least duration; at most four times that
	sessionCap    = 4
	thinkCap      = 10
	tries         = 3
	afterFailure  = 10 * time.Second
	knownCustomer = 0.8
	cartLines     = 20 // that a cart holds
)

// user is one emulated user.
type user struct {
	*shop
	session Session
	handles [len(dbt1Statements)]Handle
	args    Args

	last, now interaction
	failed    int // tries of now that failed
	started   time.Time
	least     time.Duration // how long this session lasts at least

	customer int64 // 0 when not known
	cart     int64 // 0 when there is none
	lines    []cartLine
	priced   bool    // the cart's total is right
	found    []int64 // items that the last search showed
	item     int64   // last one displayed
	price    int64   // its suggested price in cents
}

type cartLine struct{ item, quantity int64 }

// beginSession starts a new visit: a minimum duration, no cart, and in four
// of five cases a customer who is known.
func (u *user) beginSession() {
	r := u.session.Rand()
	u.started = time.Now() // for the length of the session; not a measurement
	u.least = exponential(r, sessionMean, sessionCap)
	u.customer, u.cart, u.lines, u.found, u.item = 0, 0, u.lines[:0], u.found[:0], 0
	if r.Float64() < knownCustomer {
		u.customer = u.anyCustomer()
	}
}

// exponential draws an exponential time, truncated at most times its mean.
func exponential(r *rand.Rand, mean time.Duration, most float64) time.Duration {
	return time.Duration(math.Min(r.ExpFloat64(), most) * float64(mean))
}

func (u *user) anyCustomer() int64 {
	return nonUniform(u.session.Rand(), u.bits, 1, u.customers)
}

// round is one interaction, with the think time before it. A failed one is
// retried twice at most; then the user pauses.
func (u *user) round() error {
	if u.failed == 0 {
		if err := u.goOn(); err != nil {
			return err
		}
	} else if err := u.comeBack(); err != nil {
		return err
	}
	u.session.Interaction(u.now.String())
	if err := u.interact(); err != nil {
		u.failed++
		return fmt.Errorf("%s: %w", u.now, err)
	}
	u.failed, u.last = 0, u.now
	return nil
}

// goOn thinks and draws the next interaction.
func (u *user) goOn() error {
	r := u.session.Rand()
	if u.think > 0 {
		if err := u.session.Think(exponential(r, u.think, thinkCap)); err != nil {
			return err
		}
	}
	u.now = u.mix.next(r, u.last)
	if u.now == home && time.Since(u.started) >= u.least {
		u.beginSession()
	}
	return nil
}

// comeBack retries a failed interaction. After the third failure the user gives
// up and continues with the next one.
func (u *user) comeBack() error {
	if u.failed < tries {
		return nil
	}
	u.failed, u.last = 0, u.now
	if u.think > 0 {
		if err := u.session.Think(afterFailure); err != nil {
			return err
		}
	}
	return u.goOn()
}

func (u *user) interact() error {
	switch u.now {
	case adminConfirm:
		return u.adminConfirm()
	case adminRequest:
		return u.adminRequest()
	case bestSellers:
		return u.search(sqlBestSellers, u.subject())
	case buyConfirm:
		err := u.transaction(u.buyConfirm)
		if err == nil {
			u.cart, u.lines = 0, u.lines[:0]
		}
		return err
	case buyRequest:
		err := u.transaction(u.buyRequest)
		u.priced = err == nil
		return err
	case home:
		return u.home()
	case newProducts:
		return u.search(sqlNewProducts, u.subject())
	case orderDisplay:
		return u.orderDisplay()
	case orderInquiry:
		return u.orderInquiry()
	case productDetail:
		return u.productDetail()
	case searchResults:
		return u.searchResults()
	case shoppingCart:
		u.priced = false
		return u.transaction(u.shoppingCart)
	}
	return nil // customer registration and search request are forms to fill in
}

// transaction runs do between BEGIN and COMMIT.
func (u *user) transaction(do func() error) error {
	if err := u.session.Begin(); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return u.session.Commit()
}

// with fills the user's list of arguments, which is reused.
func (u *user) with(values ...any) Args {
	u.args = u.args[:len(values)]
	for i, v := range values {
		switch v := v.(type) {
		case int64:
			u.args.SetInt(i, v)
		case int:
			u.args.SetInt(i, int64(v))
		case string:
			u.args.SetText(i, v)
		default:
			u.args.SetNull(i)
		}
	}
	return u.args
}

func (u *user) query(st int, values ...any) error {
	_, err := u.session.Query(u.handles[st], u.with(values...))
	return err
}

func (u *user) exec(st int, values ...any) (Outcome, error) {
	return u.session.Exec(u.handles[st], u.with(values...))
}

// row passes the first row of a result to take; found is false without a row.
func (u *user) row(st int, take func(row []any), values ...any) (found bool, err error) {
	err = u.session.Select(u.handles[st], u.with(values...), func(row []any) error {
		if !found {
			take(row)
		}
		found = true
		return nil
	})
	return found, err
}
