package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/mocktest"
	changes "github.com/mixedkube/mixedkube/components/mocktest/testdata/changes/program"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestVerdictsOfTheEngine makes many changes of objects, and records the engine's operation for each of them with
// pulumi-kubernetes and a cluster. TestVerdictsMatchTheEngine of mocktest checks that mocktest returns the same.
func TestVerdictsOfTheEngine(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	stack := l.project(t, "components/mocktest/testdata/changes", "dev", "")
	run := func(do func(context.Context, ...string) error, after string) (events string, err error) {
		events, args := labtest.EventLog(t)
		l.Out.Take()
		return events, do(t.Context(), append(args, "--config", "changes:after="+after)...)
	}
	update := func(ctx context.Context, args ...string) error {
		return stack.Up(ctx, append(args, "--skip-preview")...)
	}
	_, err := run(update, "")
	check(t, err)
	events, err := run(stack.Preview, changes.Previewed)
	check(t, err)
	previewed := engineOutcomes(t, events)
	var text strings.Builder
	for _, c := range changes.Changes() {
		if !c.Refused && !c.Tried {
			continue
		}
		events, err := run(stack.Preview, c.Name)
		if err == nil {
			t.Errorf("%s: Pulumi does not refuse it", c.Name)
		}
		fmt.Fprintf(&text, "%s: %s\n", c.Name, engineErrors(t, events))
	}
	events, err = run(update, changes.Updated)
	check(t, err)
	updated := engineOutcomes(t, events)
	for _, place := range slices.Sorted(maps.Keys(updated)) {
		fmt.Fprintf(&text, "%s: %s\n", place, updated[place])
		if p := previewed[place]; p.String() != updated[place].String() && !tried(place) {
			t.Errorf("%s: %s in a preview, %s in an update", place, p, updated[place])
		}
	}
	golden.Equal(t, "testdata/changes.golden", text.String())
	_, err = run(update, changes.Unprotected)
	check(t, err)
	check(t, stack.Destroy(t.Context(), "--skip-preview", "--config", "changes:after="+changes.Unprotected))
}

// tried reports whether a preview refuses the change of a resource.
func tried(place string) bool {
	return slices.ContainsFunc(changes.Changes(), func(c changes.Change) bool {
		return c.Tried && strings.Contains(place, "::"+c.Prefix())
	})
}

// previewEvent is an event of a preview.
type previewEvent struct {
	ResourcePreEvent *struct {
		Metadata struct {
			Op, URN string
			Old     *struct {
				URN            string
				RetainOnDelete bool
			}
			DetailedDiff map[string]struct{ DiffKind string }
		}
	}
	DiagnosticEvent *struct{ Severity, Message string }
}

// eachEvent calls a function for each event in a file.
func eachEvent(t *testing.T, file string, each func(previewEvent)) {
	t.Helper()
	f, err := os.Open(file)
	check(t, err)
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e previewEvent
		check(t, json.Unmarshal(lines.Bytes(), &e))
		each(e)
	}
	check(t, lines.Err())
}

// engineOutcomes returns the outcome of each resource by its place, except for the engine's own resources.
func engineOutcomes(t *testing.T, events string) map[string]*changes.Outcome {
	t.Helper()
	all, created := map[string]*changes.Outcome{}, map[string]bool{}
	eachEvent(t, events, func(e previewEvent) {
		if e.ResourcePreEvent == nil {
			return
		}
		m := e.ResourcePreEvent.Metadata
		place := changes.Place(m.URN)
		if strings.HasPrefix(place, "pulumi:pulumi:Stack::") || strings.HasSuffix(place, "::default") {
			return
		}
		o := all[place]
		if o == nil {
			o = &changes.Outcome{Op: mocktest.Op(m.Op)}
			all[place] = o
		}
		switch m.Op {
		case "create-replacement":
			created[place] = true
		case "delete-replaced":
			o.DeletedFirst = !created[place]
		}
		if strings.Contains(m.Op, "replace") {
			o.Op = mocktest.OpReplace
		}
		if m.Old != nil {
			if was := changes.Place(m.Old.URN); was != place {
				o.Was = was
			}
			o.Retained = m.Old.RetainOnDelete && o.Op != mocktest.OpSame && o.Op != mocktest.OpUpdate
		}
		if m.Op != "update" && m.Op != "replace" {
			return
		}
		for path, d := range m.DetailedDiff {
			if strings.HasSuffix(d.DiffKind, "-replace") {
				o.For = append(o.For, path)
			} else {
				o.Also = append(o.Also, path)
			}
		}
	})
	// If a resource with an alias is replaced, the deletion has the earlier name.
	for _, o := range maps.Clone(all) {
		delete(all, o.Was)
	}
	return all
}

// engineErrors returns the errors of a preview.
func engineErrors(t *testing.T, events string) string {
	t.Helper()
	var all []string
	eachEvent(t, events, func(e previewEvent) {
		if e.DiagnosticEvent == nil || e.DiagnosticEvent.Severity != "error" {
			return
		}
		text := strings.Join(strings.Fields(e.DiagnosticEvent.Message), " ")
		if text = strings.TrimPrefix(colors.ReplaceAllString(text, ""), "Preview failed: "); text != "preview failed" {
			all = append(all, text)
		}
	})
	return strings.Join(all, "; ")
}

// colors matches Pulumi's color codes in the messages of events.
var colors = regexp.MustCompile(`<\{%[^%]*%\}>`)
