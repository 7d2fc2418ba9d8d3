package preflight

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// example are the objects of the example of a rule, wrong or right ones, and the options for them.
type example struct {
	rule    string
	wrong   bool
	objects []*pods.Object
	twice   [][]manifests.Duplicate
	options Options
}

func readExamples(t *testing.T) []example {
	t.Helper()
	var all []example
	for _, r := range described {
		text := func(name string) string {
			content, err := os.ReadFile(filepath.Join(
				"..", "..", "internal", "core", "preflight", "examples", r.ID, name,
			))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			return string(content)
		}
		e := example{rule: r.ID, options: Options{KubernetesVersion: "1.36"}}
		for name, to := range map[string]*topology.Topology{
			"topology.yaml": &e.options.Topology, "plan.yaml": &e.options.To,
		} {
			for _, doc := range documents(t, text(name)) {
				cluster, errs := topology.Decode(doc.Value, nil)
				if len(errs) > 0 {
					t.Fatal(r.ID, errs)
				}
				*to = cluster
			}
		}
		if lock := text("images.yaml"); lock != "" {
			var err error
			if e.options.Images, err = images.Decode(strings.NewReader(lock), r.ID); err != nil {
				t.Fatal(err)
			}
		}
		if e.options.Topology.KubernetesVersion != "" {
			e.options.KubernetesVersion = ""
		}
		for _, name := range []string{"bad.yaml", "good.yaml"} {
			e.objects, e.twice = nil, nil
			for _, doc := range documents(t, text(name)) {
				e.objects = append(e.objects, pods.ReadObject(tree.Map(doc.Value)))
				e.twice = append(e.twice, doc.Duplicates)
			}
			e.wrong = name == "bad.yaml"
			all = append(all, e)
		}
	}
	return all
}

func documents(t *testing.T, text string) []manifests.Document {
	t.Helper()
	docs, err := manifests.ReadObjects(strings.NewReader(text), "example")
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// findings returns those about the objects of an example, alone and together.
func (e *example) findings(rules *checks) []string {
	c := New(e.options)
	c.checks = rules
	var all []string
	add := func(what string, i int, findings []Finding) {
		for _, f := range findings {
			all = append(all, fmt.Sprintf("%s %d %s %s", what, i, f.Severity, f))
		}
	}
	across := c.AcrossObjects(e.objects)
	for i, o := range e.objects {
		add("alone", i, c.CheckObject(o))
		add("across", i, across[i])
		add("twice", i, c.DuplicateKeys(o.Tree, e.twice[i]))
	}
	add("classes", 0, c.CheckClasses(e.objects))
	slices.Sort(all)
	return all
}

// Each check needs only its subject: a rule without all others finds what it finds among them, and only rules that
// silence it make a difference.
func TestEachRuleRunsAlone(t *testing.T) {
	t.Parallel()
	silent := map[string]bool{}
	for _, r := range all {
		for _, id := range r.Silences {
			silent[id] = true
		}
	}
	for _, e := range readExamples(t) {
		i := slices.IndexFunc(all, func(r engine.Rule) bool { return r.ID == e.rule })
		alone := e.findings(checksOf(all[i : i+1]))
		among := slices.DeleteFunc(e.findings(allChecks), func(text string) bool {
			return !strings.HasSuffix(text, "("+e.rule+")")
		})
		if e.wrong && len(alone) == 0 {
			t.Errorf("%s finds nothing in its example", e.rule)
		}
		if silent[e.rule] { // the others only remove findings
			alone = slices.DeleteFunc(alone, func(text string) bool { return !slices.Contains(among, text) })
		}
		if diff := cmp.Diff(among, alone, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-among all +alone):\n%s", e.rule, diff)
		}
	}
}

// Each check finds something without all others, so each type of subject is asked about. Add an input to the example of
// the rule, or to furtherInputs.
func TestEachCheckRunsAlone(t *testing.T) {
	t.Parallel()
	examples := slices.DeleteFunc(readExamples(t), func(e example) bool { return !e.wrong })
	for _, r := range all {
		own := examples[slices.IndexFunc(examples, func(e example) bool { return e.rule == r.ID })]
		for i, c := range r.Checks {
			name := fmt.Sprintf("%s %d", r.ID, i+1)
			alone := checksOf([]engine.Rule{{Rule: r.Rule, Checks: []engine.Check{c}}})
			inExample := slices.ContainsFunc(examples, func(e example) bool { return len(e.findings(alone)) > 0 })
			further, has := furtherInputs[name]
			switch {
			case inExample == has:
				t.Errorf("%s finds something in an example: %t, and has a further input: %t", name, inExample, has)
			case has:
				input := further.example(t, own)
				if len(input.findings(alone)) == 0 {
					t.Errorf("%s finds nothing in its further input", name)
				}
			}
		}
	}
}

// The order of the rules makes no difference.
func TestOrderOfRules(t *testing.T) {
	t.Parallel()
	examples := readExamples(t)
	want := make([][]string, len(examples))
	for i := range examples {
		want[i] = examples[i].findings(allChecks)
	}
	shuffled, random := slices.Clone(all), rand.New(rand.NewPCG(58, 0))
	for range 50 {
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		rules := checksOf(shuffled)
		for i := range examples {
			if diff := cmp.Diff(want[i], examples[i].findings(rules)); diff != "" {
				t.Fatalf("%s in another order (-want +got):\n%s", examples[i].rule, diff)
			}
		}
	}
}

func TestEachRuleIsComplete(t *testing.T) {
	t.Parallel()
	for _, r := range all {
		switch {
		case r.ID == "" || r.Title == "" || r.Reason == "" || r.Source == "" || r.Page == "":
			t.Errorf("%s has no ID, title, reason, source or page", r.ID)
		case len(r.Checks) == 0:
			t.Errorf("%s has no check", r.ID)
		}
		for _, id := range r.Silences {
			if _, is := described.Find(id); !is || id == r.ID {
				t.Errorf("%s silences %s, which is not another rule", r.ID, id)
			}
		}
	}
}
