package aks

import (
	"cmp"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// check returns the findings that do not stop the program, or an error with all
// that do.
func (s clusterSpec) check() ([]rule.Finding, error) {
	cluster := s.known()
	cluster.WindowsAdmin.Password = input.Tree(s.WindowsAdmin.Password)
	errs := append(s.topology.Validate(nil), s.plainOptions()...)
	errs = append(errs, s.Patience.Validate(field.NewPath("patience"))...)
	return refusal.Sift(s.subject(), plan.Rules(), s.Ignore, plan.CheckCluster(cluster), errs)
}

// subject is what errors are about.
func (s clusterSpec) subject() string { return fmt.Sprintf("%s %q", clusterToken, s.name) }

// known is what is known of the cluster before it is made, but for the password.
func (s clusterSpec) known() plan.Cluster {
	return plan.Cluster{
		Name:         s.ClusterName,
		Topology:     s.topology.Topology,
		Network:      s.Network.known(),
		WindowsAdmin: s.WindowsAdmin.plain(),
		APIServer: plan.APIServer{
			AuthorizedIPRanges:   s.APIServer.AuthorizedIPRanges,
			Private:              s.APIServer.Private,
			DisableLocalAccounts: s.APIServer.DisableLocalAccounts,
		},
		Options:     object(s.Options),
		PoolOptions: s.poolOptions(),
	}
}

func (s clusterSpec) poolOptions() map[string]plan.PoolOptions {
	options := map[string]plan.PoolOptions{}
	for name, o := range s.PoolOptions {
		options[name] = o.known()
	}
	return options
}

func (o PoolOptions) known() plan.PoolOptions {
	return plan.PoolOptions{
		NodeSubnetID: subnet(o.NodeSubnetID),
		PodSubnetID:  subnet(o.PodSubnetID),
		Options:      object(o.Options),
	}
}

func (n Network) known() plan.Network {
	return plan.Network{
		Mode:         n.Mode,
		Policy:       n.Policy,
		OutboundType: n.OutboundType,
		NodeSubnetID: subnet(n.NodeSubnetID),
		PodSubnetID:  subnet(n.PodSubnetID),
	}
}

// subnet is the ID of a subnet as far as it is known.
func subnet(id pulumi.StringInput) string {
	if id == nil {
		return ""
	}
	text, _ := input.Tree(id).(string)
	return cmp.Or(text, plan.Later)
}

// plain is all but the password.
func (a WindowsAdmin) plain() plan.WindowsAdmin {
	return plan.WindowsAdmin{Username: a.Username, LicenseType: a.LicenseType, GMSA: a.GMSA}
}

// object is the plain tree of arguments.
func object(args any) map[string]any {
	m, _ := input.Tree(args).(map[string]any)
	return m
}

// password is the password as a secret. One that turns out to be refused fails what it is
// given to, with the error that [clusterSpec.check] has for a plain one.
func (s clusterSpec) password() pulumi.StringOutput {
	secret := pulumi.ToSecret(s.WindowsAdmin.Password).(pulumi.StringOutput)
	return refusal.Checked(s.subject(), plan.Rules(), s.Ignore, secret, plan.CheckPassword)
}

// silenced marks the findings of rules that the arguments ignore.
func (s clusterSpec) silenced(findings rule.Findings) []rule.Finding {
	findings.Silence(s.Ignore)
	return findings
}
