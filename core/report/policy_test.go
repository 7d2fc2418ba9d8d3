package report_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/value"
)

var (
	needed = rule.Rule{ID: "MK1", Severity: rule.Error, Mandatory: true}
	wrong  = rule.Rule{ID: "MK2", Severity: rule.Error}
	unwise = rule.Rule{ID: "MK3", Severity: rule.Warning}
	rules  = rule.NewSet(needed, wrong, unwise)
)

func found(r rule.Rule, path string) rule.Finding {
	return rule.Finding{Rule: r.ID, Severity: r.Severity, Path: path, Detail: "wrong"}
}

// object returns an object of a kind; metadata are alternating keys and values.
func object(kind string, metadata map[string]any) map[string]any {
	return map[string]any{"kind": kind, "metadata": metadata}
}

func TestIgnoresMatchObjects(t *testing.T) {
	t.Parallel()
	inProgram := report.ObjectOf(object("Job", map[string]any{"name": "migrate-7f3a", "namespace": "shop"}))
	inProgram.Resource = "urn:pulumi:dev::web::my:index:App$kubernetes:batch/v1:Job::migrate"
	inChart := report.ObjectOf(object("Job", map[string]any{"name": "hook"}))
	inChart.Resource = "urn:pulumi:dev::web::kubernetes:helm.sh/v4:Chart$kubernetes:batch/v1:Job::chart:default/hook"
	inFile := report.ObjectOf(object("Pod", map[string]any{"generateName": "once-", "namespace": "default"}))
	resources := func(of ...string) report.Ignore { return report.Ignore{Resources: of} }
	for name, tt := range map[string]struct {
		ignore report.Ignore
		object report.Object
		rule   rule.Rule
		want   bool
	}{
		"a rule":                      {report.Ignore{Rules: []string{"MK3", "MK2"}}, inProgram, wrong, true},
		"another rule":                {report.Ignore{Rules: []string{"MK3"}}, inProgram, wrong, false},
		"a mandatory rule":            {report.Ignore{Namespaces: []string{"**"}}, inProgram, needed, false},
		"a namespace":                 {report.Ignore{Namespaces: []string{"legacy", "sh*"}}, inProgram, wrong, true},
		"another namespace":           {report.Ignore{Namespaces: []string{"sho"}}, inProgram, wrong, false},
		"the default namespace":       {report.Ignore{Namespaces: []string{"default"}}, inChart, wrong, true},
		"the same, said":              {report.Ignore{Namespaces: []string{"default"}}, inFile, wrong, true},
		"a URN":                       {resources(inProgram.Resource), inProgram, wrong, true},
		"a pattern of URNs":           {resources("urn:pulumi:*::*::**::migrate"), inProgram, wrong, true},
		"a star stops at a colon":     {resources("urn:*::migrate"), inProgram, wrong, false},
		"type and name":               {resources("kubernetes:batch/v1:Job::mig*"), inProgram, wrong, true},
		"all types and name":          {resources("my:index:App$**::migrate"), inProgram, wrong, true},
		"another type":                {resources("kubernetes:core/v1:Pod::*"), inProgram, wrong, false},
		"the name of the resource":    {resources("migrate"), inProgram, wrong, true},
		"a part of the name":          {resources("migrat"), inProgram, wrong, false},
		"the name in Kubernetes":      {resources("migrate-7f3a"), inProgram, wrong, true},
		"kind and name":               {resources("Job/migrate-*"), inProgram, wrong, true},
		"what a chart has":            {resources("chart:default/*"), inChart, wrong, true},
		"an object of a file":         {resources("Pod/once-"), inFile, wrong, true},
		"no pattern is an expression": {resources("m.grate", "mig.*", "("), inProgram, wrong, false},
		"all parts have to match": {
			report.Ignore{Rules: []string{"MK2"}, Namespaces: []string{"shop"}, Resources: []string{"other"}},
			inProgram, wrong, false,
		},
		"a cluster's object is in no namespace": {
			report.Ignore{Namespaces: []string{"default", "**"}},
			report.ObjectOf(object("RuntimeClass", map[string]any{"name": "fast"})), wrong, false,
		},
		"an unknown namespace matches no pattern": {
			report.Ignore{Namespaces: []string{"default", "**"}},
			report.ObjectOf(object("Pod", map[string]any{"namespace": value.Unknown{}})), wrong, false,
		},
		"a secret namespace matches no pattern": {
			report.Ignore{Namespaces: []string{"s3cret", "**"}},
			report.ObjectOf(object("Pod", map[string]any{"namespace": value.Secret{Value: "s3cret"}})), wrong, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := report.NewPolicy(rules, []report.Ignore{tt.ignore}, nil)
			f := p.Judge(tt.object, found(tt.rule, "spec"))
			if f.Suppressed != tt.want || (f.SuppressedBy == report.ByIgnore) != tt.want ||
				(p.Ignored()[0] == 1) != tt.want {
				t.Errorf("suppressed %t by %q, %d counted; want %t",
					f.Suppressed, f.SuppressedBy, p.Ignored()[0], tt.want)
			}
		})
	}
}

