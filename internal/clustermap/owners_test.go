package clustermap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// owned returns a ReplicaSet that another one owns.
func owned(name, owner string) string {
	return fmt.Sprintf(
		`{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: %s, ownerReferences: [{kind: ReplicaSet, `+
			`name: %s, controller: true}]}, spec: {template: {spec: {containers: [{name: c, image: i}]}}}}`,
		name,
		owner,
	)
}

// ownersOf returns a builder with ReplicaSets, each with its owner: "a b" is a, which b owns.
func ownersOf(t *testing.T, pairs ...string) *builder {
	t.Helper()
	var docs []string
	for _, pair := range pairs {
		name, owner, _ := strings.Cut(pair, " ")
		docs = append(docs, owned(name, owner))
	}
	return newBuilder(Source{
		Options: preflight.Options{Topology: threePools()}, Objects: objects(t, strings.Join(docs, "\n---\n")),
	})
}

func TestObjectsThatOwnEachOtherHaveOneRoot(t *testing.T) {
	t.Parallel()
	b := ownersOf(t, "a b", "b c", "c b", "d d", "e missing")
	for name, want := range map[string]string{"a": "b", "b": "b", "c": "b", "d": "d", "e": "missing"} {
		// A circle's root is the object that was met first.
		b.roots = map[identity]identity{}
		b.rootAbove(identity{"ReplicaSet", "default", "a"})
		if got := b.rootAbove(identity{"ReplicaSet", "default", name}); got.name != want {
			t.Errorf("the root of %s is %s, want %s", name, got.name, want)
		}
	}
}

func TestEachOwnerIsWalkedOverOnce(t *testing.T) {
	t.Parallel()
	const n = 500
	var pairs []string
	for i := range n {
		pairs = append(pairs, fmt.Sprintf("r%d r%d", i, i+1))
	}
	b := ownersOf(t, pairs...)
	b.rootAbove(identity{"ReplicaSet", "default", "r0"})
	for i := range n + 1 {
		id := identity{"ReplicaSet", "default", fmt.Sprintf("r%d", i)}
		if root := b.roots[id]; root.name != fmt.Sprintf("r%d", n) {
			t.Fatalf("the root of %s is %q after the walk over it", id.name, root.name)
		}
	}
}
