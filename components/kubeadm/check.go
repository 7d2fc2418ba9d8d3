package kubeadm

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/system/clock"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// check returns the findings that do not stop the program, or an error with all that do.
func (s clusterSpec) check() ([]rule.Finding, error) {
	found := s.azure.Validate()
	found = append(found, s.azure.CheckReach()...)
	found = append(found, s.azure.Keys.Validate()...)
	found = append(found, s.LinuxAdmin.known().Validate()...)
	if s.hasWindows() {
		found = append(found, s.WindowsAdmin.known().Validate()...)
	}
	isError := func(f rule.Finding) bool { return f.Severity == rule.Error }
	if !slices.ContainsFunc(found, isError) { // the objects follow from the network
		s.wrong = append(s.wrong, s.checkNetworkManifests()...)
	}
	return refusal.Sift(s.subject(), plan.Rules(), s.Ignore, found, s.wrong)
}

func (s clusterSpec) hasWindows() bool {
	return slices.ContainsFunc(s.azure.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() })
}

// agedFacts returns an info if facts are old that no other component of the program has used. The check whether a
// Windows node is ready has an image of its own.
func agedFacts(ctx *pulumi.Context, subject string, ignored, used []string, windows bool) ([]rule.Finding, error) {
	if windows {
		used = append(used, "HostProcessImage")
	}
	found := plan.CheckFacts(clock.Today(), refusal.NewFacts(ctx, used))
	return refusal.Sift(subject, plan.Rules(), ignored, found, nil)
}

// sourcesNotKnown returns the sources of flows that are outputs, by the name of the flow. They are
// checked when they are known.
func (s clusterSpec) sourcesNotKnown() map[string]pulumi.StringArrayInput {
	later := map[string]pulumi.StringArrayInput{}
	for flow, from := range map[string]struct {
		sources pulumi.StringArrayInput
		path    *field.Path
	}{
		plan.APIServerClients: {s.APIServer.AuthorizedIPRanges, field.NewPath("apiServer", "authorizedIPRanges")},
		plan.NodePorts:        {s.NodePortSources, field.NewPath("nodePortSources")},
	} {
		if _, known := input.Texts(from.sources, anyAddress); !known {
			later[flow] = refusal.CheckedList(s.subject(), plan.Rules(), s.Ignore, from.path, from.sources,
				func(sources []string) []rule.Finding { return plan.CheckSources(sources, from.path) })
		}
	}
	return later
}

// subject names the component in errors.
func (s clusterSpec) subject() string { return fmt.Sprintf("%s %q", clusterToken, s.name) }

// anyAddress stands for an address that is not known yet. No finding is about it.
const anyAddress = "192.0.2.1"

// ranges returns addresses and CIDRs, with [anyAddress] for those that are not known.
func ranges(in pulumi.StringArrayInput) []string {
	known, _ := input.Texts(in, anyAddress)
	return known
}

func (a APIServer) known() plan.APIServer {
	return plan.APIServer{AuthorizedIPRanges: ranges(a.AuthorizedIPRanges), Private: a.Private, Options: a.Options}
}

// known returns the keys with all texts that are known.
func (k Keys) known() plan.Keys {
	known := plan.Keys{
		Cluster: k.Cluster.known(), Etcd: k.Etcd.known(), FrontProxy: k.FrontProxy.known(),
		ServiceAccounts: k.ServiceAccounts.known(), Encryption: k.Encryption.known(),
	}
	for _, secret := range k.Secrets {
		known.Secrets = append(known.Secrets, input.Tree(secret))
	}
	return known
}

// of returns the key of a kind.
func (k Keys) of(kind pki.Kind) Key {
	switch kind {
	case pki.ClusterCA:
		return k.Cluster
	case pki.EtcdCA:
		return k.Etcd
	case pki.FrontProxyCA:
		return k.FrontProxy
	case pki.ServiceAccounts:
		return k.ServiceAccounts
	default:
		return k.Encryption
	}
}

func (k Key) known() plan.Key {
	known := plan.Key{Generation: k.Generation, Trusted: k.Trusted}
	for _, p := range k.Pairs {
		known.Pairs = append(known.Pairs, plan.KeyPair{
			Generation: p.Generation, Certificate: input.Tree(p.Certificate), PrivateKey: input.Tree(p.PrivateKey),
		})
	}
	return known
}

// check returns the findings that do not stop the program, or an error with all that do.
func (s joiningSpec) check() ([]rule.Finding, error) {
	found := s.azure.Validate()
	if s.azure.Pool.Platform.IsWindows() {
		found = append(found, s.WindowsAdmin.known().Validate()...)
	} else {
		found = append(found, s.LinuxAdmin.known().Validate()...)
	}
	return refusal.Sift(s.subject(), plan.Rules(), s.Ignore, found, s.wrong)
}

func (s joiningSpec) subject() string { return fmt.Sprintf("%s %q", nodePoolToken, s.name) }

func (a LinuxAdmin) known() plan.LinuxAdmin {
	return plan.LinuxAdmin{Username: a.Username, SSHPublicKey: input.Tree(a.SSHPublicKey)}
}

func (a WindowsAdmin) known() plan.WindowsAdmin {
	return plan.WindowsAdmin{Username: a.Username, Password: input.Tree(a.Password), LicenseType: a.LicenseType}
}
