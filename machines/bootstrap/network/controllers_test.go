package network_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestFlannelConfig(t *testing.T) {
	t.Parallel()
	wantText(t, good("", nil).WithDefaults().FlannelConfig(), `{
  "Network": "10.244.0.0/16",
  "Backend": {
    "Type": "vxlan",
    "VNI": 4096,
    "Port": 4789
  }
}
`)
	wantText(t, good(network.Antrea, nil).WithDefaults().FlannelConfig(), "")
}

func TestCalicoObjects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind               network.Kind
		bgp, encapsulation string
	}{
		{network.CalicoVXLAN, "Disabled", "VXLAN"},
		{network.CalicoBGP, "Enabled", "None"},
	}
	for _, tt := range tests {
		t.Run(string(tt.kind), func(t *testing.T) {
			t.Parallel()
			got, err := good(tt.kind, nil).WithDefaults().CalicoObjects("api.example.com:6443")
			if err != nil {
				t.Fatal(err)
			}
			want := []map[string]any{
				{
					"apiVersion": "v1", "kind": "ConfigMap",
					"metadata": map[string]any{"name": "kubernetes-services-endpoint", "namespace": "tigera-operator"},
					"data": map[string]any{
						"KUBERNETES_SERVICE_HOST": "api.example.com",
						"KUBERNETES_SERVICE_PORT": "6443",
					},
				},
				{
					"apiVersion": "operator.tigera.io/v1", "kind": "Installation",
					"metadata": map[string]any{"name": "default"},
					"spec": map[string]any{
						"serviceCIDRs": []any{"10.96.0.0/12"},
						"calicoNetwork": map[string]any{
							"windowsDataplane": "HNS", "bgp": tt.bgp,
							"ipPools": []any{map[string]any{
								"cidr": "10.244.0.0/16", "blockSize": int64(26), "encapsulation": tt.encapsulation,
								"natOutgoing": "Enabled", "nodeSelector": "all()",
							}},
						},
					},
				},
				{
					"apiVersion": "projectcalico.org/v3", "kind": "IPAMConfiguration",
					"metadata": map[string]any{"name": "default"},
					"spec":     map[string]any{"strictAffinity": true},
				},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
		})
	}
}

