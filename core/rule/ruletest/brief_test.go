package ruletest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
)

func TestBrief(t *testing.T) {
	t.Parallel()
	f := rule.Finding{
		Rule: "MK9001", Severity: rule.Warning, Path: "spec.color", Value: "red", Detail: "is loud", Fix: "write gray",
	}
	if got, want := ruletest.Brief(f), "spec.color (MK9001)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.Rule = ""
	if got, want := ruletest.Brief(f), `spec.color: "red": is loud: write gray`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWithoutSentences(t *testing.T) {
	t.Parallel()
	got := ruletest.WithoutSentences(`$ mixedkube check (MK1)
a.yaml:3: Pod/p: error: spec.color: "red: loud": is loud: write gray (MK9001)
a.yaml:4: Pod/error: x: warning (suppressed): spec[a:b]: is loud (it is) (MK9002) [and 2 more in this file]
a.yaml:5: Pod/p: info: spec.color is not followed by an ID
  pods:v1:Pod (web):
    spec.color: is loud: write gray (MK9001)
checked: 2 objects in 1 file, 1 error
error: spec.color: "red: loud": is loud: write gray (MK9001)
info: ignored: spec.color: is loud: write gray (MK9001)
waiting for RPCs: x:y:Pod "web": spec.color: [secret]: is loud: write gray (MK9001)
    error: x:y:Pod "web": spec.color: is loud: write gray (MK9001)
    error: spec.color: is loud: write gray (MK9001)
  yaml:11: Pod/web: spec.color: is loud: write gray (MK9001)
    web:shop/a: Pod/shop/a: spec.color: is loud: write gray (MK9001)
    warning: web:shop/a: Pod/shop/a: spec.color: is loud: write gray (MK9001)
x:y:Pod "web": spec.color: is not followed by an ID
`)
	want := `$ mixedkube check (MK1)
a.yaml:3: Pod/p: error: spec.color: … (MK9001)
a.yaml:4: Pod/error: x: warning (suppressed): spec[a:b]: … (MK9002) [and 2 more in this file]
a.yaml:5: Pod/p: info: spec.color is not followed by an ID
  pods:v1:Pod (web):
    spec.color: … (MK9001)
checked: 2 objects in 1 file, 1 error
error: spec.color: … (MK9001)
info: ignored: spec.color: … (MK9001)
waiting for RPCs: x:y:Pod "web": spec.color: … (MK9001)
    error: x:y:Pod "web": spec.color: … (MK9001)
    error: spec.color: … (MK9001)
  yaml:11: Pod/web: spec.color: … (MK9001)
    web:shop/a: Pod/shop/a: spec.color: … (MK9001)
    warning: web:shop/a: Pod/shop/a: spec.color: … (MK9001)
x:y:Pod "web": spec.color: is not followed by an ID
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the text (-want +got):\n%s", diff)
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	loud := rule.Finding{Rule: "MK9002", Severity: rule.Error, Path: "spec.color", Value: "red", Detail: "is loud"}
	again, other, first := loud, loud, loud
	again.Path, again.Value = "spec.border", "blue"
	other.Detail = "is very loud"
	first.Rule, first.Severity = "MK9001", rule.Warning
	found := []rule.Finding{loud, again, other, first}
	got := ruletest.Sentences(found)
	want := "# The sentences of the rules. Written by `make generate`.\n" +
		"warning: spec.color: \"red\": is loud (MK9001)\nerror: spec.color: \"red\": is loud (MK9002)\n" +
		"error: spec.color: \"red\": is very loud (MK9002)\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the sentences (-want +got):\n%s", diff)
	}
}
