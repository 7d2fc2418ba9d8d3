package tools_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// The program of a stack is in one of several languages, each of which has a language host.
func ExampleRuntime() {
	runtime, err := tools.Runtime("typescript")
	fmt.Println(runtime, tools.LanguageHost(runtime), err)
	_, err = tools.Runtime("cobol")
	fmt.Println(err)
	// Output:
	// nodejs pulumi-language-nodejs <nil>
	// PROGRAM: Unsupported value: "cobol": the stacks have programs in go, python, typescript, yaml
}
