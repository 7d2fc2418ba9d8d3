package badinput_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/testkit/badinput"
)

// A test that looks for injected code compares what containers run before and after an argument changes.
func ExampleCommands() {
	pod := map[string]any{"spec": map[string]any{"containers": []any{
		map[string]any{"name": "web", "image": "shop.example.com/web", "command": []any{"web", "--port", "8080"}},
		map[string]any{"name": "log", "image": "shop.example.com/log"},
	}}}
	fmt.Println(badinput.Commands(pod))
	// Output:
	// [[["web","--port","8080"],null]]
}
