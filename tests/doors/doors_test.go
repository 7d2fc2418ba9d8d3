package doors

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
)

var (
	seed  = flag.Uint64("seed", 1, "seed of the random workloads and topologies")
	count = flag.Uint64("pods", 1500, "number of random workloads")
	first = flag.Uint64("first", 0, "index of the first random workload")
)

// counts are the numbers of workloads by outcome.
type counts map[string]int

func TestFourDoorsReportTheSameFindings(t *testing.T) {
	total := counts{}
	for _, b := range slices.Concat(public(t), examples(t), locked(t)) {
		b.check(t, total)
	}
	if total["workloads"] < 400 {
		t.Errorf("only %d public workloads and examples", total["workloads"])
	}
	t.Log("public workloads and examples: ", total)
	started := time.Now()
	for from := *first; from < *first+*count && !t.Failed(); from += batchSize {
		b := generated(t, *seed, from, min(from+batchSize, *first+*count))
		b.check(t, total)
		if (from-*first)%(20*batchSize) == 0 {
			t.Logf("%d of %d after %s", from-*first, *count, time.Since(started).Round(time.Second))
		}
	}
	t.Log("all: ", total)
	for _, what := range []string{
		"completed", "assumed to be for Linux", "unchanged", "without an answer", "refused contradictions",
		string(equal), string(forbids), string(otherClass),
		"with classes: " + string(equal), "with classes: " + string(forbids),
	} {
		if total[what] == 0 {
			t.Errorf("no workload has the outcome %q", what)
		}
	}
	if total["not typed"]*20 > total["workloads"] {
		t.Errorf("%d of %d workloads cannot be written as typed arguments", total["not typed"], total["workloads"])
	}
}

// check compares the doors.
func (b *batch) check(t *testing.T, total counts) {
	t.Helper()
	adopted, want := b.adopt(t, false)
	doors := b.components(t, byManifest, byTyped, workload.BySelector, adopted)
	doors[byGuard] = b.place(t)
	for n, i := range b.items {
		total["workloads"]++
		o := adopted.Objects[n]
		total[outcome(o)]++
		c := comparison{t, b, i}
		c.same(byManifest, want[i.name], doors[byManifest][i.name])
		c.same(byGuard, want[i.name], doors[byGuard][i.name])
		switch {
		case i.typed == nil:
			total["not typed"]++
			if total["not typed"] <= 20 {
				t.Logf("not typed: %s: %v", i.source, i.untyped)
			}
			continue
		case o.Platform == "":
			total["without a platform"]++
			continue
		}
		total[string(c.sameTyped(byTyped, o.Platform, want[i.name], doors[byTyped][i.name]))]++
	}
	if b.classes {
		b.checkClasses(t, total)
	}
	b.contradict(t, total)
}

// checkClasses compares the doors that can name RuntimeClasses.
func (b *batch) checkClasses(t *testing.T, total counts) {
	t.Helper()
	adopted, want := b.adopt(t, true)
	doors := b.components(t, byManifestClass, byTypedClass, workload.ByRuntimeClass, adopted)
	for n, i := range b.items {
		c := comparison{t, b, i}
		c.same(byManifestClass, want[i.name], doors[byManifestClass][i.name])
		if p := adopted.Objects[n].Platform; i.typed != nil && p != "" {
			total["with classes: "+string(c.sameTyped(byTypedClass, p, want[i.name], doors[byTypedClass][i.name]))]++
		}
	}
}

// outcome returns the outcome that adopt reports.
func outcome(o conversion.Object) string {
	switch o.Done {
	case conversion.Completed:
		return "completed"
	case conversion.Assumed:
		return "assumed to be for Linux"
	case conversion.Unknown:
		return "without an answer"
	default:
		return "unchanged" // including wrong ones
	}
}

// comparison compares the answers for one workload.
type comparison struct {
	*testing.T

	batch *batch
	item  *item
}

