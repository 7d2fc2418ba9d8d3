package guard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/report"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// place completes pods, if the program wants it.
func (g *guard) place(r *resource, args *pulumi.ResourceTransformArgs) (pulumi.Map, pulumi.ResourceOptions) {
	if !g.args.Place || !r.cluster.pools {
		return args.Props, args.Opts
	}
	of := report.ObjectOf(r.object.Tree)
	of.Resource = string(r.at)
	if !g.toPlace.Selects(of) {
		return args.Props, args.Opts
	}
	context := r.cluster.checker.Context()
	d := mutate.Decide(r.object, context, mutate.Policy{AssumeLinux: g.args.AssumeLinux})
	r.outcome = d.Outcome
	if len(d.Edits) == 0 {
		return args.Props, args.Opts
	}
	opts := args.Opts
	opts.IgnoreChanges = slices.Concat(opts.IgnoreChanges, mutate.IgnoreChanges(r.object.Tree, d.Edits))
	r.object = pods.ReadObject(mutate.Apply(r.object.Tree, d.Edits))
	return input.EditProperties(args.Props, d.Edits), opts
}

// effects say what completed objects mean for the pods in the cluster. The transform does
// not know which objects exist.
var effects = []struct {
	effect mutate.Effect
	text   string
}{
	{mutate.Restarts, "the pods restart if this changes their template"},
	{mutate.Replaces, "those that exist stay as they are, new ones are completed"},
	{mutate.NewPods, "pods that exist stay as they are, new ones are completed"},
}

// placed says how many workloads [Args.Place] completes, and what that does to them.
func (g *guard) placed(workloads []*resource) string {
	if !g.args.Place || len(workloads) == 0 {
		return ""
	}
	kinds, completed := map[mutate.Effect]map[string]int{}, 0
	for _, r := range workloads {
		if !r.outcome.Completes() {
			continue
		}
		completed++
		effect := mutate.EffectOn(r.object.Tree)
		if kinds[effect] == nil {
			kinds[effect] = map[string]int{}
		}
		kind, _ := tree.Text(r.object.Tree["kind"])
		kinds[effect][kind]++
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nPlace completes %d of %d workloads", completed, len(workloads))
	for _, e := range effects {
		var counts []string
		for _, kind := range slices.Sorted(maps.Keys(kinds[e.effect])) {
			counts = append(counts, count(kinds[e.effect][kind], kind))
		}
		if len(counts) > 0 {
			text.WriteString("\n  " + strings.Join(counts, ", ") + ": " + e.text)
		}
	}
	return text.String()
}

func count(n int, kind string) string {
	if n == 1 {
		return "1 " + kind
	}
	return fmt.Sprintf("%d %ss", n, kind)
}
