package aks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// check returns the findings that do not stop the program, or an error with all findings that do.
func (s clusterSpec) check() ([]rule.Finding, error) {
	cluster := s.known()
	cluster.WindowsAdmin.Password = input.Tree(s.WindowsAdmin.Password)
	errs := slices.Concat(s.wrong, s.topology.Validate(nil), s.plainOptions())
	errs = append(errs, s.Retry.Validate(field.NewPath("retry"))...)
	return refusal.Sift(s.subject(), plan.Rules(), s.Ignore, plan.CheckCluster(cluster), errs)
}

// subject names the cluster in errors.
func (s clusterSpec) subject() string { return fmt.Sprintf("%s %q", clusterToken, s.name) }

// anyAddress stands for an address that is not known yet: no rule has a finding about it.
const anyAddress = "192.0.2.1"

// authorizedIPRanges returns the ranges of the arguments, checked when they are known.
func (s clusterSpec) authorizedIPRanges() pulumi.StringArrayInput {
	texts, known := input.Texts(s.APIServer.AuthorizedIPRanges, anyAddress)
	if known {
		return pulumi.ToStringArray(texts)
	}
	return refusal.CheckedList(s.subject(), plan.Rules(), s.Ignore, field.NewPath("apiServer", "authorizedIPRanges"),
		s.APIServer.AuthorizedIPRanges, plan.CheckAuthorizedIPRanges)
}

// known returns the settings of the cluster that are known before it is created, except the password.
func (s clusterSpec) known() plan.Cluster {
	ranges, _ := input.Texts(s.APIServer.AuthorizedIPRanges, anyAddress)
	network, options := s.Network, object(s.Options)
	if s.mayExist {
		network = s.args.Network
	}
	if s.entraID != nil {
		options = maps.Clone(options)
		if options == nil {
			options = map[string]any{}
		}
		options["aadProfile"] = s.entraID
	}
	return plan.Cluster{
		Name:          s.ClusterName,
		ResourceGroup: known(s.ResourceGroupName),
		Location:      known(s.Location),
		Topology:      s.topology,
		Network:       network.known(),
		WindowsAdmin:  s.WindowsAdmin.plain(),
		Identity:      plan.Identity{UserAssignedID: later(s.Identity.UserAssignedID)},
		APIServer: plan.APIServer{
			AuthorizedIPRanges:   ranges,
			Private:              s.APIServer.Private,
			PrivateDNSZone:       later(s.APIServer.PrivateDNSZone),
			DisableLocalAccounts: s.APIServer.DisableLocalAccounts,
		},
		Login:       s.Login.known(),
		Options:     options,
		PoolOptions: s.poolOptions(),
		Tags:        object(s.Tags),
		AzureCLI:    s.AzureCLI,
		MayExist:    s.mayExist,
		Today:       clock.Today(),
	}
}

func (s clusterSpec) poolOptions() map[string]plan.PoolOptions {
	options := map[string]plan.PoolOptions{}
	for name, o := range s.PoolOptions {
		options[name] = o.known()
	}
	for _, pool := range s.Pools {
		if o := options[pool.Name]; s.options.Aliased(poolType, s.name+"-"+o.Name(pool)) {
			o.Resource = true
			options[pool.Name] = o
		}
	}
	return options
}

func (o PoolOptions) known() plan.PoolOptions {
	return plan.PoolOptions{
		NameInAzure: o.NameInAzure,
		ImportID:    later(o.ImportID), Resource: o.ImportID != nil,
		NodeSubnetID: later(o.NodeSubnetID),
		PodSubnetID:  later(o.PodSubnetID),
		Options:      object(o.Options),
		Change:       o.Change,
		Previews:     o.Previews,
	}
}

// nameInAzure returns the name in Azure of the pool that has these options.
func (o PoolOptions) nameInAzure(pool topology.Pool) string {
	return o.known().Name(pool)
}

func (s clusterSpec) nameInAzure(pool topology.Pool) string {
	return s.PoolOptions[pool.Name].nameInAzure(pool)
}

func (n Network) known() plan.Network {
	return plan.Network{
		Mode:         n.Mode,
		Policy:       n.Policy,
		OutboundType: n.OutboundType,
		NodeSubnetID: later(n.NodeSubnetID),
		PodSubnetID:  later(n.PodSubnetID),
	}
}

// known returns a text that is not an output, and "" for an output.
func known(text pulumi.StringInput) string {
	if text == nil {
		return ""
	}
	plain, _ := input.Tree(text).(string)
	return plain
}

// later returns an ID if it is known, and [plan.Later] for an output; empty if it is not set.
func later(id pulumi.StringInput) string {
	if id == nil {
		return ""
	}
	return cmp.Or(known(id), plan.Later)
}

// plain returns all settings except the password.
func (a WindowsAdmin) plain() plan.WindowsAdmin {
	return plan.WindowsAdmin{Username: a.Username, LicenseType: a.LicenseType, GMSA: a.GMSA}
}

// object returns the plain tree of arguments.
func object(args any) map[string]any {
	m, _ := input.Tree(args).(map[string]any)
	return m
}

// password returns the password as a secret. An invalid output fails the resource that uses it, with the same error
// that [clusterSpec.check] returns for a plain password.
func (s clusterSpec) password() pulumi.StringOutput {
	secret := pulumi.ToSecret(s.WindowsAdmin.Password).(pulumi.StringOutput)
	return refusal.Checked(s.subject(), plan.Rules(), s.Ignore, secret, plan.CheckPassword)
}

// checkedGroup returns the name of the resource group. If it is an output, and Azure would refuse the name that it
// derives from it for the node resource group, it fails the cluster with the same error that [clusterSpec.check]
// returns for a plain name.
func (s clusterSpec) checkedGroup(group pulumi.StringOutput) pulumi.StringOutput {
	if known(s.ResourceGroupName) != "" {
		return group
	}
	g := s.known().NodeGroup()
	return refusal.Checked(s.subject(), plan.Rules(), s.Ignore, group, func(group string) []rule.Finding {
		g.ResourceGroup = group
		return plan.CheckNodeGroup(g)
	})
}

// suppressed marks the findings of rules that the arguments ignore.
func (s clusterSpec) suppressed(findings rule.Findings) []rule.Finding {
	findings.Suppress(s.Ignore)
	return findings
}
