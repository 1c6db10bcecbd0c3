package workload

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// syllables is DigSyl of TPC-W: two letters for each digit of n, padded with
// leading zeros to width digits.
func syllables(n int64, width int) string {
	const language = "BAOGALRIRESEATULINNG"
	digits := strconv.FormatInt(n, 10)
	b := make([]byte, 0, 2*max(width, len(digits)))
	for range width - len(digits) {
		b = append(b, language[:2]...)
	}
	for _, d := range []byte(digits) {
		b = append(b, language[2*(d-'0'):2*(d-'0')+2]...)
	}
	return string(b)
}

// password is that of the customer with that number: the user name in small letters.
func password(customer int64) string { return strings.ToLower(syllables(customer, 0)) }

// nonUniform is NURand of TPC-W 2.1.13: numbers with many bits set are more frequent.
func nonUniform(r *rand.Rand, bits, from, to int64) int64 {
	return (r.Int64N(bits+1)|(from+r.Int64N(to+1)))%(to-from+1) + from
}

// nonUniformBits is TPC-W's constant A for a number of customers.
func nonUniformBits(customers int64) int64 {
	bits := int64(1023)
	for limit := int64(10000); customers >= limit && bits < 67108863; limit *= 4 {
		bits = bits*4 + 3
	}
	return bits
}

// randomText is a text of from to to letters, digits, dots and dashes.
func randomText(r *rand.Rand, from, to int) string {
	// 64 characters: 6 random bits each.
	const characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"
	b := make([]byte, from+r.IntN(to-from+1))
	var bits uint64
	for i := range b {
		if i%10 == 0 {
			bits = r.Uint64()
		}
		b[i] = characters[bits&63]
		bits >>= 6
	}
	return string(b)
}

// digits is a text of from to to digits.
func digits(r *rand.Rand, from, to int) string {
	b := make([]byte, from+r.IntN(to-from+1))
	for i := range b {
		b[i] = '0' + byte(r.IntN(10))
	}
	return string(b)
}

