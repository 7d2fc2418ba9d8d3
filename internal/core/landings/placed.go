package landings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// effects describe the consequences of completed objects for the pods in the cluster. The code that completes them does
// not know which objects exist, and so not what changes: the preview shows that at each resource.
var effects = []struct {
	effect mutate.Effect
	text   string
}{
	{mutate.Restarts, "changes only where the preview shows an update"},
	{mutate.Replaces, "those that exist stay as they are, new ones are completed"},
	{mutate.NewPods, "pods that exist stay as they are, new ones are completed"},
}

// replacing is the text for objects whose existing instances Pulumi replaces.
const replacing = "replaced only where the preview shows it"

// Placing is what decides on the text of [Placed].
type Placing struct {
	// Replaces means that existing objects of kinds that Kubernetes cannot change are replaced. Otherwise they stay
	// unchanged.
	Replaces bool
	// AssumeLinux is the name of the argument that treats pods without any indication as Linux pods, "" if it is set.
	AssumeLinux string
}

// Placed describes how many of the workloads Place completes, and the consequences. It is empty if there are no
// workloads.
func Placed(objects []Object, by Placing) string {
	kinds, completed, workloads, unknown := map[mutate.Effect]map[string]int{}, 0, 0, 0
	for _, o := range objects {
		if o.Kind == "" || len(o.All()) == 0 {
			continue
		}
		workloads++
		if o.Outcome == mutate.Unknown {
			unknown++
		}
		if !o.Outcome.Completes() {
			continue
		}
		completed++
		effect := mutate.EffectOn(o.Tree)
		if kinds[effect] == nil {
			kinds[effect] = map[string]int{}
		}
		kind, _ := tree.Text(o.Tree["kind"])
		kinds[effect][kind]++
	}
	if workloads == 0 {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nPlace completes %d of %d workloads", completed, workloads)
	for _, e := range effects {
		var counts []string
		for _, kind := range slices.Sorted(maps.Keys(kinds[e.effect])) {
			counts = append(counts, fielderrors.Count(kinds[e.effect][kind], kind))
		}
		if len(counts) == 0 {
			continue
		}
		what := e.text
		if by.Replaces && e.effect == mutate.Replaces {
			what = replacing
		}
		text.WriteString("\n  " + strings.Join(counts, ", ") + ": " + what)
	}
	if unknown > 0 {
		assume := ""
		if by.AssumeLinux != "" {
			assume = by.AssumeLinux + ", "
		}
		fmt.Fprintf(&text, "\n  %s without a known operating system: set %sthe annotation %s, or look up the images "+
			"with mixedkube images lock", fielderrors.Count(unknown, "workload"), assume, preflight.PlatformAnnotation)
	}
	return text.String()
}
