package machine

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A node and an API server, at each step of the replacement of an authority
// (https://kubernetes.io/docs/tasks/tls/manual-rotation-of-ca-certificates/).
func TestConnectionsDuringARotation(t *testing.T) {
	t.Parallel()
	before, after := authority(t, "kubernetes").Certificate, authority(t, "kubernetes").Certificate
	keys := func(certificates string) map[string]string { return map[string]string{"ca.crt": certificates} }
	for name, c := range map[string]struct {
		identity Identity
		keys     map[string]string
		want     error
	}{
		"before":                               {Identity{before, before}, keys(before), nil},
		"trust: a node of before":              {Identity{before, before}, keys(before + after), nil},
		"trust: a node that trusts both":       {Identity{before, before + after}, keys(before + after), nil},
		"promote: a node of before":            {Identity{before, before}, keys(after + before), ErrUnknownAuthority},
		"promote: a node that trusts both":     {Identity{before, before + after}, keys(after + before), nil},
		"promote: a node of after":             {Identity{after, after + before}, keys(after + before), nil},
		"distrust: a node of before":           {Identity{before, before + after}, keys(after), ErrNotTrusted},
		"distrust: a node that trusts neither": {Identity{before, before}, keys(after), ErrUnknownAuthority},
		"distrust: a node of after":            {Identity{after, after + before}, keys(after), nil},
		"after":                                {Identity{after, after}, keys(after), nil},
		"a server that is not promoted yet":    {Identity{after, after}, keys(before + after), ErrUnknownAuthority},
		"an unknown server":                    {Identity{before, before}, nil, nil},
		"an unknown node":                      {Identity{}, keys(after), nil},
	} {
		if got := c.identity.Reaches(c.keys); !errors.Is(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestAuthoritiesThatIdentifyANode(t *testing.T) {
	t.Parallel()
	before, after := authority(t, "kubernetes").Certificate, authority(t, "kubernetes").Certificate
	controlPlane := map[string]string{"ca.crt": "# the authorities\n" + after + before}
	both := Identity{after, controlPlane["ca.crt"]}
	for name, c := range map[string]struct {
		bootstrap Bootstrap
		keys      map[string]string
		want      Identity
	}{
		"by a file":         {Bootstrap{CACert: before}, controlPlane, Identity{after, before}},
		"by hashes":         {Bootstrap{CACertHashes: []string{testHash}}, controlPlane, both},
		"the control plane": {Bootstrap{ControlPlane: true, Keys: controlPlane}, nil, both},
		"one more of it":    {Bootstrap{ControlPlane: true, CACert: before, Keys: controlPlane}, nil, both},
		"kubeadm's keys":    {Bootstrap{Init: true, ControlPlane: true}, nil, Identity{}},
		"no certificate":    {Bootstrap{CACert: before}, map[string]string{"ca.crt": "x"}, Identity{}},
	} {
		if diff := cmp.Diff(c.want, c.bootstrap.Identity(c.keys)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