// birthday is a day from 1900 to 2005.
func birthday(r *rand.Rand) string {
	return time.Date(1900, 1, 1+r.IntN(38000), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

var (
	subjects = []string{"ARTS", "BIOGRAPHIES", "BUSINESS", "CHILDREN", "COMPUTERS", "COOKING", "HEALTH", "HISTORY", "HOME", "HUMOR",
		"LITERATURE", "MYSTERY", "NON-FICTION", "PARENTING", "POLITICS", "REFERENCE", "RELIGION", "ROMANCE", "SELF-HELP",
		"SCIENCE-NATURE", "SCIENCE-FICTION", "SPORTS", "YOUTH", "TRAVEL"}
	backings  = []string{"HARDBACK", "PAPERBACK", "USED", "AUDIO", "LIMITED-EDITION"}
	shipTypes = []string{"AIR", "UPS", "FEDEX", "SHIP", "COURIER", "MAIL"}
	statuses  = []string{"PROCESSING", "SHIPPED", "PENDING", "DENIED"}
	cardTypes = []string{"VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS"}
)

type country struct{ name, exchange, currency string }

// countries are TPC-W's 92 with the exchange rates of its time.
var countries = []country{
	{"Algeria", "65.3851", "Dinars"},
	{"Argentina", "0.998", "Pesos"},
	{"Armenia", "540.92", "Dram"},
	{"Australia", "1.54208", "Dollars"},
	{"Austria", "13.0949", "Schillings"},
	{"Azerbaijan", "3977", "Manat"},
	{"Bahamas", "1", "Dollars"},
	{"Bahrain", "0.3757", "Dinar"},
	{"Bangla Desh", "48.65", "Taka"},
	{"Barbados", "2", "Dollars"},
	{"Belarus", "248000", "Rouble"},
	{"Belgium", "38.3892", "Francs"},
	{"Bermuda", "1", "Dollars"},
	{"Bolivia", "5.74", "Boliviano"},
	{"Botswana", "4.7304", "Pula"},
	{"Brazil", "1.71", "Real"},
	{"Bulgaria", "1846", "Lev"},
	{"Canada", "1.46712", "Dollars"},
	{"Cayman Islands", "0.8282", "Dollars"},
	{"Chad", "627.1999", "Franc"},
	{"Chile", "494.2", "Pesos"},
	{"China", "8.278", "Yuan Renmimbi"},
	{"Christmas Island", "1.5391", "Dollars"},
	{"Colombia", "1677", "Pesos"},
	{"Croatia", "7.3044", "Kuna"},
	{"Cuba", "23", "Pesos"},
	{"Cyprus", "0.543", "Pounds"},
	{"Czech Republic", "36.0127", "Koruna"},
	{"Denmark", "7.0707", "Kroner"},
	{"Dominican Republic", "15.8", "Pesos"},
	{"Eastern Caribbean", "2.7", "Dollars"},
	{"Ecuador", "9600", "Sucre"},
	{"Egypt", "3.33771", "Pounds"},
	{"El Salvador", "8.7", "Colon"},
	{"Estonia", "14.9912", "Kroon"},
	{"Ethiopia", "7.7", "Birr"},
	{"Falkland Island", "0.6255", "Pound"},
	{"Faroe Island", "7.124", "Krone"},
	{"Fiji", "1.9724", "Dollars"},
	{"Finland", "5.65822", "Markka"},
	{"France", "6.24238", "Francs"},
	{"Gabon", "627.1999", "Franc"},
	{"Germany", "1.86125", "Deutsche Marks"},
	{"Gibraltar", "0.6255", "Pound"},
	{"Greece", "309.214", "Drachmas"},
	{"Guam", "1", "Dollars"},
	{"Hong Kong", "7.75473", "Dollars"},
	{"Hungary", "237.23", "Forint"},
	{"Iceland", "74.147", "Krona"},
	{"India", "42.75", "Rupees"},
	{"Indonesia", "8100", "Rupiah"},
	{"Iran", "3000", "Rial"},
	{"Iraq", "0.3083", "Dinar"},
	{"Ireland", "0.749481", "Punt"},
	{"Israel", "4.12", "Shekels"},
	{"Italy", "1842.64", "Lira"},
	{"Jamaica", "37.4", "Dollars"},
	{"Japan", "121.907", "Yen"},
	{"Jordan", "0.708", "Dinar"},
	{"Kazakhstan", "150", "Tenge"},
	{"Kuwait", "0.3062", "Dinar"},
	{"Lebanon", "1502", "Pounds"},
	{"Luxembourg", "38.3892", "Francs"},
	{"Malaysia", "3.8", "Ringgit"},
	{"Mauritius", "25.245", "Rupees"},
	{"Mexico", "9.6287", "Pesos"},
	{"Netherlands", "2.09715", "Guilders"},
	{"New Zealand", "1.87539", "Dollars"},
	{"Norway", "7.83101", "Kroner"},
	{"Pakistan", "52", "Rupees"},
	{"Philippines", "37.8501", "Pesos"},
	{"Poland", "3.9525", "Zloty"},
	{"Portugal", "190.788", "Escudo"},
	{"Romania", "15180.2", "Leu"},
	{"Russia", "24.43", "Rubles"},
	{"Saudi Arabia", "3.7501", "Riyal"},
	{"Singapore", "1.72929", "Dollars"},
	{"Slovakia", "43.9642", "Koruna"},
	{"South Africa", "6.25845", "Rand"},
	{"South Korea", "1190.15", "Won"},
	{"Spain", "158.34", "Pesetas"},
	{"Sudan", "5.282", "Dinar"},
	{"Sweden", "8.54477", "Krona"},
	{"Switzerland", "1.51645", "Francs"},
	{"Taiwan", "32.77", "Dollars"},
	{"Thailand", "37.1414", "Baht"},
	{"Trinidad", "6.1764", "Dollars"},
	{"Turkey", "401500", "Lira"},
	{"United Kingdom", "0.625461", "Pounds"},
	{"United States", "1", "Dollars"},
	{"Venezuela", "596", "Bolivar"},
	{"Zambia", "2447.7", "Kwacha"},
}
