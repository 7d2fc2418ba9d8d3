// Command mistakes has twelve mistakes about Windows; with the configuration
// right=true it has none.
package main

import (
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/testdata/mistakes/program"
)

func main() { guard.Run(program.Program) }
