package pods

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// Quantity is a quantity as it is written; false if it is not known, or of another type.
func Quantity(v any) (string, bool) {
	switch value := tree.Reveal(v).(type) {
	case string:
		return value, true
	case int64:
		return resource.NewQuantity(value, resource.DecimalSI).String(), true
	}
	return "", false
}
