package workload

import (
	"cmp"
	"slices"
)

// shoppingCart shows the cart. From a product's page the product is added; from
// the cart itself the user changes quantities; a new cart that would be empty
// gets an item that is related to another one.
func (u *user) shoppingCart() error {
	cart, lines, err := u.cartFor()
	if err != nil {
		return err
	}
	switch {
	case u.last == productDetail && u.item != 0:
		err = u.addToCart(cart, lines, u.item)
	case len(lines) == 0:
		_, err = u.exec(sqlAddRelated, cart, u.anyItem())
	case u.last == shoppingCart:
		err = u.changeQuantities(cart, lines)
	}
	if err != nil {
		return err
	}
	if _, err := u.exec(sqlCartSum, cart, cart); err != nil {
		return err
	}
	if err := u.showCart(cart); err != nil {
		return err
	}
	u.cart = cart
	return u.promotions()
}

// cartFor returns the user's cart and its lines, or a new cart. The user keeps a
// new cart only if the transaction is committed.
func (u *user) cartFor() (int64, []cartLine, error) {
	if u.cart != 0 {
		return u.cart, u.lines, nil
	}
	var first, last, discount any
	if u.customer != 0 {
		_, err := u.row(sqlCustomerDiscount, func(row []any) {
			first, last, discount = textOf(row[0]), textOf(row[1]), textOf(row[2])
		}, u.customer)
		if err != nil {
			return 0, nil, err
		}
	}
	var customer any
	if u.customer != 0 {
		customer = u.customer
	}
	outcome, err := u.exec(sqlNewCart, customer, first, last, discount)
	return outcome.LastInsertID, nil, err
}

func (u *user) addToCart(cart int64, lines []cartLine, item int64) error {
	there := slices.ContainsFunc(lines, func(l cartLine) bool { return l.item == item })
	if !there && len(lines) >= cartLines {
		return nil
	}
	outcome, err := u.exec(sqlOneMore, cart, item)
	if err != nil || outcome.RowsAffected > 0 {
		return err
	}
	_, err = u.exec(sqlAddItem, cart, item)
	return err
}

