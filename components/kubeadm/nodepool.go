package kubeadm

import (
	"fmt"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/clock"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// NewNodePool creates a pool of machines that join an existing cluster, with kubeadm. It waits
// until their nodes are Ready, with the Kubernetes provider in its options (pulumi.Providers),
// which must reach that cluster as an administrator.
//
// None of its resources represents the pool as a whole: options that apply to one resource, and
// aliases of resources, are errors. Set them in a transform (pulumi.Transforms), by type and name.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing is
// registered in this case. Texts that are outputs are checked when they are known; an invalid one
// fails the resources that use it.
func NewNodePool(
	ctx *pulumi.Context, name string, args *NodePoolArgs, opts ...pulumi.ResourceOption,
) (*NodePool, error) {
	if args == nil {
		args = &NodePoolArgs{}
	}
	s := args.withDefaults(name)
	split, wrong := childoptions.Component{Token: nodePoolToken, Name: name}.Split(opts)
	s.wrong = wrong
	findings, err := s.check()
	if err != nil {
		return nil, err
	}
	token, hashes := pulumi.ToSecret(s.Token).(pulumi.StringOutput), s.caCertHashes()
	p, err := newNodePool(ctx, name, poolSpec{
		place: place{
			subject: s.subject(), ignored: s.Ignore,
			group: s.ResourceGroupName.ToStringOutput(), cluster: s.ClusterName,
			location: input.Optional(s.Location), tags: s.Tags,
			linux: s.LinuxAdmin, windows: s.WindowsAdmin, forwards: s.azure.Network.Kind.Planned(),
		}.withDefaults(),
		pool:       s.azure.Pool,
		machines:   s.azure.Machines(),
		subnet:     s.SubnetID,
		network:    s.azure.Network,
		routeTable: s.RouteTableName,
		cluster:    s.azure.Bootstrap,
		ca:         optionalText(s.CACertificate),
		endpoint:   s.endpoint(),
		join: func(machine, *compute.VirtualMachine) join {
			as := pulumi.All(token, hashes).ApplyT(func(known []any) bootstrap.Join {
				return bootstrap.Join{Token: known[0].(string), CACertHashes: known[1].([]string)}
			})
			return join{as: as, options: tokenOptions{pulumi.Composite(), pulumi.Composite()}}
		},
		payloadKeys: func(parent pulumi.ResourceOption) (func(plan.Machine) pulumi.Output, error) {
			return s.newPayloadKeys(ctx, parent)
		},
	}, split.Component...)
	if err != nil {
		return nil, err
	}
	aged, err := agedFacts(ctx, s.subject(), s.Ignore, s.azure.UsedFacts(), s.azure.Pool.Platform.IsWindows())
	if err != nil {
		return nil, err
	}
	return p, refusal.Log(ctx, p, append(findings, aged...))
}

// newPayloadKeys stores a random secret in the state. The secret stays the same when the token
// changes: a machine keeps its customData, which contains the key.
func (s joiningSpec) newPayloadKeys(
	ctx *pulumi.Context, parent pulumi.ResourceOption,
) (func(plan.Machine) pulumi.Output, error) {
	generated, err := generateSecret()
	if err != nil {
		return nil, err
	}
	name := s.name + "-payload"
	stored, err := keepFirst(ctx, name, pulumi.ToSecret(pulumi.String(generated)), parent)
	if err != nil {
		return nil, err
	}
	return func(m plan.Machine) pulumi.Output {
		return pulumi.ToSecret(stored.ApplyT(func(value any) (bootstrap.PayloadKey, error) {
			text, _ := value.(string)
			secret, err := pki.Generated(text, s.ClusterName)
			if err != nil {
				return bootstrap.PayloadKey{}, fmt.Errorf("the state of %s cannot be read: it %w", name, err)
			}
			return bootstrap.NewPayloadKey(secret.PayloadKey(m.Name)), nil
		}))
	}, nil
}

// joiningSpec is the arguments with their defaults.
type joiningSpec struct {
	NodePoolArgs

	name string
	// wrong lists the errors in the options of the component.
	wrong field.ErrorList
	// azure is the plain part of the arguments.
	azure plan.DefaultedJoining
}

func (a *NodePoolArgs) withDefaults(name string) joiningSpec {
	s := joiningSpec{NodePoolArgs: *a, name: name}
	if s.ClusterName == "" {
		s.ClusterName = name
	}
	endpoint, _ := input.Tree(s.Endpoint).(string)
	if endpoint == "" && s.endpointUnknown() {
		endpoint = anyEndpoint
	}
	hashes, known := input.Texts(s.CACertHashes, "")
	s.azure = plan.Joining{
		Name:              s.ClusterName,
		KubernetesVersion: s.KubernetesVersion,
		Pool:              s.Pool,
		PoolOptions:       s.PoolOptions,
		Network:           s.Network,

		PodsReachInstanceMetadata: s.PodsReachInstanceMetadata,

		Endpoint: endpoint, CACertHashes: hashes, CACertHashesUnknown: !known,
		CACertificate: input.Tree(s.CACertificate),
		Releases:      releases(s.Releases, s.Network),
		ResourceGroup: s.ResourceGroupName != nil,
		Subnet:        s.SubnetID != nil,
		RouteTable:    s.RouteTableName != nil,
		Token:         s.Token != nil,
		Today:         clock.Today(),
	}.WithDefaults()
	return s
}

// anyEndpoint stands for an endpoint that is not known yet. No finding is about it.
const anyEndpoint = "api.example.com:6443"

func (s joiningSpec) endpointUnknown() bool { return tree.IsUnknown(input.Tree(s.Endpoint)) }

// endpoint returns the configured endpoint. If it is an output, the pool is checked again when it
// is known.
func (s joiningSpec) endpoint() pulumi.StringOutput {
	if !s.endpointUnknown() {
		return s.Endpoint.ToStringOutput()
	}
	return refusal.Checked(s.subject(), plan.Rules(), s.Ignore, s.Endpoint, func(endpoint string) []rule.Finding {
		known := s.azure
		known.Endpoint = endpoint
		return known.Validate()
	})
}

// caCertHashes returns the configured hashes. If they are outputs, the pool is checked again when
// they are known.
func (s joiningSpec) caCertHashes() pulumi.StringArrayOutput {
	if !s.azure.CACertHashesUnknown {
		return pulumi.ToStringArray(s.azure.CACertHashes).ToStringArrayOutput()
	}
	return refusal.CheckedList(s.subject(), plan.Rules(), s.Ignore, field.NewPath("caCertHashes"), s.CACertHashes,
		func(hashes []string) []rule.Finding {
			known := s.azure
			known.CACertHashes, known.CACertHashesUnknown = hashes, false
			return known.Validate()
		})
}

// optionalText returns an empty text for nil.
func optionalText(text pulumi.StringInput) pulumi.StringOutput {
	if text == nil {
		return pulumi.String("").ToStringOutput()
	}
	return text.ToStringOutput()
}
