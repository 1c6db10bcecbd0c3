package workload

import (
	"math/rand/v2"
	"time"
)

// dataDate is the day on which the loaded data ends. It is fixed, so that the
// same seed makes the same data on any day.
var dataDate = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// orders, authors and addresses follow from customers and items (datagen).
func (w *shop) orders() int64 {
	if !w.loaded {
		return 0
	}
	return w.customers * 9 / 10
}
func (w *shop) authors() int64   { return w.items / 4 }
func (w *shop) addresses() int64 { return 2 * w.customers }

// Tables are the ten of DBT-1 with the kit's indexes and foreign keys.
func (w *shop) Tables() []Table {
	return []Table{
		{
			Name:    "country",
			Columns: "co_id INT NOT NULL PRIMARY KEY, co_name VARCHAR(50), co_exchange DECIMAL(12,6), co_currency VARCHAR(18), KEY (co_name)",
			Load:    []string{"co_id", "co_name", "co_exchange", "co_currency"},
			Rows:    int64(len(countries)),
			Row:     countryRow,
		}, {
			Name: "author",
			Columns: "a_id INT NOT NULL PRIMARY KEY, a_fname VARCHAR(20), a_lname VARCHAR(20), a_mname VARCHAR(20), a_dob DATE, " +
				"a_bio VARCHAR(500), KEY i_a_lname (a_lname)",
			Load: []string{"a_id", "a_fname", "a_lname", "a_mname", "a_dob", "a_bio"},
			Rows: w.authors(),
			Row:  w.authorRow,
		}, {
			Name: "address",
			Columns: "addr_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, addr_street1 VARCHAR(40), addr_street2 VARCHAR(40), addr_city VARCHAR(30), " +
				"addr_state VARCHAR(20), addr_zip VARCHAR(10), addr_co_id INT, " +
				"KEY i_address_table (addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id), KEY (addr_co_id), " +
				"FOREIGN KEY (addr_co_id) REFERENCES country (co_id)",
			Load:  []string{"addr_id", "addr_street1", "addr_street2", "addr_city", "addr_state", "addr_zip", "addr_co_id"},
			Rows:  w.addresses(),
			Row:   addressRow,
			Grows: true,
		}, {
			Name: "customer",
			Columns: "c_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, c_uname VARCHAR(20), c_passwd VARCHAR(20), c_fname VARCHAR(15), c_lname VARCHAR(15), " +
				"c_addr_id INT, c_phone VARCHAR(16), c_email VARCHAR(50), c_since DATE, c_last_visit DATE, c_login DATETIME, c_expiration DATETIME, " +
				"c_discount DECIMAL(5,2), c_balance DECIMAL(17,2), c_ytd_pmt DECIMAL(17,2), c_birthdate DATE, c_data VARCHAR(500), " +
				"KEY i_c_uname (c_uname), KEY (c_addr_id), FOREIGN KEY (c_addr_id) REFERENCES address (addr_id)",
			Load: []string{"c_id", "c_uname", "c_passwd", "c_fname", "c_lname", "c_addr_id", "c_phone", "c_email", "c_since", "c_last_visit",
				"c_login", "c_expiration", "c_discount", "c_balance", "c_ytd_pmt", "c_birthdate", "c_data"},
			Rows:  w.customers,
			Row:   w.customerRow,
			Grows: true,
		},
		w.itemTable(), w.orderTable(), w.orderLineTable(), w.paymentTable(),
		{
			Name: "shopping_cart",
			Columns: "sc_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, sc_c_id INT, sc_date DATETIME, sc_sub_total DECIMAL(17,2), sc_tax DECIMAL(17,2), " +
				"sc_ship_cost DECIMAL(17,2), sc_total DECIMAL(17,2), sc_c_fname VARCHAR(15), sc_c_lname VARCHAR(15), sc_c_discount DECIMAL(5,2)",
			Grows: true,
		}, {
			Name: "shopping_cart_line",
			Columns: "scl_sc_id INT NOT NULL, scl_i_id INT NOT NULL, scl_qty INT, scl_cost DECIMAL(17,2), scl_srp DECIMAL(17,2), scl_title VARCHAR(60), " +
				"scl_backing VARCHAR(15), PRIMARY KEY (scl_sc_id, scl_i_id)",
			Grows: true,
		},
	}
}