// changeQuantities sets the only line to 1 to 10 pieces, or some of several
// lines, but never all, to 0 to 10; 0 removes the line.
func (u *user) changeQuantities(cart int64, lines []cartLine) error {
	r := u.session.Rand()
	if len(lines) == 1 {
		_, err := u.exec(sqlSetQuantity, r.Int64N(10)+1, cart, lines[0].item)
		return err
	}
	for _, i := range r.Perm(len(lines))[:1+r.IntN(len(lines)-1)] {
		quantity := r.Int64N(11)
		var err error
		if quantity == 0 {
			_, err = u.exec(sqlRemoveLine, cart, lines[i].item)
		} else {
			_, err = u.exec(sqlSetQuantity, quantity, cart, lines[i].item)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// showCart reads the lines of the cart and remembers them.
func (u *user) showCart(cart int64) error {
	u.lines = u.lines[:0]
	return u.session.Select(u.handles[sqlCartLines], u.with(cart), func(row []any) error {
		item, _ := integer(row[0])
		quantity, _ := integer(row[1])
		u.lines = append(u.lines, cartLine{item, quantity})
		return nil
	})
}

// filledCart returns the user's cart with at least one line. Only a user who
// starts in the middle of a session can buy without one.
func (u *user) filledCart() (int64, error) {
	cart, lines, err := u.cartFor()
	if err != nil || len(lines) > 0 {
		return cart, err
	}
	if _, err := u.exec(sqlAddRelated, cart, u.anyItem()); err != nil {
		return 0, err
	}
	return cart, u.showCart(cart)
}

// buyRequest reads a known customer's data, or registers a new one, and computes
// the cost of the cart.
func (u *user) buyRequest() error {
	cart, err := u.filledCart()
	if err != nil {
		return err
	}
	customer, discount := u.customer, "0.00"
	if customer != 0 {
		_, err = u.row(sqlCustomerData, func(row []any) { discount = textOf(row[0]) }, syllables(customer, 0))
	} else {
		customer, err = u.register(cart)
	}
	if err != nil {
		return err
	}
	if _, err := u.exec(sqlCartCosts, cart); err != nil {
		return err
	}
	if _, err := u.exec(sqlCartTotals, discount, cart, cart); err != nil {
		return err
	}
	if err := u.showCart(cart); err != nil {
		return err
	}
	u.cart, u.customer = cart, customer
	return nil
}

// register creates a customer with an address and assigns the cart to them.
// The user name is derived from the customer's number.
func (u *user) register(cart int64) (int64, error) {
	r := u.session.Rand()
	address, _, err := u.address()
	if err != nil {
		return 0, err
	}
	first, last := randomText(r, 8, 15), randomText(r, 8, 15)
	outcome, err := u.exec(sqlNewCustomer, first, last, address, digits(r, 9, 16), first+"@"+last+".com",
		birthday(r), randomText(r, 100, 500))
	if err != nil {
		return 0, err
	}
	customer := outcome.LastInsertID
	if _, err := u.exec(sqlNameCustomer, syllables(customer, 0), password(customer), customer); err != nil {
		return 0, err
	}
	_, err = u.exec(sqlOwnCart, customer, first, last, "0.00", cart)
	return customer, err
}

// address finds or makes an address with random text and returns its number
// and its country's.
func (u *user) address() (address, country int64, err error) {
	r := u.session.Rand()
	street1, street2 := randomText(r, 15, 40), randomText(r, 15, 40)
	city, state, zip := randomText(r, 4, 30), randomText(r, 2, 20), randomText(r, 5, 10)
	country = 1
	if _, err = u.row(sqlCountry, func(row []any) { country, _ = integer(row[0]) }, countries[r.IntN(len(countries))].name); err != nil {
		return 0, 0, err
	}
	found, err := u.row(sqlFindAddress, func(row []any) { address, _ = integer(row[0]) }, street1, street2, city, state, zip, country)
	if err != nil || found {
		return address, country, err
	}
	outcome, err := u.exec(sqlNewAddress, street1, street2, city, state, zip, country)
	return outcome.LastInsertID, country, err
}

// buyConfirm turns the cart into an order with lines and payment, and reduces
// the stock.
func (u *user) buyConfirm() error {
	r := u.session.Rand()
	cart, err := u.filledCart()
	if err != nil {
		return err
	}
	b, err := u.buyer()
	if err != nil {
		return err
	}
	if !u.priced {
		if _, err := u.exec(sqlCartTotals, b.discount, cart, cart); err != nil {
			return err
		}
	}
	var sub, tax, total string
	if _, err := u.row(sqlCartCost, func(row []any) {
		sub, tax, total = textOf(row[0]), textOf(row[1]), textOf(row[2])
	}, cart); err != nil {
		return err
	}
	ship := b.address
	if r.Float64() < 0.05 {
		if ship, b.country, err = u.address(); err != nil {
			return err
		}
	}
	outcome, err := u.exec(sqlNewOrder, b.customer, sub, tax, total, shipTypes[r.IntN(len(shipTypes))], r.Int64N(7)+1, b.address, ship)
	if err != nil {
		return err
	}
	if err := u.orderLines(cart, outcome.LastInsertID, b.discount); err != nil {
		return err
	}
	_, err = u.exec(sqlPayment, outcome.LastInsertID, cardTypes[r.IntN(len(cardTypes))], digits(r, 16, 16), b.name,
		1+r.Int64N(730), randomText(r, 15, 15), total, b.country)
	return err
}

// buyer is the part of a customer's data that an order needs.
type buyer struct {
	customer, address, country int64
	name, discount             string
}

func (u *user) buyer() (buyer, error) {
	b := buyer{customer: u.customer}
	if b.customer == 0 {
		b.customer = u.anyCustomer()
	}
	_, err := u.row(sqlBuyer, func(row []any) {
		b.name, b.discount = textOf(row[0])+" "+textOf(row[1]), textOf(row[2])
		b.address, _ = integer(row[3])
		b.country, _ = integer(row[4])
	}, b.customer)
	return b, err
}

// orderLines writes the lines of an order by ascending item number, so that two
// orders cannot deadlock.
func (u *user) orderLines(cart, order int64, discount string) error {
	if err := u.showCart(cart); err != nil {
		return err
	}
	r := u.session.Rand()
	slices.SortFunc(u.lines, func(a, b cartLine) int { return cmp.Compare(a.item, b.item) })
	for i, l := range u.lines {
		if _, err := u.exec(sqlNewLine, order, i+1, l.item, l.quantity, discount, randomText(r, 20, 100)); err != nil {
			return err
		}
		if _, err := u.exec(sqlTakeStock, l.quantity, l.quantity, l.quantity, l.item); err != nil {
			return err
		}
	}
	return nil
}
