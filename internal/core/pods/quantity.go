package pods

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Quantity returns a quantity as text; false if it is not known, or has another type.
func Quantity(v any) (string, bool) {
	switch value := tree.Reveal(v).(type) {
	case string:
		return value, true
	case int64:
		return resource.NewQuantity(value, resource.DecimalSI).String(), true
	}
	return "", false
}
