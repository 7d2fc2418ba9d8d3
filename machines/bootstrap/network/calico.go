package network

import (
	"fmt"
	"maps"
	"strings"
)

// CalicoObjects returns what Calico's operator needs to be told, as Kubernetes objects, in
// the order in which they are applied: the ConfigMap with the address of the API server,
// which Windows nodes cannot reach through its Service before Calico runs; the
// Installation; and the IPAMConfiguration with strict affinity, without which a Linux
// node may take an address of a Windows node's block. The last one needs Calico's API
// server; it exists already once Calico runs, so it has to be merged, not created.
// The chart of the operator creates the first two from [Defaulted.CalicoValues].
//
// The operator itself and its CustomResourceDefinitions come from Calico's release, 3.27
// or newer. For CalicoBGP a Windows node also needs the features RemoteAccess and
// Routing. Source: https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/operator.
//
// The endpoint is the API server's, host:port. It is an error if it is not, and for the
// other kinds.
func (n Defaulted) CalicoObjects(endpoint string) ([]map[string]any, error) {
	if err := n.checkCalico(endpoint); err != nil {
		return nil, err
	}
	host, port, _ := strings.Cut(endpoint, ":")
	return []map[string]any{
		{
			"apiVersion": "v1",
			"kind":       "ConfigMap",
			"metadata":   map[string]any{"name": "kubernetes-services-endpoint", "namespace": "tigera-operator"},
			"data":       map[string]any{"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port},
		},
		{
			"apiVersion": "operator.tigera.io/v1",
			"kind":       "Installation",
			"metadata":   map[string]any{"name": "default"},
			"spec":       n.calicoInstallation(),
		},
		{
			"apiVersion": "projectcalico.org/v3",
			"kind":       "IPAMConfiguration",
			"metadata":   map[string]any{"name": "default"},
			"spec":       map[string]any{"strictAffinity": true},
		},
	}, nil
}

// CalicoValues returns the values for tigera-operator, the Helm chart of Calico's operator,
// release 3.27 or newer. With them the chart creates the first two objects of
// [Defaulted.CalicoObjects]. Install it in the namespace tigera-operator, which must exist.
// Source: https://github.com/projectcalico/calico/tree/master/charts/tigera-operator.
//
// The endpoint is the API server's, host:port. It is an error if it is not, and for the
// other kinds.
func (n Defaulted) CalicoValues(endpoint string) (map[string]any, error) {
	if err := n.checkCalico(endpoint); err != nil {
		return nil, err
	}
	host, port, _ := strings.Cut(endpoint, ":")
	installation := map[string]any{"enabled": true}
	maps.Copy(installation, n.calicoInstallation())
	return map[string]any{
		"installation":              installation,
		"kubernetesServiceEndpoint": map[string]any{"host": host, "port": port},
	}, nil
}

func (n Defaulted) checkCalico(endpoint string) error {
	if !n.Kind.IsCalico() {
		return fmt.Errorf("kind %s has no Calico: use %s or %s", n.Kind, CalicoVXLAN, CalicoBGP)
	}
	if !IsEndpoint(endpoint) {
		return endpointError(endpoint)
	}
	return nil
}

func (n Defaulted) calicoInstallation() map[string]any {
	// Windows takes VXLAN everywhere or BGP without any encapsulation, nothing between.
	bgp, encapsulation := "Disabled", "VXLAN"
	if n.Kind == CalicoBGP {
		bgp, encapsulation = "Enabled", "None"
	}
	return map[string]any{
		"serviceCIDRs": []any{n.ServiceCIDR.String()},
		"calicoNetwork": map[string]any{
			"windowsDataplane": "HNS",
			"bgp":              bgp,
			// One pool, which is all that Windows nodes take.
			"ipPools": []any{map[string]any{
				"cidr":          n.PodCIDR.String(),
				"blockSize":     int64(n.NodeMaskSize),
				"encapsulation": encapsulation,
				"natOutgoing":   "Enabled",
				"nodeSelector":  "all()",
			}},
		},
	}
}

func endpointError(endpoint string) error {
	return fmt.Errorf(
		"endpoint %q is not a host and a port: use the address of the API server, api.example.com:6443 for example",
		endpoint,
	)
}
