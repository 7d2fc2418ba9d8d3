package workload_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The code of the guide is the code of the programs that the tests of the lab run.
func TestTheGuideToMovingShowsTheProgramsThatRun(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(content), "\r\n", "\n")
	}
	programs := read("testdata/moving/main.go") + read("../aks/testdata/moving/main.go")
	shown := 0
	block := regexp.MustCompile("(?s)```go\n(.*?)```")
	for _, code := range block.FindAllStringSubmatch(read("../../docs/moving.md"), -1) {
		if strings.HasPrefix(code[1], "pulumi.Transforms") {
			continue // the programs need not do this
		}
		shown++
		if !strings.Contains(programs, code[1]) {
			t.Errorf("no program has this code:\n%s", code[1])
		}
	}
	if shown < 6 {
		t.Errorf("the guide shows %d pieces of the programs, want 6 at least", shown)
	}
}
