package ruletest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule/ruletest"
)

func TestDeclared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, source := range map[string]string{
		"check.go": `package p
var alone = rule.Rule{Severity: rule.Error, ID: "MK1"}
var (
	inGroup = rule.Rule{ID: "MK3"}
	made    = linuxOnly("MK2", "hostPID")
	other   = text("MK9")
	finding = rule.Finding{Rule: "MK9"}
	unnamed = rule.Rule{Title: "t"}
	checked = engine.Rule{Rule: rule.Rule{ID: "MK4"}, Checks: nil}
	both    = engine.Rule{Rule: linuxOnly("MK5", "hostIPC")}
)
func linuxOnly(id, name string) rule.Rule { return rule.Rule{ID: id, Title: name} }
func text(id string) string { return id }
func check() { r := rule.Rule{ID: "MK9"} }`,
		"below/check.go": "package below\nvar below = engine.Rule{Rule: rule.Rule{ID: \"MK6\"}}",
		"check_test.go":  "package p\nvar ofTest = rule.Rule{ID: \"MK9\"}",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"MK6", "MK1", "MK3", "MK2", "a rule without an ID", "MK4", "MK5"}
	if diff := cmp.Diff(want, ruletest.Declared(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
