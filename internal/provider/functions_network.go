package provider

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

type networkArgs struct {
	// Network is the pod network of the cluster.
	Network network.Network `pulumi:"network"`
}

// withDefaults returns the network with its defaults, or what is wrong with it.
func (a networkArgs) withDefaults() (network.Defaulted, field.ErrorList) {
	return a.Network.WithDefaults(), a.Network.Validate(field.NewPath("network"))
}

type agentsArgs struct {
	networkArgs
	// Endpoint is the address of the API server, host:port.
	Endpoint string `pulumi:"endpoint"`
}

// withDefaults returns the network with its defaults, or what is wrong with the arguments: the kind, unless is returns
// true for it, or the endpoint.
func (a agentsArgs) withDefaults(is func(network.Kind) bool, choose string) (network.Defaulted, field.ErrorList) {
	n, errs := a.networkArgs.withDefaults()
	if n.Kind.Valid() && !is(n.Kind) {
		errs = append(errs, field.Invalid(field.NewPath("network", "kind"), n.Kind, choose))
	}
	if !network.IsEndpoint(a.Endpoint) {
		errs = append(errs, field.Invalid(field.NewPath("endpoint"), a.Endpoint,
			"must be the host and the port of the API server, api.example.com:6443 for example"))
	}
	return n, errs
}

const (
	useCalico = "has no Calico: use calico-vxlan or calico-bgp"
	useAntrea = "has no Antrea: use antrea"
)

func isAntrea(kind network.Kind) bool { return kind == network.Antrea }

type calicoObjectsResult struct {
	// Objects are the Kubernetes objects, in the order in which they are applied.
	Objects []map[string]any `pulumi:"objects" provider:"any"`
}

func calicoObjects(a *agentsArgs) (calicoObjectsResult, field.ErrorList) {
	n, errs := a.withDefaults(network.Kind.IsCalico, useCalico)
	if len(errs) > 0 {
		return calicoObjectsResult{}, errs
	}
	objects, err := n.CalicoObjects(a.Endpoint)
	return calicoObjectsResult{objects}, internal(err)
}

type calicoValuesResult struct {
	// Values are the values of the chart.
	Values map[string]any `pulumi:"values" provider:"any"`
}

func calicoValues(a *agentsArgs) (calicoValuesResult, field.ErrorList) {
	n, errs := a.withDefaults(network.Kind.IsCalico, useCalico)
	if len(errs) > 0 {
		return calicoValuesResult{}, errs
	}
	values, err := n.CalicoValues(a.Endpoint)
	return calicoValuesResult{values}, internal(err)
}

type antreaConfigResult struct {
	// Linux has the settings of the agents on Linux nodes, which are values of Antrea's Helm chart too.
	Linux map[string]any `pulumi:"linux" provider:"any"`
	// Windows has the settings of the agents on Windows nodes.
	Windows map[string]any `pulumi:"windows" provider:"any"`
}

func antreaConfig(a *agentsArgs) (antreaConfigResult, field.ErrorList) {
	n, errs := a.withDefaults(isAntrea, useAntrea)
	if len(errs) > 0 {
		return antreaConfigResult{}, errs
	}
	config, err := n.AntreaConfig(a.Endpoint)
	return antreaConfigResult{config.Linux, config.Windows}, internal(err)
}

type antreaManifestsArgs struct {
	agentsArgs
	// Manifests is the text of Antrea's manifests.
	Manifests string `pulumi:"manifests" required:"the text of antrea-windows-with-ovs.yml of a release of Antrea"`
}

type antreaManifestsResult struct {
	// YAML is the text with the settings.
	YAML string `pulumi:"yaml"`
}

func antreaManifests(a *antreaManifestsArgs) (antreaManifestsResult, field.ErrorList) {
	n, errs := a.withDefaults(isAntrea, useAntrea)
	if len(errs) > 0 || a.Manifests == "" {
		return antreaManifestsResult{}, errs
	}
	text, err := n.AntreaManifests(a.Manifests, a.Endpoint)
	if err != nil {
		errs = append(errs, field.Invalid(field.NewPath("manifests"), field.OmitValueType{}, err.Error()))
	}
	return antreaManifestsResult{text}, errs
}

type egressPoliciesResult struct {
	// Policies are the Kubernetes objects, in the order in which they are applied. The list is empty if nothing is
	// blocked, and for networks whose nodes block it themselves.
	Policies []map[string]any `pulumi:"policies" provider:"any"`
}

func egressPolicies(a *networkArgs) (egressPoliciesResult, field.ErrorList) {
	n, errs := a.withDefaults()
	if len(errs) > 0 {
		return egressPoliciesResult{}, errs
	}
	return egressPoliciesResult{n.EgressPolicies()}, nil
}

// internal returns an error about arguments that have been checked.
func internal(err error) field.ErrorList {
	if err == nil {
		return nil
	}
	return field.ErrorList{field.InternalError(nil, err)}
}
