package preflight_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
)

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	ruletest.Listed(t, ".", preflight.Rules())
}

// Each rule has a test with its findings, a neighbor that is fine, and unknown values.
func TestEachRuleHasATest(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	for _, r := range preflight.Rules() {
		if !strings.Contains(tests.String(), r.ID) {
			t.Errorf("no test in this directory names %s: write one with its findings, a neighbor that is fine, and "+
				"unknown values", r.ID)
		}
	}
}
