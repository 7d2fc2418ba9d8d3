package fielderrors_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Join reports all errors at once, in the order in which people read paths.
func Example() {
	pools := field.NewPath("pools")
	modes := []string{"System", "User"}
	err := fielderrors.Join(`Cluster "shop"`, field.ErrorList{
		field.Invalid(pools.Index(10).Child("count"), 0, "must be at least 1"),
		field.Invalid(pools.Index(2).Child("mode"), "Users", fielderrors.Unknown("mode", "Users", modes)),
	})
	fmt.Println(err)
	fmt.Println(fielderrors.Count(2, "error"))
	// Output:
	// Cluster "shop":
	//   pools[2].mode: Invalid value: "Users": unknown mode: did you mean "User"? (use System or User)
	//   pools[10].count: Invalid value: 0: must be at least 1
	// 2 errors
}
