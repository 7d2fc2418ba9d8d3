package processes_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

// The processes of a lab have its mark in their environment. A lab that has ended has no processes.
func Example() {
	fmt.Println(processes.Mark("example"))
	running, err := processes.Of("example")
	fmt.Println(len(running), err)
	// Output:
	// MIXEDKUBE_LAB=example
	// 0 <nil>
}
