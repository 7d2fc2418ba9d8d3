package aks

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/azure"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
)

// check returns the findings that do not stop the program, or an error with all
// that do.
func (s clusterSpec) check() ([]preflight.Finding, error) {
	cluster := s.known()
	cluster.WindowsAdmin.Password = input.Tree(s.WindowsAdmin.Password)
	errs := append(s.topology.Validate(nil), s.plainOptions()...)
	return sift(s.subject(), errs, azure.CheckCluster(cluster), s.Ignore)
}

// subject is what errors are about.
func (s clusterSpec) subject() string { return fmt.Sprintf("%s %q", clusterToken, s.name) }

// known is what is known of the cluster before it is made, but for the password.
func (s clusterSpec) known() azure.Cluster {
	return azure.Cluster{
		Name:         s.ClusterName,
		Topology:     s.topology,
		Network:      s.Network.known(),
		WindowsAdmin: s.WindowsAdmin.plain(),
		APIServer: azure.APIServer{
			AuthorizedIPRanges:   s.APIServer.AuthorizedIPRanges,
			Private:              s.APIServer.Private,
			DisableLocalAccounts: s.APIServer.DisableLocalAccounts,
		},
		Options:     object(s.Options),
		PoolOptions: s.poolOptions(),
	}
}

func (s clusterSpec) poolOptions() map[string]azure.PoolOptions {
	options := map[string]azure.PoolOptions{}
	for name, o := range s.PoolOptions {
		options[name] = o.known()
	}
	return options
}

func (o PoolOptions) known() azure.PoolOptions {
	return azure.PoolOptions{
		NodeSubnet: o.NodeSubnetID != nil,
		PodSubnet:  o.PodSubnetID != nil,
		Options:    object(o.Options),
	}
}

func (n Network) known() azure.Network {
	return azure.Network{
		Mode:         azure.NetworkMode(n.Mode),
		Policy:       azure.NetworkPolicy(n.Policy),
		OutboundType: azure.OutboundType(n.OutboundType),
		NodeSubnet:   n.NodeSubnetID != nil,
		PodSubnet:    n.PodSubnetID != nil,
	}
}

// plain is all but the password.
func (a WindowsAdmin) plain() azure.WindowsAdmin {
	return azure.WindowsAdmin{Username: a.Username, LicenseType: string(a.LicenseType), GMSA: azure.GMSA(a.GMSA)}
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
	return input.Checked(secret, func(password string) error {
		_, err := sift(s.subject(), nil, azure.CheckPassword(password), s.Ignore)
		return err
	})
}

// sift makes one error of what stops the program, and returns the rest.
func sift(subject string, errs field.ErrorList, findings []preflight.Finding, ignore []string) ([]preflight.Finding, error) {
	known := map[string]bool{}
	for _, rule := range azure.Rules() {
		known[rule.ID] = true
	}
	for i, id := range ignore {
		path := field.NewPath("ignore").Index(i)
		switch {
		case !known[id]:
			errs = append(errs, field.Invalid(path, id, "no such rule: remove it"))
		case azure.Mandatory(id):
			errs = append(errs, field.Invalid(path, id, "the component relies on this rule: remove it"))
		}
	}
	var refused []fielderrors.At
	var rest []preflight.Finding
	for _, f := range silence(findings, ignore) {
		if f.Blocks() {
			refused = append(refused, fielderrors.At{Path: f.Path, Err: &preflight.FindingError{Finding: f}})
		} else {
			rest = append(rest, f)
		}
	}
	return rest, fielderrors.Join(subject, errs, refused...)
}

// silence marks the findings of rules that are ignored.
func silence(findings []preflight.Finding, ignore []string) []preflight.Finding {
	findings = slices.Clone(findings)
	for i, f := range findings {
		findings[i].Silenced = slices.Contains(ignore, f.Rule)
	}
	return findings
}

// log shows findings at the component.
func log(ctx *pulumi.Context, about pulumi.Resource, findings []preflight.Finding) error {
	args := &pulumi.LogArgs{Resource: about}
	for _, f := range findings {
		var err error
		switch {
		case f.Silenced:
			err = ctx.Log.Info("ignored: "+f.String(), args)
		case f.Severity == preflight.Warning:
			err = ctx.Log.Warn(f.String(), args)
		default:
			err = ctx.Log.Info(f.String(), args)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
