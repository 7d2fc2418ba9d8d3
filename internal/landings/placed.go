package landings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// effects describe the consequences of completed objects for the pods in the cluster. The code that completes them does
// not know which objects exist.
var effects = []struct {
	effect mutate.Effect
	text   string
}{
	{mutate.Restarts, "the pods restart if this changes their template"},
	{mutate.Replaces, "those that exist stay as they are, new ones are completed"},
	{mutate.NewPods, "pods that exist stay as they are, new ones are completed"},
}

// replacing is the text for objects whose existing instances Pulumi replaces.
const replacing = "Pulumi replaces those that exist if this changes them"

// Placed describes how many of the workloads Place completes, and the consequences. Existing objects of kinds that
// Kubernetes cannot change stay unchanged, or are replaced. It is empty if there are no workloads.
func Placed(objects []Object, replaces bool) string {
	kinds, completed, workloads := map[mutate.Effect]map[string]int{}, 0, 0
	for _, o := range objects {
		if o.Kind == "" || len(o.All()) == 0 {
			continue
		}
		workloads++
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
		if replaces && e.effect == mutate.Replaces {
			what = replacing
		}
		text.WriteString("\n  " + strings.Join(counts, ", ") + ": " + what)
	}
	return text.String()
}
