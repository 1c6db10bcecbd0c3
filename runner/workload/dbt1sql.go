package workload

// The statements of dbt1, in the order of dbt1Statements.
const (
	sqlPromotions = iota
	sqlCustomerName
	sqlBestSellers
	sqlNewProducts
	sqlSearchAuthor
	sqlSearchTitle
	sqlSearchSubject
	sqlItem
	sqlUserName
	sqlLastOrder
	sqlAddress
	sqlOrderLines
	sqlAdminItem
	sqlChangeItem
	sqlCustomerDiscount
	sqlNewCart
	sqlOneMore
	sqlAddItem
	sqlAddRelated
	sqlSetQuantity
	sqlRemoveLine
	sqlCartSum
	sqlCartLines
	sqlCustomerData
	sqlCountry
	sqlFindAddress
	sqlNewAddress
	sqlNewCustomer
	sqlNameCustomer
	sqlOwnCart
	sqlCartCosts
	sqlCartTotals
	sqlCartCost
	sqlBuyer
	sqlNewOrder
	sqlNewLine
	sqlTakeStock
	sqlPayment
)

const (
	itemColumns = "i_title, a_fname, a_lname, i_pub_date, i_publisher, i_subject, i_desc, i_image, i_thumbnail, i_cost, " +
		"i_srp, i_avail, i_isbn, i_page, i_backing, i_dimensions"
	listed = "SELECT i_id, i_title, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id "
)

