package workload

import (
	"bytes"
	"strconv"
)

func (u *user) anyItem() int64 { return u.session.Rand().Int64N(u.items) + 1 }

func (u *user) subject() string { return subjects[u.session.Rand().IntN(len(subjects))] }

// promotions shows the five items that are related to one.
func (u *user) promotions() error { return u.query(sqlPromotions, u.anyItem()) }

func (u *user) home() error {
	if u.customer != 0 {
		if err := u.query(sqlCustomerName, u.customer); err != nil {
			return err
		}
	}
	return u.promotions()
}

// search shows promotions and a list of items, and remembers the list.
func (u *user) search(st int, value string) error {
	if err := u.promotions(); err != nil {
		return err
	}
	u.found = u.found[:0]
	return u.session.Select(u.handles[st], u.with(value), func(row []any) error {
		if id, ok := integer(row[0]); ok {
			u.found = append(u.found, id)
		}
		return nil
	})
}

// searchResults looks for an author, a title or a subject.
func (u *user) searchResults() error {
	r := u.session.Rand()
	switch r.IntN(3) {
	case 0:
		return u.search(sqlSearchAuthor, "%"+syllables(nonUniform(r, u.bits, 1, u.items/10), 7)+"%")
	case 1:
		return u.search(sqlSearchTitle, "%"+syllables(nonUniform(r, u.bits, 1, u.items/5), 7)+"%")
	}
	return u.search(sqlSearchSubject, u.subject())
}

func (u *user) productDetail() error {
	u.item = u.anyItem()
	if n := len(u.found); n > 0 {
		u.item = u.found[u.session.Rand().IntN(n)]
	}
	return u.query(sqlItem, u.item)
}

func (u *user) orderInquiry() error {
	if u.customer == 0 {
		return nil
	}
	return u.query(sqlUserName, u.customer)
}

// orderDisplay shows the last order of the customer, or of any customer.
func (u *user) orderDisplay() error {
	customer := u.customer
	if customer == 0 {
		customer = u.anyCustomer()
	}
	var order, bill, ship int64
	found, err := u.row(sqlLastOrder, func(row []any) {
		order, _ = integer(row[0])
		bill, _ = integer(row[1])
		ship, _ = integer(row[2])
	}, syllables(customer, 0), password(customer))
	if err != nil || !found {
		return err
	}
	for _, address := range []int64{bill, ship} {
		if err := u.query(sqlAddress, address); err != nil {
			return err
		}
	}
	return u.query(sqlOrderLines, order)
}

func (u *user) adminRequest() error {
	if u.item == 0 {
		u.item = u.anyItem()
	}
	_, err := u.row(sqlAdminItem, func(row []any) { u.price = cents(row[0]) }, u.item)
	return err
}

// adminConfirm changes pictures and cost of the item of the preceding request.
func (u *user) adminConfirm() error {
	if u.item == 0 || u.price == 0 {
		if err := u.adminRequest(); err != nil {
			return err
		}
	}
	cost := decimal(u.price*int64(10-u.session.Rand().IntN(6))/10, 2)
	return u.transaction(func() error {
		if _, err := u.exec(sqlChangeItem, u.anyItem(), u.anyItem(), cost, u.item); err != nil {
			return err
		}
		return u.query(sqlItem, u.item)
	})
}

// integer converts an integer of a row, from either protocol.
func integer(value any) (int64, bool) {
	switch v := value.(type) {
	case int64:
		return v, true
	case []byte:
		n, err := strconv.ParseInt(string(v), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// cents reads a decimal with two digits after its point.
func cents(value any) int64 {
	text, _ := value.([]byte)
	n, _ := strconv.ParseInt(string(bytes.Replace(text, []byte("."), nil, 1)), 10, 64)
	return n
}

// decimal writes v / 10^scale.
func decimal(v int64, scale int) string {
	var row Row
	row.Decimal(v, scale)
	return string(row.Bytes())
}

// textOf copies the text of a row.
func textOf(value any) string {
	b, _ := value.([]byte)
	return string(b)
}
