package examples_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/machines/kubeadm/examples"
)

func ExampleFinding() {
	found, has := examples.Finding("MK640")
	fmt.Println(found.Path, found.Severity, has)
	// Output: clusterName error true
}