var dbt1Statements = [...]Statement{
	sqlPromotions: {Type: "promotions", SQL: "SELECT r1.i_id, r1.i_thumbnail, r2.i_id, r2.i_thumbnail, r3.i_id, r3.i_thumbnail, " +
		"r4.i_id, r4.i_thumbnail, r5.i_id, r5.i_thumbnail FROM item i JOIN item r1 ON r1.i_id = i.i_related1 " +
		"JOIN item r2 ON r2.i_id = i.i_related2 JOIN item r3 ON r3.i_id = i.i_related3 JOIN item r4 ON r4.i_id = i.i_related4 " +
		"JOIN item r5 ON r5.i_id = i.i_related5 WHERE i.i_id = ?"},
	sqlCustomerName: {Type: "customer_name", SQL: "SELECT c_fname, c_lname FROM customer WHERE c_id = ?"},
	sqlBestSellers: {Type: "best_sellers", SQL: "SELECT i_id, i_title, a_fname, a_lname FROM " +
		"(SELECT ol_i_id, SUM(ol_qty) AS sold FROM (SELECT o_id FROM orders ORDER BY o_id DESC LIMIT 3333) AS recent " +
		"JOIN order_line ON ol_o_id = recent.o_id GROUP BY ol_i_id) AS sales " +
		"JOIN item ON i_id = sales.ol_i_id JOIN author ON a_id = i_a_id WHERE i_subject = ? ORDER BY sales.sold DESC, i_id LIMIT 50"},
	sqlNewProducts:   {Type: "new_products", SQL: listed + "WHERE i_subject = ? ORDER BY i_pub_date DESC, i_title LIMIT 50"},
	sqlSearchAuthor:  {Type: "search_author", SQL: listed + "WHERE a_lname LIKE ? ORDER BY i_title LIMIT 50"},
	sqlSearchTitle:   {Type: "search_title", SQL: listed + "WHERE i_title LIKE ? ORDER BY i_title LIMIT 50"},
	sqlSearchSubject: {Type: "search_subject", SQL: listed + "WHERE i_subject = ? ORDER BY i_title LIMIT 50"},
	sqlItem:          {Type: "item", SQL: "SELECT " + itemColumns + " FROM item JOIN author ON a_id = i_a_id WHERE i_id = ?"},
	sqlUserName:      {Type: "user_name", SQL: "SELECT c_uname FROM customer WHERE c_id = ?"},
	sqlLastOrder: {Type: "last_order", SQL: "SELECT o_id, o_bill_addr_id, o_ship_addr_id, c_fname, c_lname, c_phone, c_email, o_date, o_sub_total, " +
		"o_tax, o_total, o_ship_type, o_ship_date, o_status, cx_type, cx_auth_id FROM customer JOIN orders ON o_c_id = c_id " +
		"JOIN cc_xacts ON cx_o_id = o_id WHERE c_uname = ? AND c_passwd = ? ORDER BY o_date DESC, o_id DESC LIMIT 1"},
	sqlAddress: {Type: "address", SQL: "SELECT addr_street1, addr_street2, addr_city, addr_state, addr_zip, co_name " +
		"FROM address JOIN country ON co_id = addr_co_id WHERE addr_id = ?"},
	sqlOrderLines: {Type: "order_lines", SQL: "SELECT i_id, i_title, i_publisher, i_cost, ol_qty, ol_discount, ol_comments " +
		"FROM order_line JOIN item ON i_id = ol_i_id WHERE ol_o_id = ?"},
	sqlAdminItem: {Type: "admin_item", SQL: "SELECT i_srp, i_cost, i_title, i_image, i_thumbnail, a_fname, a_lname " +
		"FROM item JOIN author ON a_id = i_a_id WHERE i_id = ?"},
	sqlChangeItem: {Type: "change_item", Kind: Write, SQL: "UPDATE item SET i_image = ?, i_thumbnail = ?, i_cost = ?, i_pub_date = CURDATE() WHERE i_id = ?"},

	sqlCustomerDiscount: {Type: "customer_discount", SQL: "SELECT c_fname, c_lname, c_discount FROM customer WHERE c_id = ?"},
	sqlNewCart: {Type: "new_cart", Kind: Write, SQL: "INSERT INTO shopping_cart (sc_c_id, sc_date, sc_c_fname, sc_c_lname, sc_c_discount) " +
		"VALUES (?, NOW(), ?, ?, ?)"},
	sqlOneMore: {Type: "one_more", Kind: Write, SQL: "UPDATE shopping_cart_line SET scl_qty = scl_qty + 1 WHERE scl_sc_id = ? AND scl_i_id = ?"},
	sqlAddItem: {Type: "add_item", Kind: Write, SQL: "INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty, scl_cost, scl_srp, scl_title, scl_backing) " +
		"SELECT ?, i_id, 1, i_cost, i_srp, i_title, i_backing FROM item WHERE i_id = ?"},
	sqlAddRelated: {Type: "add_related", Kind: Write, SQL: "INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty, scl_cost, scl_srp, scl_title, scl_backing) " +
		"SELECT ?, r.i_id, 1, r.i_cost, r.i_srp, r.i_title, r.i_backing FROM item i JOIN item r ON r.i_id = i.i_related1 WHERE i.i_id = ?"},
	sqlSetQuantity: {Type: "set_quantity", Kind: Write, SQL: "UPDATE shopping_cart_line SET scl_qty = ? WHERE scl_sc_id = ? AND scl_i_id = ?"},
	sqlRemoveLine:  {Type: "remove_line", Kind: Write, SQL: "DELETE FROM shopping_cart_line WHERE scl_sc_id = ? AND scl_i_id = ?"},
	sqlCartSum: {Type: "cart_sum", Kind: Write, SQL: "UPDATE shopping_cart SET sc_date = NOW(), sc_sub_total = " +
		"(SELECT COALESCE(SUM(scl_cost * scl_qty), 0) FROM shopping_cart_line WHERE scl_sc_id = ?) WHERE sc_id = ?"},
	sqlCartLines: {Type: "cart_lines", SQL: "SELECT scl_i_id, scl_qty, scl_title, scl_cost, scl_srp, scl_backing FROM shopping_cart_line WHERE scl_sc_id = ?"},

	sqlCustomerData: {Type: "customer_data", SQL: "SELECT c_discount, c_id, c_passwd, c_fname, c_lname, addr_street1, addr_street2, addr_city, addr_state, " +
		"addr_zip, co_name, c_phone, c_email, c_data, c_birthdate FROM customer JOIN address ON addr_id = c_addr_id " +
		"JOIN country ON co_id = addr_co_id WHERE c_uname = ?"},
	sqlCountry: {Type: "country", SQL: "SELECT co_id FROM country WHERE co_name = ?"},
	sqlFindAddress: {Type: "find_address", SQL: "SELECT addr_id FROM address WHERE addr_street1 = ? AND addr_street2 = ? AND addr_city = ? " +
		"AND addr_state = ? AND addr_zip = ? AND addr_co_id = ?"},
	sqlNewAddress: {Type: "new_address", Kind: Write, SQL: "INSERT INTO address (addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id) " +
		"VALUES (?, ?, ?, ?, ?, ?)"},
	sqlNewCustomer: {Type: "new_customer", Kind: Write, SQL: "INSERT INTO customer (c_uname, c_passwd, c_fname, c_lname, c_addr_id, c_phone, c_email, " +
		"c_since, c_last_visit, c_login, c_expiration, c_discount, c_balance, c_ytd_pmt, c_birthdate, c_data) " +
		"VALUES ('', '', ?, ?, ?, ?, ?, CURDATE(), CURDATE(), NOW(), NOW() + INTERVAL 2 HOUR, 0, 0, 0, ?, ?)"},
	sqlNameCustomer: {Type: "name_customer", Kind: Write, SQL: "UPDATE customer SET c_uname = ?, c_passwd = ? WHERE c_id = ?"},
	sqlOwnCart:      {Type: "own_cart", Kind: Write, SQL: "UPDATE shopping_cart SET sc_c_id = ?, sc_c_fname = ?, sc_c_lname = ?, sc_c_discount = ? WHERE sc_id = ?"},
	sqlCartCosts:    {Type: "cart_costs", Kind: Write, SQL: "UPDATE shopping_cart_line JOIN item ON i_id = scl_i_id SET scl_cost = i_cost WHERE scl_sc_id = ?"},
	// Tax is 8.25 %; shipping costs 3 and 1 for each piece.
	sqlCartTotals: {Type: "cart_totals", Kind: Write, SQL: "UPDATE shopping_cart, (SELECT g.goods, ROUND(g.goods * 0.0825, 2) AS tax, g.shipping FROM " +
		"(SELECT ROUND(COALESCE(SUM(scl_cost * scl_qty), 0) * (1 - CAST(? AS DECIMAL(5,2))), 2) AS goods, 3 + COALESCE(SUM(scl_qty), 0) AS shipping " +
		"FROM shopping_cart_line WHERE scl_sc_id = ?) AS g) AS s SET sc_date = NOW(), sc_sub_total = s.goods, sc_tax = s.tax, " +
		"sc_ship_cost = s.shipping, sc_total = s.goods + s.tax + s.shipping WHERE sc_id = ?"},

	sqlCartCost: {Type: "cart_cost", SQL: "SELECT sc_sub_total, sc_tax, sc_total, sc_ship_cost FROM shopping_cart WHERE sc_id = ?"},
	sqlBuyer:    {Type: "buyer", SQL: "SELECT c_fname, c_lname, c_discount, c_addr_id, addr_co_id FROM customer JOIN address ON addr_id = c_addr_id WHERE c_id = ?"},
	sqlNewOrder: {Type: "new_order", Kind: Write, SQL: "INSERT INTO orders (o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id, " +
		"o_ship_addr_id, o_status) VALUES (?, NOW(), ?, ?, ?, ?, NOW() + INTERVAL ? DAY, ?, ?, 'PENDING')"},
	sqlNewLine: {Type: "new_line", Kind: Write, SQL: "INSERT INTO order_line (ol_o_id, ol_id, ol_i_id, ol_qty, ol_discount, ol_comments) VALUES (?, ?, ?, ?, ?, ?)"},
	// Below 10 pieces, 21 come in.
	sqlTakeStock: {Type: "take_stock", Kind: Write, SQL: "UPDATE item SET i_stock = IF(i_stock - 10 > ?, i_stock - ?, i_stock - ? + 21) WHERE i_id = ?"},
	sqlPayment: {Type: "payment", Kind: Write, SQL: "INSERT INTO cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expiry, cx_auth_id, cx_xact_amt, cx_xact_date, cx_co_id) " +
		"VALUES (?, ?, ?, ?, CURDATE() + INTERVAL ? DAY, ?, ?, NOW(), ?)"},
}