func (w *shop) itemTable() Table {
	return Table{
		Name: "item",
		Columns: "i_id INT NOT NULL PRIMARY KEY, i_title VARCHAR(60), i_a_id INT, i_pub_date DATE, i_publisher VARCHAR(60), i_subject VARCHAR(60), " +
			"i_desc VARCHAR(500), i_related1 INT, i_related2 INT, i_related3 INT, i_related4 INT, i_related5 INT, i_thumbnail INT, i_image INT, " +
			"i_srp DECIMAL(17,2), i_cost DECIMAL(17,2), i_avail DATE, i_stock INT, i_isbn CHAR(13), i_page INT, i_backing VARCHAR(15), " +
			"i_dimensions VARCHAR(25), KEY i_i_subject (i_subject), KEY i_i_a_id (i_a_id), KEY i_i_title (i_title), " +
			"FOREIGN KEY (i_a_id) REFERENCES author (a_id)",
		Load: []string{"i_id", "i_title", "i_a_id", "i_pub_date", "i_publisher", "i_subject", "i_desc", "i_related1", "i_related2", "i_related3",
			"i_related4", "i_related5", "i_thumbnail", "i_image", "i_srp", "i_cost", "i_avail", "i_stock", "i_isbn", "i_page", "i_backing", "i_dimensions"},
		Rows: w.items,
		Row:  w.itemRow,
	}
}

func (w *shop) orderTable() Table {
	return Table{
		Name: "orders",
		Columns: "o_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, o_c_id INT, o_date DATETIME, o_sub_total DECIMAL(17,2), o_tax DECIMAL(17,2), " +
			"o_total DECIMAL(17,2), o_ship_type VARCHAR(10), o_ship_date DATETIME, o_bill_addr_id INT, o_ship_addr_id INT, o_status VARCHAR(15), " +
			"KEY i_o_c_id (o_c_id), KEY (o_bill_addr_id), KEY (o_ship_addr_id), FOREIGN KEY (o_c_id) REFERENCES customer (c_id), " +
			"FOREIGN KEY (o_bill_addr_id) REFERENCES address (addr_id), FOREIGN KEY (o_ship_addr_id) REFERENCES address (addr_id)",
		Load: []string{"o_id", "o_c_id", "o_date", "o_sub_total", "o_tax", "o_total", "o_ship_type", "o_ship_date", "o_bill_addr_id",
			"o_ship_addr_id", "o_status"},
		Rows:  w.customers * 9 / 10,
		Row:   w.orderRow,
		Grows: true,
	}
}

func (w *shop) orderLineTable() Table {
	return Table{
		Name: "order_line",
		Columns: "ol_o_id INT NOT NULL, ol_id INT NOT NULL, ol_i_id INT, ol_qty INT, ol_discount DECIMAL(5,2), ol_comments VARCHAR(100), " +
			"PRIMARY KEY (ol_o_id, ol_id), KEY (ol_i_id), FOREIGN KEY (ol_o_id) REFERENCES orders (o_id), FOREIGN KEY (ol_i_id) REFERENCES item (i_id)",
		Load:  []string{"ol_o_id", "ol_id", "ol_i_id", "ol_qty", "ol_discount", "ol_comments"},
		Rows:  linesBefore(w.customers * 9 / 10),
		Row:   w.orderLineRow,
		Grows: true,
	}
}