// The chart creates the same Installation and the same ConfigMap from its values.
func TestTheChartOfCalicoGetsTheSameSettings(t *testing.T) {
	t.Parallel()
	for _, kind := range []network.Kind{network.CalicoVXLAN, network.CalicoBGP} {
		n := good(kind, nil).WithDefaults()
		objects, err := n.CalicoObjects("api.example.com:6443")
		if err != nil {
			t.Fatal(err)
		}
		got, err := n.CalicoValues("api.example.com:6443")
		if err != nil {
			t.Fatal(err)
		}
		installation := map[string]any{"enabled": true}
		maps.Copy(installation, objects[1]["spec"].(map[string]any))
		want := map[string]any{
			"installation":              installation,
			"kubernetesServiceEndpoint": map[string]any{"host": "api.example.com", "port": "6443"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("values of %s (-want +got):\n%s", kind, diff)
		}
	}
}

func TestAntreaConfig(t *testing.T) {
	t.Parallel()
	got, err := good(network.Antrea, nil).WithDefaults().AntreaConfig("10.0.0.4:6443")
	if err != nil {
		t.Fatal(err)
	}
	want := network.AntreaConfig{
		Linux: map[string]any{"trafficEncapMode": "encap", "tunnelType": "geneve"},
		Windows: map[string]any{
			"trafficEncapMode": "encap", "tunnelType": "geneve",
			"antreaProxy":           map[string]any{"proxyAll": true},
			"kubeAPIServerOverride": "https://10.0.0.4:6443",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestControllersOfOtherKindsAndInvalidEndpoints(t *testing.T) {
	t.Parallel()
	calico := func(kind network.Kind, endpoint string) error {
		_, err := good(kind, nil).WithDefaults().CalicoObjects(endpoint)
		return err
	}
	values := func(kind network.Kind, endpoint string) error {
		_, err := good(kind, nil).WithDefaults().CalicoValues(endpoint)
		return err
	}
	antrea := func(kind network.Kind, endpoint string) error {
		_, err := good(kind, nil).WithDefaults().AntreaConfig(endpoint)
		return err
	}
	const use = " is not a host and a port: use the address of the API server, api.example.com:6443 for example"
	tests := []struct {
		name string
		err  error
		want string
	}{
		{
			"Calico of another kind", calico("", "a:6443"),
			"kind flannel-vxlan has no Calico: use calico-vxlan or calico-bgp",
		},
		{
			"a chart of Calico for another kind", values(network.Antrea, "a:6443"),
			"kind antrea has no Calico: use calico-vxlan or calico-bgp",
		},
		{"a chart of Calico with a host only", values(network.CalicoBGP, "a"), `endpoint "a"` + use},
		{"Calico with a host only", calico(network.CalicoBGP, "a"), `endpoint "a"` + use},
		{"Calico without a host", calico(network.CalicoBGP, ":6443"), `endpoint ":6443"` + use},
		{
			"Antrea of another kind", antrea(network.HostGateway, "a:6443"),
			"kind host-gateway has no Antrea: use antrea",
		},
		{"Antrea with a host only", antrea(network.Antrea, "a"), `endpoint "a"` + use},
		{"Antrea without a port", antrea(network.Antrea, "a:"), `endpoint "a:"` + use},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.err == nil || tt.err.Error() != tt.want {
				t.Errorf("got %v, want %s", tt.err, tt.want)
			}
		})
	}
}

// TestPropertiesOfEachKind is a table of what differs by kind and is small.
func TestPropertiesOfEachKind(t *testing.T) {
	t.Parallel()
	const tcp, udp = corev1.ProtocolTCP, corev1.ProtocolUDP
	typha := network.Port{
		Protocol: tcp, Port: 5473,
		Why: "Calico's Typha, which tells the nodes what the API server knows",
	}
	tests := []struct {
		kind               network.Kind
		planned, allocated bool
		ports              []network.Port
		kubeProxy          network.KubeProxyWindows
	}{
		{
			network.UpstreamL3, true, false, nil,
			network.KubeProxyWindows{
				Needed: true, NetworkName: "l2bridge", RootHNSEndpointName: "cbr0",
				EnableDSR: true,
			},
		},
		{
			network.HostGateway, true, false, nil,
			network.KubeProxyWindows{
				Needed: true, NetworkName: "l2bridge", RootHNSEndpointName: "cbr0",
				EnableDSR: true,
			},
		},
		{
			network.FlannelVXLAN, false, true,
			[]network.Port{{Protocol: udp, Port: 4789, Why: "flannel's VXLAN"}},
			network.KubeProxyWindows{Needed: true, NetworkName: "flannel.4096", NeedsSourceVIP: true, EnableDSR: true},
		},
		{
			network.CalicoVXLAN, false, false,
			[]network.Port{{Protocol: udp, Port: 4789, Why: "Calico's VXLAN"}, typha},
			network.KubeProxyWindows{
				Needed: true, NetworkName: "Calico", RootHNSEndpointName: "Calico_ep",
				NeedsSourceVIP: true, SourceVIPEndpoint: "Calico_ep", EnableDSR: true,
			},
		},
		{
			network.CalicoBGP, false, false,
			[]network.Port{{Protocol: tcp, Port: 179, Why: "Calico's BGP"}, typha},
			network.KubeProxyWindows{
				Needed: true, NetworkName: "Calico", RootHNSEndpointName: "Calico_ep",
				EnableDSR: true,
			},
		},
		{
			network.Antrea, false, true,
			[]network.Port{
				{Protocol: udp, Port: 6081, Why: "Antrea's Geneve"},
				{Protocol: tcp, Port: 10349, Why: "Antrea's controller"},
				{Protocol: tcp, Port: 10350, Why: "the API of Antrea's agents"},
				{Protocol: tcp, Port: 10351, Why: "the membership of Antrea's agents"},
				{Protocol: udp, Port: 10351, Why: "the membership of Antrea's agents"},
			},
			network.KubeProxyWindows{},
		},
		{"weave", false, false, nil, network.KubeProxyWindows{}},
	}
	if got, want := len(network.Kinds()), len(tests)-1; got != want {
		t.Errorf("there are %d kinds, and %d in the table", got, want)
	}
	for _, tt := range tests {
		t.Run(string(tt.kind), func(t *testing.T) {
			t.Parallel()
			if got := tt.kind.Planned(); got != tt.planned {
				t.Errorf("planned: %v", got)
			}
			if got := tt.kind.Allocated(); got != tt.allocated {
				t.Errorf("allocated: %v", got)
			}
			n := good(tt.kind, nil)
			if diff := cmp.Diff(tt.ports, n.WithDefaults().Ports()); diff != "" {
				t.Errorf("ports (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.kubeProxy, n.WithDefaults().KubeProxyWindows()); diff != "" {
				t.Errorf("kube-proxy (-want +got):\n%s", diff)
			}
		})
	}
}

// The names of kube-proxy's network and of the configuration are one, as kube-proxy
// waits for the one that the plugin uses.
func TestKubeProxyAndTheConfigurationNameOneNetwork(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		n := good(kind, nil)
		_, content, ok := n.WithDefaults().CNIConfig(plan(t, n, someNodes(nil)).Nodes[1])
		if !ok {
			continue
		}
		if got, want := nameOf(t, content), n.WithDefaults().KubeProxyWindows().NetworkName; got != want {
			t.Errorf("%s: the configuration has %q, kube-proxy %q", kind, got, want)
		}
	}
}
