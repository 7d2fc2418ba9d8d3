package cli

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// inJSON is a finding in JSON.
var inJSON = regexp.MustCompile(`"(\w+: \S+:) .* (\(MK\d+\))"`)

func TestGoldenFilesOfExplain(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"rule":         {"MK118"},
		"several":      {"mk708", "MK640"},
		"versions":     {"MK104"},
		"cluster":      {"MK301"},
		"json":         {"--format", "json", "MK118", "MK703"},
		"near":         {"MK181", "MKX18", "118"},
		"unknown":      {"privileged", "MK118", "MK999"},
		"nothing":      {},
		"format":       {"--format", "yaml"},
		"help":         {"-h"},
		"control":      {"MK1\x1b[2J"},
		"with-a-lock":  {"MK206"},
		"long-example": {"MK142"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := ruletest.WithoutSentences(transcript(t, "", append([]string{"explain"}, args...)...))
			golden.Equal(t, "testdata/explain/"+name+".golden", inJSON.ReplaceAllString(text, `"$1 … $2"`))
		})
	}
}

// Each rule is explained, and each rule that a file can break has an example with its fix.
func TestEachRuleIsExplained(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, r := range Rules() {
		ids = append(ids, r.ID)
	}
	code, stdout, stderr := start(t, "", append([]string{"explain", "--format", "json"}, ids...)...)
	var all []explanation
	if err := json.Unmarshal([]byte(stdout), &all); err != nil || code != passed || len(all) != len(ids) {
		t.Fatalf("exit %d, %v, %d of %d: %s", code, err, len(all), len(ids), stderr)
	}
	manifests := map[string]bool{}
	for _, r := range preflight.Rules() {
		manifests[r.ID] = true
	}
	var none []string
	for _, e := range all {
		if e.Title == "" || e.Why == "" || e.Severity == "" {
			t.Errorf("%s: %+v", e.ID, e)
		}
		if e.Example == nil {
			none = append(none, e.ID)
			continue
		}
		if !strings.Contains(strings.Join(e.Example.Findings, ""), "("+e.ID+")") {
			t.Errorf("%s: %q", e.ID, e.Example.Findings)
		}
		hasObjects := e.Example.Wrong != "" && e.Example.Right != ""
		hasFix := e.Fix != "" || e.Severity == preflight.Info
		if manifests[e.ID] && (!hasObjects || !hasFix) {
			t.Errorf("%s: %+v", e.ID, e)
		}
	}
	// They are about resources that exist in Azure, or about the age of facts, and have tests of their own.
	want := []string{
		"MK769", "MK777", "MK778", "MK779", "MK780", "MK795", "MK796", "MK797", "MK798", "MK812", "MK813",
		"MK814", "MK815", "MK850", "MK851", "MK888", "MK894",
	}
	if diff := cmp.Diff(want, none); diff != "" {
		t.Errorf("rules without an example (-want +got):\n%s", diff)
	}
}

func TestWrapped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                "",
		"aaa bb c":        "aaa bb\nc",
		"aaaa bbbb":       "aaaa\nbbbb",
		"längerals6 b":    "längerals6\nb",
		"ääää ö":          "ääää ö",
		"two\nlines here": "two\nlines here",
	} {
		if got := wrapped(text, 6); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