func (w *shop) paymentTable() Table {
	return Table{
		Name: "cc_xacts",
		Columns: "cx_o_id INT NOT NULL PRIMARY KEY, cx_type VARCHAR(10), cx_num DECIMAL(16,0), cx_name VARCHAR(31), cx_expiry DATE, cx_auth_id CHAR(15), " +
			"cx_xact_amt DECIMAL(17,2), cx_xact_date DATETIME, cx_co_id INT, KEY (cx_co_id), FOREIGN KEY (cx_o_id) REFERENCES orders (o_id), " +
			"FOREIGN KEY (cx_co_id) REFERENCES country (co_id)",
		Load:  []string{"cx_o_id", "cx_type", "cx_num", "cx_name", "cx_expiry", "cx_auth_id", "cx_xact_amt", "cx_xact_date", "cx_co_id"},
		Rows:  w.customers * 9 / 10,
		Row:   w.paymentRow,
		Grows: true,
	}
}

func countryRow(row *Row, _ *rand.Rand, i int64) {
	c := countries[i]
	row.Int(i + 1)
	row.Text(c.name)
	row.Text(c.exchange)
	row.Text(c.currency)
}

func (w *shop) authorRow(row *Row, r *rand.Rand, i int64) {
	row.Int(i + 1)
	row.Text(randomText(r, 3, 20))
	row.Text(syllables(i%(w.items/10)+1, 7))
	row.Text(randomText(r, 1, 20))
	row.Text(birthday(r))
	row.Text(randomText(r, 125, 500))
}

func addressRow(row *Row, r *rand.Rand, i int64) {
	row.Int(i + 1)
	row.Text(randomText(r, 15, 40))
	row.Text(randomText(r, 15, 40))
	row.Text(randomText(r, 4, 30))
	row.Text(randomText(r, 2, 20))
	row.Text(randomText(r, 5, 10))
	row.Int(r.Int64N(int64(len(countries))) + 1)
}

func (w *shop) customerRow(row *Row, r *rand.Rand, i int64) {
	since := dataDate.AddDate(0, 0, -1-r.IntN(730))
	visit := since.AddDate(0, 0, r.IntN(61))
	if visit.After(dataDate) {
		visit = dataDate
	}
	row.Int(i + 1)
	row.Text(syllables(i+1, 0))
	row.Text(password(i + 1))
	row.Text(randomText(r, 8, 15))
	row.Text(randomText(r, 8, 15))
	row.Int(r.Int64N(w.addresses()) + 1)
	row.Text(digits(r, 9, 16))
	row.Text(syllables(i+1, 0) + "@" + randomText(r, 2, 9))
	row.Text(since.Format(time.DateOnly))
	row.Text(visit.Format(time.DateOnly))
	row.Text(dataDate.Format(time.DateTime))
	row.Text(dataDate.Add(2 * time.Hour).Format(time.DateTime))
	row.Decimal(r.Int64N(51), 2)
	row.Int(0)
	row.Decimal(r.Int64N(100000), 2)
	row.Text(birthday(r))
	row.Text(randomText(r, 100, 500))
}

// itemRow: the first quarter of the items has an author each. Five titles have
// the same syllables, for searches.
func (w *shop) itemRow(row *Row, r *rand.Rand, i int64) {
	row.Int(i + 1)
	row.Text(randomText(r, 14, 40) + " " + syllables(i%(w.items/5)+1, 7))
	if i < w.authors() {
		row.Int(i + 1)
	} else {
		row.Int(r.Int64N(w.authors()) + 1)
	}
	published := dataDate.AddDate(0, 0, -1-r.IntN(25000))
	row.Text(published.Format(time.DateOnly))
	row.Text(randomText(r, 14, 60))
	row.Text(subjects[r.IntN(len(subjects))])
	row.Text(randomText(r, 100, 500))
	first := r.Int64N(w.items)
	for n := range int64(5) { // five different ones
		row.Int((first+n*(1+w.items/7))%w.items + 1)
	}
	row.Int(i + 1)
	row.Int(i + 1)
	price := 100 + r.Int64N(999900)
	row.Decimal(price, 2)
	row.Decimal(price*int64(10-r.IntN(6))/10, 2)
	row.Text(published.AddDate(0, 0, 1+r.IntN(30)).Format(time.DateOnly))
	row.Int(10 + r.Int64N(21))
	row.Text(randomText(r, 13, 13))
	row.Int(20 + r.Int64N(9980))
	row.Text(backings[r.IntN(len(backings))])
	row.Text(decimal(1+r.Int64N(9999), 2) + "x" + decimal(1+r.Int64N(9999), 2) + "x" + decimal(1+r.Int64N(9999), 2))
}