func TestOrderOfSuppressions(t *testing.T) {
	t.Parallel()
	o := report.ObjectOf(object("Pod", map[string]any{"name": "web"}))
	known := &report.Baseline{Path: "known.yaml", Known: []report.Known{
		{Resource: "Pod/web", Rule: "MK2", Severity: rule.Error, Path: "a"},
		{Resource: "Pod/web", Rule: "MK3", Severity: rule.Warning, Path: "b"},
	}}
	p := report.NewPolicy(rules, []report.Ignore{{Rules: []string{"MK3"}, Reason: "why"}}, known)
	suppressed := found(wrong, "a")
	suppressed.Suppressed = true
	var got []string
	for _, f := range []rule.Finding{
		suppressed, found(unwise, "b"), found(wrong, "a"), found(wrong, "c"), found(unwise, "c"),
	} {
		judged := p.Judge(o, f)
		got = append(got, strings.TrimSpace(string(judged.SuppressedBy)+" "+judged.Reason))
	}
	want := []string{
		"object annotation mixedkube.dev/ignore", "ignore why", "baseline known in known.yaml", "", "ignore why",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// An ignored finding does not need to be known.
	if diff := cmp.Diff(known.Known[1:], p.Fixed(known)); diff != "" {
		t.Errorf("fixed (-want +got):\n%s", diff)
	}
}

// Each finding is known after it was written, whatever the names of its object and field.
func FuzzBaselineRoundTrip(f *testing.F) {
	f.Add("kubernetes:core/v1:Pod::web", "spec.containers[0]")
	f.Add("- # '\"", "a: b #c")
	f.Add("no", "\n\t\x1b")
	f.Fuzz(func(t *testing.T, resource, path string) {
		if resource == "" || !utf8.ValidString(resource) || !utf8.ValidString(path) {
			return // it has no name
		}
		b := &report.Baseline{Path: "known.yaml", Known: []report.Known{
			{Resource: resource, Rule: "MK2", Severity: rule.Error, Path: path},
		}}
		text, err := b.Encode(rules)
		if err != nil {
			t.Fatal(err)
		}
		read, err := report.DecodeBaseline(bytes.NewReader(text), "known.yaml")
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if diff := cmp.Diff(b, read); diff != "" {
			t.Errorf("(-encoded +decoded):\n%s", diff)
		}
	})
}

func TestABaselineIsSortedAndHasEachFindingOnce(t *testing.T) {
	t.Parallel()
	o := report.ObjectOf(object("Pod", map[string]any{"name": "web"}))
	finding := func(r rule.Rule, path string) report.Finding {
		return report.Finding{Finding: found(r, path), Object: o}
	}
	info, ignored := finding(wrong, "info"), finding(wrong, "ignored")
	info.Severity = rule.Info
	ignored.Suppressed, ignored.SuppressedBy = true, report.ByIgnore
	asWarning := finding(wrong, "a[2]")
	asWarning.Severity = rule.Warning
	b := report.BaselineOf("", []report.Finding{
		finding(unwise, "b"), asWarning, finding(wrong, "a[10]"), finding(wrong, "a[2]"), info, ignored,
		finding(wrong, "a[10]"),
	})
	want := []report.Known{
		{Resource: "Pod/web", Rule: "MK2", Severity: rule.Error, Path: "a[2]"},
		{Resource: "Pod/web", Rule: "MK2", Severity: rule.Error, Path: "a[10]"},
		{Resource: "Pod/web", Rule: "MK3", Severity: rule.Warning, Path: "b"},
	}
	if diff := cmp.Diff(want, b.Known); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
