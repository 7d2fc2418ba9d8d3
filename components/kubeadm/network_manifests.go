package kubeadm

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// EgressPolicies returns the objects that keep the pods of Windows nodes from destinations that the cluster blocks, if
// its network is Calico's or Antrea's: see [network.Defaulted.EgressPolicies]. Apply them once it runs.
func (c *Cluster) EgressPolicies() []map[string]any { return c.Network.EgressPolicies() }

// networkManifests returns the manifests that install the network, with what follows from the cluster.
func (s clusterSpec) networkManifests() (string, error) {
	n, endpoint := s.azure.Network, s.azure.Endpoint()
	switch {
	case n.Kind.UserInstalled() == "":
		return "", fmt.Errorf("the component installs the network %s itself: remove them", n.Kind)
	case n.Kind == network.Antrea:
		return n.AntreaManifests(s.NetworkManifests, endpoint)
	}
	objects, err := n.CalicoObjects(endpoint)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	text.WriteString(strings.TrimRight(s.NetworkManifests, "\n") + "\n")
	for _, object := range objects[:2] { // the last one needs Calico
		written, err := json.Marshal(object)
		if err != nil {
			return "", err
		}
		text.WriteString("---\n" + string(written) + "\n")
	}
	return text.String(), nil
}

// networkGroup returns the arguments of the group with the manifests.
func (s clusterSpec) networkGroup(text string) *manifest.GroupArgs {
	return &manifest.GroupArgs{YAML: text, Options: manifest.Options{Topology: s.azure.Topology()}}
}

// checkNetworkManifests returns what keeps the manifests from being installed.
func (s clusterSpec) checkNetworkManifests() field.ErrorList {
	if s.NetworkManifests == "" {
		return nil
	}
	wrong := func(why string) *field.Error {
		return field.Invalid(field.NewPath("networkManifests"), field.OmitValueType{}, why)
	}
	text, err := s.networkManifests()
	if err != nil {
		return field.ErrorList{wrong(err.Error())}
	}
	files := []manifest.File{{Name: "networkManifests", Text: []byte(text)}}
	result, problems := conversion.ConvertObjects(files, s.networkGroup(text).Options)
	var errs field.ErrorList
	for _, problem := range problems {
		errs = append(errs, wrong(problem.Error()))
	}
	for _, f := range result.Findings {
		if f.Blocks() {
			errs = append(errs, wrong(f.String()))
		}
	}
	return errs
}

// newNetwork installs the manifests.
func (c construction) newNetwork(options ...pulumi.ResourceOption) (pulumi.Resource, error) {
	text, err := c.networkManifests()
	if err != nil {
		return nil, err
	}
	return manifest.NewGroup(c.ctx, c.name+"-network-agents", c.networkGroup(text), options...)
}

// networkSteps describes what remains to do for a network that you install; "" if nothing does.
func (s clusterSpec) networkSteps() string {
	kind := s.azure.Network.Kind
	switch {
	case kind.UserInstalled() == "":
		return ""
	case s.NetworkManifests == "":
		return fmt.Sprintf("the network %s is not installed: install %s with NetworkProvider, or with kubectl; no "+
			"node "+
			"becomes Ready before", kind, kind.UserInstalled())
	case kind.IsCalico():
		return "once Calico runs, apply what EgressPolicies returns, and merge the last object of CalicoObjects"
	default:
		return "once Antrea runs, apply what EgressPolicies returns"
	}
}
