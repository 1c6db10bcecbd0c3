package workload

import (
	"math/rand/v2"
)

// interaction is one of the 14 of DBT-1.
type interaction uint8

// In the kit's order, which its thresholds depend on.
const (
	adminConfirm interaction = iota
	adminRequest
	bestSellers
	buyConfirm
	buyRequest
	customerRegistration
	home
	newProducts
	orderDisplay
	orderInquiry
	productDetail
	searchRequest
	searchResults
	shoppingCart

	interactions = 14
)

var interactionNames = [interactions]string{
	"admin_confirm", "admin_request", "best_sellers", "buy_confirm", "buy_request", "customer_registration", "home",
	"new_products", "order_display", "order_inquiry", "product_detail", "search_request", "search_results", "shopping_cart",
}

func (i interaction) String() string { return interactionNames[i] }

// mix is the transition table: a number from 0 to 9999 is drawn, and the next
// interaction is the first whose threshold is not below it. -1 is never chosen.
type mix [interactions][interactions]int

// threshold is one entry of a mix.
type threshold struct {
	next interaction
	upTo int
}

// mixes are those of TPC-W 1.6 as the kit has them (dbdriver/eu.c).
var mixes = map[string]mix{
	"shopping": newMix([interactions][]threshold{
		adminConfirm:         {{home, 9952}, {searchRequest, 9999}},
		adminRequest:         {{adminConfirm, 8999}, {home, 9999}},
		bestSellers:          {{home, 167}, {productDetail, 472}, {searchRequest, 9927}, {shoppingCart, 9999}},
		buyConfirm:           {{home, 84}, {searchRequest, 9999}},
		buyRequest:           {{buyConfirm, 4614}, {home, 6545}, {shoppingCart, 9999}},
		customerRegistration: {{buyRequest, 8666}, {home, 8760}, {searchRequest, 9999}},
		home:                 {{bestSellers, 3124}, {newProducts, 6249}, {orderInquiry, 6718}, {searchRequest, 7026}, {shoppingCart, 9999}},
		newProducts:          {{home, 156}, {productDetail, 9735}, {searchRequest, 9784}, {shoppingCart, 9999}},
		orderDisplay:         {{home, 69}, {searchRequest, 9999}},
		orderInquiry:         {{home, 72}, {orderDisplay, 8872}, {searchRequest, 9999}},
		productDetail:        {{adminRequest, 58}, {home, 832}, {productDetail, 1288}, {searchRequest, 8603}, {shoppingCart, 9999}},
		searchRequest:        {{home, 635}, {searchResults, 9135}, {shoppingCart, 9999}},
		searchResults:        {{home, 2657}, {productDetail, 9294}, {searchRequest, 9304}, {shoppingCart, 9999}},
		shoppingCart:         {{customerRegistration, 2585}, {home, 9552}, {shoppingCart, 9999}},
	}),
	"browsing": newMix([interactions][]threshold{
		adminConfirm:         {{home, 9877}, {searchRequest, 9999}},
		adminRequest:         {{adminConfirm, 8999}, {home, 9999}},
		bestSellers:          {{home, 4607}, {productDetail, 5259}, {searchRequest, 9942}, {shoppingCart, 9999}},
		buyConfirm:           {{home, 342}, {searchRequest, 9999}},
		buyRequest:           {{buyConfirm, 9199}, {home, 9595}, {shoppingCart, 9999}},
		customerRegistration: {{buyRequest, 9145}, {home, 9619}, {searchRequest, 9999}},
		home:                 {{bestSellers, 3792}, {newProducts, 7585}, {orderInquiry, 7688}, {searchRequest, 9559}, {shoppingCart, 9999}},
		newProducts:          {{home, 299}, {productDetail, 9867}, {searchRequest, 9941}, {shoppingCart, 9999}},
		orderDisplay:         {{home, 69}, {searchRequest, 9999}},
		orderInquiry:         {{home, 523}, {orderDisplay, 8856}, {searchRequest, 9999}},
		productDetail:        {{adminRequest, 47}, {home, 8346}, {productDetail, 9749}, {searchRequest, 9890}, {shoppingCart, 9999}},
		searchRequest:        {{home, 788}, {searchResults, 9955}, {shoppingCart, 9999}},
		searchResults:        {{home, 3674}, {productDetail, 9868}, {searchRequest, 9942}, {shoppingCart, 9999}},
		shoppingCart:         {{customerRegistration, 4099}, {home, 8883}, {shoppingCart, 9999}},
	}),
	"ordering": newMix([interactions][]threshold{
		adminConfirm:         {{home, 8348}, {searchRequest, 9999}},
		adminRequest:         {{adminConfirm, 8999}, {home, 9999}},
		bestSellers:          {{home, 1}, {productDetail, 333}, {searchRequest, 9998}, {shoppingCart, 9999}},
		buyConfirm:           {{home, 2}, {searchRequest, 9999}},
		buyRequest:           {{buyConfirm, 7999}, {home, 9452}, {shoppingCart, 9999}},
		customerRegistration: {{buyRequest, 9899}, {home, 9901}, {searchRequest, 9999}},
		home:                 {{bestSellers, 499}, {newProducts, 999}, {orderInquiry, 1269}, {searchRequest, 1295}, {shoppingCart, 9999}},
		newProducts:          {{home, 504}, {productDetail, 9942}, {searchRequest, 9976}, {shoppingCart, 9999}},
		orderDisplay:         {{home, 9939}, {searchRequest, 9999}},
		orderInquiry:         {{home, 1168}, {orderDisplay, 9968}, {searchRequest, 9999}},
		productDetail:        {{adminRequest, 99}, {home, 3750}, {productDetail, 5621}, {searchRequest, 8341}, {shoppingCart, 9999}},
		searchRequest:        {{home, 815}, {searchResults, 9815}, {shoppingCart, 9999}},
		searchResults:        {{home, 486}, {productDetail, 7817}, {searchRequest, 9998}, {shoppingCart, 9999}},
		shoppingCart:         {{customerRegistration, 9499}, {home, 9918}, {shoppingCart, 9999}},
	}),
}

func newMix(rows [interactions][]threshold) mix {
	var m mix
	for from := range rows {
		for next := range m[from] {
			m[from][next] = -1
		}
		for _, t := range rows[from] {
			m[from][t.next] = t.upTo
		}
	}
	return m
}

// next draws the next interaction.
func (m *mix) next(r *rand.Rand, last interaction) interaction {
	n := r.IntN(10000)
	for next, upTo := range m[last] {
		if n <= upTo {
			return interaction(next)
		}
	}
	return home // not reached: the last threshold is 9999
}

// stationary are the shares of the interactions in the long run.
func (m *mix) stationary() [interactions]float64 {
	var share [interactions]float64
	share[home] = 1
	for range 2000 {
		var after [interactions]float64
		for from := range share {
			below := -1
			for next, upTo := range m[from] {
				if upTo < 0 {
					continue
				}
				after[next] += share[from] * float64(upTo-below) / 10000
				below = upTo
			}
		}
		share = after
	}
	return share
}

// drawByShare draws one interaction.
func drawByShare(r *rand.Rand, share [interactions]float64) interaction {
	p := r.Float64()
	for i, s := range share {
		if p -= s; p < 0 {
			return interaction(i)
		}
	}
	return home
}
