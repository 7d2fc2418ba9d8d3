package plan_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/examples"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// The good cluster of the examples, a pool that joins it, and their changes.
var (
	good, joining, first, second = examples.Good, examples.Joining, examples.First, examples.Second
	image, security, patching    = examples.Image, examples.Security, examples.Patching
	ranges, releases             = examples.Ranges, examples.Releases
)

const (
	size   = examples.Size
	secret = examples.Secret
	sshKey = examples.SSHKey
)

// keys returns the keys of a cluster, derived from a secret that belongs to no cluster.
func keys(t *testing.T) pki.Keys {
	t.Helper()
	s, err := pki.Generated(secret, "shop")
	if err != nil {
		t.Fatal(err)
	}
	return pki.Keys{Generations: []pki.Generation{{Secret: s, Created: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)}}}
}

// inAzure are the kinds of networks that work in Azure.
var inAzure = []network.Kind{
	network.UpstreamL3, network.HostGateway, network.FlannelVXLAN, network.CalicoVXLAN,
	network.Antrea,
}

func names(machines []plan.Machine) []string {
	var names []string
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return names
}

// brief returns the paths and the rules of findings: testdata/sentences.txt has the sentences.
func brief(findings []rule.Finding) []string {
	var texts []string
	for _, f := range findings {
		texts = append(texts, ruletest.Brief(f))
	}
	return texts
}

// text returns the errors of a list in the order of their paths, one on each line.
func text(err error) string {
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "x: "), "x:\n  "), "\n  ", "\n")
}

func wrong(c plan.Defaulted) string { return text(joined(c.Validate())) }

// joined joins findings into one error, as the component does.
func joined(findings []rule.Finding) error {
	var refused []fielderrors.At
	for _, f := range findings {
		refused = append(refused, fielderrors.At{Path: f.Path, Err: &rule.FindingError{Finding: f}})
	}
	return fielderrors.Join("x", nil, refused...)
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
		cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
