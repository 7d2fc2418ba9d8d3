// Command arguments has wrong arguments in five components.
package main

import (
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/testdata/arguments/program"
)

func main() { guard.Run(program.Program) }