// orderDate spreads the orders over the last 60 days, in the order of their
// numbers, so that the last orders are the latest.
func (w *shop) orderDate(i int64) time.Time {
	age := 60 * 24 * time.Hour.Seconds() * (1 - float64(i)/float64(w.customers*9/10))
	return dataDate.Add(-time.Duration(age) * time.Second)
}

func (w *shop) orderRow(row *Row, r *rand.Rand, i int64) {
	date := w.orderDate(i)
	sub := 10 + r.Int64N(999990)
	tax := (sub*825 + 5000) / 10000
	row.Int(i + 1)
	row.Int(r.Int64N(w.customers) + 1)
	row.Text(date.Format(time.DateTime))
	row.Decimal(sub, 2)
	row.Decimal(tax, 2)
	row.Decimal(sub+tax+300+100*linesOf(i), 2)
	row.Text(shipTypes[r.IntN(len(shipTypes))])
	row.Text(date.Add(time.Duration(r.IntN(691200)) * time.Second).Format(time.DateTime))
	row.Int(r.Int64N(w.addresses()) + 1)
	row.Int(r.Int64N(w.addresses()) + 1)
	row.Text(statuses[r.IntN(len(statuses))])
}

func (w *shop) orderLineRow(row *Row, r *rand.Rand, i int64) {
	order, line := orderOfLine(i)
	row.Int(order + 1)
	row.Int(line + 1)
	row.Int(r.Int64N(w.items) + 1)
	row.Int(1 + r.Int64N(300))
	row.Decimal(r.Int64N(4), 2)
	row.Text(randomText(r, 20, 100))
}

func (w *shop) paymentRow(row *Row, r *rand.Rand, i int64) {
	row.Int(i + 1)
	row.Text(cardTypes[r.IntN(len(cardTypes))])
	row.Text(digits(r, 16, 16))
	row.Text(randomText(r, 14, 30))
	row.Text(dataDate.AddDate(0, 0, 10+r.IntN(721)).Format(time.DateOnly))
	row.Text(randomText(r, 15, 15))
	row.Decimal(10+r.Int64N(1999990), 2)
	row.Text(w.orderDate(i).Format(time.DateTime))
	row.Int(r.Int64N(int64(len(countries))) + 1)
}

// An order has 1 to 5 lines. How many is fixed by its number, in blocks of ten
// orders with 30 lines, so that the order of any line is known: the loader
// asks for rows in any order.
var blockLines = [...]int64{3, 1, 5, 2, 4, 4, 1, 3, 5, 2}

const linesPerBlock = 30

// linesOf is how many lines order i has.
func linesOf(i int64) int64 { return blockLines[i%int64(len(blockLines))] }

// linesBefore is how many lines the orders before i have.
func linesBefore(i int64) int64 {
	n := i / int64(len(blockLines)) * linesPerBlock
	for j := range i % int64(len(blockLines)) {
		n += blockLines[j]
	}
	return n
}

// orderOfLine is the order of line i, and the line's number in it.
func orderOfLine(i int64) (order, line int64) {
	order, line = i/linesPerBlock*int64(len(blockLines)), i%linesPerBlock
	for line >= linesOf(order) {
		line -= linesOf(order)
		order++
	}
	return order, line
}
