package landings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Object is an object of a program, after Place has completed its pods.
type Object struct {
	*pods.Object

	// Resource is the name of its resource.
	Resource string
	// Outcome is what Place did with the pods.
	Outcome mutate.Outcome
}

// Landed is where the pods of an object can run.
type Landed struct {
	preflight.Landing

	// Index is the index of the object.
	Index int
	// Workload names the object for users. Text describes where its pods can run, and what Place did with them if that
	// does not follow from the pools.
	Workload, Text string
}

// String returns the workload and where its pods can run.
func (l Landed) String() string { return l.Workload + " → " + l.Text }

// notes describe what Place did with pods, if that does not follow from the pools.
var notes = map[mutate.Outcome]string{
	mutate.AssumedLinux: ", assumed to be for Linux: the images do not indicate it",
	mutate.Unknown:      ", not placed: the images do not indicate their operating system",
	mutate.Misannotated: ", not placed: the annotation " + preflight.PlatformAnnotation + " is wrong",
}

// Of returns where the pods of a cluster's objects can run, sorted by the names of the workloads. The others include
// the known RuntimeClasses and objects of persistent volumes.
func Of(checker *preflight.Checker, objects []Object, others []*pods.Object) []Landed {
	known := preflight.OthersOf(others)
	var all []Landed
	for i, o := range objects {
		if at, ok := checker.LandingOf(o.Object, known); ok {
			all = append(all, Landed{at, i, Workload(o.Object, o.Resource), at.String() + notes[o.Outcome]})
		}
	}
	slices.SortStableFunc(all, func(a, b Landed) int { return strings.Compare(a.Workload, b.Workload) })
	return all
}

// Text formats landings, with the cluster of a provider if the program has several clusters. It is empty if there are
// none.
func Text(all []Landed, provider string) string {
	if len(all) == 0 {
		return ""
	}
	heading := Heading
	if provider != "" {
		heading = fmt.Sprintf("where the pods can land in the cluster of the provider %q:", provider)
	}
	lines := make([]Line, len(all))
	for i, l := range all {
		lines[i] = Line{Workload: l.Workload, Text: l.Text}
	}
	return heading + Table(lines)
}

// RequestedBy is [Requested] for landed objects.
func RequestedBy(all []Landed) string {
	answers := make([]preflight.Landing, len(all))
	for i, l := range all {
		answers[i] = l.Landing
	}
	return Requested(answers)
}
