package tree

import (
	"errors"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// The limits of a quantity: more than any has that a node or a volume can have. Comparing quantities costs time and memory
// for each digit, and an exponent is a number of digits.
const (
	maxQuantityLength   = 100
	maxQuantityExponent = 100
)

var errQuantity = errors.New("must be a quantity, 500m or 2Gi for example")

// ParseQuantity is [resource.ParseQuantity] for a text that strangers have written. The error has a fixed text: the one of
// package resource is a regular expression.
func ParseQuantity(text string) (resource.Quantity, error) {
	if len(text) > maxQuantityLength {
		return resource.Quantity{}, errQuantity
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 && at+1 < len(text) {
		// Without a number, E is the suffix of exa.
		if exponent, err := strconv.Atoi(text[at+1:]); errors.Is(err, strconv.ErrRange) ||
			err == nil && (exponent > maxQuantityExponent || exponent < -maxQuantityExponent) {
			return resource.Quantity{}, errQuantity
		}
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return resource.Quantity{}, errQuantity
	}
	return q, nil
}
