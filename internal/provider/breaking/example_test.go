package breaking_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/provider/breaking"
)

// A release must not take away what programs use.
func ExampleChanges() {
	before := `{"name": "mixedkube", "resources": {"mixedkube:aks:Cluster": {
		"inputProperties": {"name": {"type": "string"}, "tags": {"type": "string"}}}}}`
	after := `{"name": "mixedkube", "resources": {"mixedkube:aks:Cluster": {
		"inputProperties": {"name": {"type": "string"}, "zone": {"type": "string"}}}}}`
	changes, err := breaking.Changes([]byte(before), []byte(after))
	for _, change := range changes {
		fmt.Println(change)
	}
	fmt.Println(err)
	// Output:
	// resource mixedkube:aks:Cluster: input tags is removed
	// <nil>
}
