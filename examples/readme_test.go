// Package examples_test holds the README to the examples that it shows.
package examples_test

import (
	"os"
	"strings"
	"testing"
)

func TestTheREADMEShowsTheExamplesAsTheyAre(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"iis/main.go", "iis/main_test.go"} {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readme), "```go\n"+string(code)+"```\n") {
			t.Errorf("README.md does not show %s as it is", file)
		}
	}
}
