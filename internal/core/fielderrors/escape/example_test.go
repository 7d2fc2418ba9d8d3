package escape_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// A name of a stranger is shown in a log, is text in a message, and stays the same in data.
func Example() {
	const name = "##vso[task.complete](https://example.com)"
	fmt.Println(escape.Line("Pod/" + name))
	fmt.Println(escape.SARIF("Pod/" + name))
	fmt.Println(escape.JSON(`{"name": "` + name + `"}`))
	// Output:
	// Pod/#\x23vso[task.complete](https://example.com)
	// Pod/##vso[task.complete]\(https://example.com)
	// {"name": "#\u0023vso[task.complete](https://example.com)"}
}
