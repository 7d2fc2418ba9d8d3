package aks

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// watching checks references that are outputs as soon as they are known. Plain ones are checked with all other
// arguments.
type watching struct {
	ctx     *pulumi.Context
	subject string
	ignored []string
}

// watch returns arguments whose outputs fail the resource that uses them if they are not the IDs that the references
// need, with the same error as plain values. The paths in it begin with a text.
func watch[T any](w watching, args T, at string, references []plan.Reference) (T, error) {
	var err error
	for _, r := range references {
		if args, err = input.Watch(args, r.Path, func(path []string, known any) error {
			if w.isInvented(known) {
				return nil
			}
			_, err := refusal.Sift(w.subject, plan.Rules(), w.ignored, r.Check(at+dotted(path), known), nil)
			return err
		}); err != nil {
			return args, err
		}
	}
	return args, nil
}

// invented matches an ID that package mocktest gives a resource, the usual ID in mocks of Pulumi's SDK, and longer IDs
// that begin with one: nodes-id, net_id/subnets/nodes.
var invented = regexp.MustCompile(`^[^/]*[-_]id(-2)?(/|$)`)

// isInvented reports whether a value is a text that a unit test has made up: the IDs of mocks are not those of Azure.
func (w watching) isInvented(known any) bool {
	text, _ := tree.Reveal(known).(string)
	return invented.MatchString(text) || w.ctx.RunningWithMocks() && !strings.HasPrefix(text, "/subscriptions/")
}

// dotted writes a path as in findings, with the indexes of lists in brackets.
func dotted(path []string) string {
	var text strings.Builder
	for i, key := range path {
		if _, err := strconv.Atoi(key); err == nil {
			text.WriteString("[" + key + "]")
			continue
		}
		if i > 0 {
			text.WriteString(".")
		}
		text.WriteString(key)
	}
	return text.String()
}

// watched returns the arguments with their references watched.
func (s clusterSpec) watched(ctx *pulumi.Context) (clusterSpec, error) {
	w := watching{ctx, s.subject(), s.Ignore}
	var err error
	if s.ClusterArgs, err = watch(w, s.ClusterArgs, "", plan.ReferencesOfCluster()); err != nil {
		return s, err
	}
	s.PoolOptions = maps.Clone(s.PoolOptions)
	for _, name := range slices.Sorted(maps.Keys(s.PoolOptions)) {
		watched, wrong := watch(w, s.PoolOptions[name], "poolOptions["+name+"].", plan.ReferencesOfPool())
		s.PoolOptions[name], err = watched, errors.Join(err, wrong)
	}
	return s, err
}

// watched returns the pool with its references watched.
func (n nodePool) watched(ctx *pulumi.Context) (nodePool, error) {
	w := watching{ctx, n.subject(), n.ignored}
	own := struct {
		Network Network `pulumi:"network"`
	}{n.network}
	own, err := watch(w, own, "", plan.ReferencesOfPoolNetwork())
	if err != nil {
		return n, err
	}
	n.network = own.Network
	n.options, err = watch(w, n.options, "", plan.ReferencesOfPool())
	return n, err
}
