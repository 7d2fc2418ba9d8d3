package kubeadm

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/internal/azurevm"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
)

// NewNodePool makes a pool of machines that join a cluster which was made elsewhere, with
// kubeadm. It waits until their nodes are Ready, with the Kubernetes provider of its
// options (pulumi.Providers), which has to reach that cluster as an administrator.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then. Texts that are outputs are checked when they are known, and fail what
// needs them.
func NewNodePool(ctx *pulumi.Context, name string, args *NodePoolArgs, opts ...pulumi.ResourceOption) (*NodePool, error) {
	if args == nil {
		args = &NodePoolArgs{}
	}
	s := args.withDefaults(name)
	subject := fmt.Sprintf("%s %q", nodePoolToken, name)
	if err := fielderrors.Join(subject, s.check()); err != nil {
		return nil, err
	}
	token := pulumi.ToSecret(s.Token).(pulumi.StringOutput)
	return newNodePool(ctx, name, poolSpec{
		place: place{
			subject: subject, group: s.ResourceGroupName.ToStringOutput(), cluster: s.ClusterName,
			location: input.Optional(s.Location), tags: s.Tags,
			linux: s.LinuxAdmin, windows: s.WindowsAdmin, forwards: s.azure.Network.Kind.Planned(),
		}.withDefaults(),
		pool:       s.azure.Pool,
		machines:   s.azure.Machines(),
		subnet:     s.SubnetID,
		network:    s.azure.Network,
		routeTable: s.RouteTableName,
		cluster:    s.azure.Bootstrap,
		join: func(machine) (pulumi.Output, []pulumi.Resource, error) {
			return token.ApplyT(func(token string) bootstrap.Join {
				return bootstrap.Join{Token: token, CACertHashes: s.CACertHashes}
			}), nil, nil
		},
	}, opts...)
}

// joiningSpec is the arguments with their defaults.
type joiningSpec struct {
	NodePoolArgs

	// azure is what is plain of them.
	azure azurevm.Joining
}

func (a *NodePoolArgs) withDefaults(name string) joiningSpec {
	s := joiningSpec{NodePoolArgs: *a}
	if s.ClusterName == "" {
		s.ClusterName = name
	}
	s.azure = azurevm.Joining{
		Name:              s.ClusterName,
		KubernetesVersion: s.KubernetesVersion,
		Pool:              s.Pool,
		PoolOptions:       s.PoolOptions.plain(),
		Network:           s.Network,
		Endpoint:          s.Endpoint,
		CACertHashes:      s.CACertHashes,
		Releases:          releases(s.Releases),
	}.WithDefaults()
	return s
}

func (s joiningSpec) check() field.ErrorList {
	errs := s.azure.Validate()
	for _, required := range []struct {
		path   string
		in     pulumi.StringInput
		detail string
	}{
		{"resourceGroupName", s.ResourceGroupName, "say where the machines are made"},
		{"subnetID", s.SubnetID, "say which subnet the machines are in"},
		{"token", s.Token, "make one with `kubeadm token create`, and give it as a secret"},
	} {
		if required.in == nil {
			errs = append(errs, field.Required(field.NewPath(required.path), required.detail))
		}
	}
	if kind := s.azure.Network.Kind; kind.Planned() && s.RouteTableName == nil {
		errs = append(errs, field.Required(field.NewPath("routeTableName"), fmt.Sprintf("a network of the kind %s has a route to each machine", kind)))
	}
	if s.azure.Pool.Platform.IsWindows() {
		return append(errs, s.WindowsAdmin.check()...)
	}
	return append(errs, s.LinuxAdmin.check()...)
}
