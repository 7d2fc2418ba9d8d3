package value_test

import (
	"encoding/json"
	"fmt"

	"github.com/mixedkube/mixedkube/core/value"
)

// The markers replace values in an object that are not known yet, and values that no text may show.
func Example() {
	object := map[string]any{
		"image":    "shop.example.com/shop:1.4",
		"address":  value.Unknown{},
		"password": value.Secret{Value: "s3cret"},
	}
	fmt.Println(object)
	text, err := json.Marshal(object)
	fmt.Println(string(text), err)
	// Output:
	// map[address:[unknown] image:shop.example.com/shop:1.4 password:[secret]]
	// {"address":"[unknown]","image":"shop.example.com/shop:1.4","password":"[secret]"} <nil>
}
