package guard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/completion"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// place completes pods that name no operating system, if the program wants it.
func (g *guard) place(r *resource, args *pulumi.ResourceTransformArgs) (pulumi.Map, pulumi.ResourceOptions) {
	if !g.args.Place {
		return args.Props, args.Opts
	}
	c := completion.Complete(r.object, g.topology, g.args.AssumeLinux)
	opts := args.Opts
	opts.IgnoreChanges = slices.Concat(opts.IgnoreChanges, completion.IgnoreChanges(r.object, c.Edits))
	r.outcome, r.object = c.Outcome, mutate.Apply(r.object, c.Edits)
	return input.EditProperties(args.Props, c.Edits), opts
}

// effects say what completed objects mean for the pods in the cluster. The transform does
// not know which objects exist.
var effects = []struct {
	effect completion.Effect
	text   string
}{
	{completion.Restarts, "the pods restart if this changes their template"},
	{completion.Replaces, "those that exist stay as they are, new ones are completed"},
	{completion.NewPods, "pods that exist stay as they are, new ones are completed"},
}

// placed says how many workloads [Args.Place] completes, and what that does to them.
func (g *guard) placed(workloads []*resource) string {
	if !g.args.Place {
		return ""
	}
	kinds, completed := map[completion.Effect]map[string]int{}, 0
	for _, r := range workloads {
		if !r.outcome.Completes() {
			continue
		}
		completed++
		effect := completion.EffectOn(r.object)
		if kinds[effect] == nil {
			kinds[effect] = map[string]int{}
		}
		kind, _ := tree.Text(r.object["kind"])
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
