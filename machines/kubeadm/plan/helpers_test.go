package plan_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

const size = "Standard_D4s_v5"

// releases returns the known releases with made-up hashes for those that are missing.
func releases() bootstrap.Releases {
	hashes := map[string]string{}
	for _, d := range bootstrap.KnownReleases().All() {
		if d.SHA256 == "" {
			hashes[d.URL] = strings.Repeat("0", 64)
		}
	}
	r, errs := bootstrap.KnownReleases().WithHashes(hashes, nil)
	if len(errs) > 0 {
		panic(errs.ToAggregate())
	}
	return r
}

// keys returns the keys of a cluster, derived from a secret that belongs to no cluster.
func keys(t *testing.T) pki.Keys {
	t.Helper()
	s, err := pki.Generated(secret, "shop")
	if err != nil {
		t.Fatal(err)
	}
	return pki.Keys{Generations: []pki.Generation{{Secret: s, Created: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)}}}
}

// prints returns fingerprints of one kind of key.
func prints(text string) map[pki.Kind]string { return map[pki.Kind]string{pki.EtcdCA: text} }

// good returns a valid cluster, changed by change.
func good(kind network.Kind, change func(c *plan.Cluster)) plan.Defaulted {
	c := plan.Cluster{
		Name: "shop", KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Count: 2, Size: size},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: size},
		},
		PoolOptions: map[string]plan.PoolOptions{},
		Network:     network.Network{Kind: kind},
		Releases:    releases(),
	}
	if change != nil {
		change(&c)
	}
	return c.WithDefaults()
}

// joining returns a valid pool, changed by change.
func joining(change func(j *plan.Joining)) plan.DefaultedJoining {
	j := plan.Joining{
		Name: "shop", KubernetesVersion: "1.36",
		Pool:          topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: size},
		Network:       network.Network{NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")},
		Endpoint:      "api.example.com:6443",
		CACertHashes:  []string{"sha256:" + strings.Repeat("0", 64)},
		Releases:      releases(),
		ResourceGroup: true, Subnet: true, RouteTable: true, Token: true,
	}
	if change != nil {
		change(&j)
	}
	return j.WithDefaults()
}

// inAzure are the kinds of networks that work in Azure.
var inAzure = []network.Kind{
	network.UpstreamL3, network.HostGateway, network.FlannelVXLAN, network.CalicoVXLAN,
	network.Antrea,
}

// first applies a change to the first pool, which is Linux, and second to the other one.
func first(change func(p *topology.Pool)) func(*plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Pools[0]) }
}

func second(change func(p *topology.Pool)) func(*plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Pools[1]) }
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