func (c comparison) differ(door, format string, args ...any) {
	c.Helper()
	of := fmt.Sprintf("%s, %s, for %v", c.batch.name, c.item.source, c.batch.topology.Platforms())
	c.Errorf("%s: %s:\n%s%s", door, of, c.item.text, fmt.Sprintf(format, args...))
}

func (c comparison) same(door string, want, got *answer) {
	c.Helper()
	switch {
	case got == nil || got.spec == nil:
		c.differ(door, "nothing is registered")
	case got.needsPlatform != want.needsPlatform:
		c.differ(door, "needs a platform: %t, adopt: %t", got.needsPlatform, want.needsPlatform)
	default:
		if diff := cmp.Diff(want.spec, got.spec); diff != "" {
			c.differ(door, "(-adopt +%s):\n%s", door, diff)
		}
	}
}

// result is the result of a comparison with typed arguments.
type result string

const (
	different result = "different"
	equal     result = "typed"
	// forbids: os.name makes the API server refuse another field.
	forbids result = "typed with a field that os.name forbids"
	// otherClass: the RuntimeClass has the name of another platform.
	otherClass result = "refused with the class of another platform"
)

// sameTyped compares typed arguments with adopt. If they are refused, it compares them with adopt's answer for the same
// platform.
func (c comparison) sameTyped(door string, p platform.Platform, want, got *answer) result {
	c.Helper()
	if got == nil || got.spec == nil {
		return c.sameRefusal(door, p, got.why())
	}
	spec, _ := got.spec["os"].(map[string]any)
	before, _ := specOf(c.item.pods.Tree)["os"].(map[string]any)
	if before["name"] != nil || spec["name"] == nil || !got.forbids {
		if diff := cmp.Diff(want.spec, got.spec); diff != "" {
			c.differ(door, "(-adopt +%s):\n%s", door, diff)
		}
		return equal
	}
	without := maps.Clone(got.spec)
	delete(without, "os")
	if before != nil {
		without["os"] = before
	}
	if diff := cmp.Diff(want.spec, without); diff != "" || spec["name"] != string(p.OS()) {
		c.differ(door, "os.name is %v, and without it (-adopt +%s):\n%s", spec["name"], door, diff)
	}
	return forbids
}

// sameRefusal checks a refusal of pods whose RuntimeClass has the name of a platform for which the cluster has no
// pools. A program that sets a platform means the platforms' classes: adopt must refuse the same platform as an answer.
// If it is the platform of the class, no pool runs it.
func (c comparison) sameRefusal(door string, p platform.Platform, refused error) result {
	c.Helper()
	class := c.item.pods.Pods.ClassName()
	at := c.item.pods.Pods.Path("runtimeClassName")
	if other := platform.Platform(class); !other.IsWindows() || slices.Contains(c.batch.topology.Platforms(), other) {
		c.differ(door, "nothing is registered: %v", refused)
		return different
	}
	const lacks = "no pool of the topology runs it"
	if p == platform.Platform(class) {
		at = "platform: Invalid value"
	}
	if refused == nil || !strings.Contains(refused.Error(), at+`: "`+class+`": `) {
		c.differ(door, "nothing is registered, and the error does not name the class %s: %v", class, refused)
	}
	options := c.batch.options(c.T, false)
	options.Platforms = map[string]platform.Platform{c.item.pods.Kind + "/" + c.item.name: p}
	_, errs := conversion.Convert([]conversion.File{{Name: c.item.name, Text: c.item.text}}, options)
	contradicted := "contradicts the RuntimeClass " + class + " in "
	if p == platform.Platform(class) {
		contradicted = lacks
	}
	// The annotation for the platform can contradict that class too.
	const misannotated = "cannot be followed, because of a wrong annotation in "
	if err := fmt.Sprint(errors.Join(errs...)); !strings.Contains(err, contradicted) &&
		!strings.Contains(err, misannotated) {
		c.differ(door, "typed arguments refuse the class, and adopt says %s", err)
	}
	return otherClass
}

func (c counts) String() string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, fmt.Sprintf("%d %s", c[what], what))
	}
	return strings.Join(parts, ", ")
}
