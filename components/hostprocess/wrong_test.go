package hostprocess_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	noEndpoint = "endpoint: Required value: the address of the API server that all nodes reach, " +
		"api.example.com:6443 for example"
	noNodeCIDR  = "network.nodeCIDR: Required value: the range of the nodes' own addresses, 10.0.0.0/24 for example"
	notEndpoint = "must be a host and a port, api.example.com:6443 for example"
	whitespace  = "must not have leading, trailing or other whitespace: write registry/repository:tag"
	// notReference is preflight's message about such an image.
	notReference = "… (MK224)"
)

// Texts of Kubernetes, which the errors quote.
var (
	subdomain = validation.IsDNS1123Subdomain("_")[0]
	label     = validation.IsDNS1123Label("_")[0]
)

func TestWrongArgumentsOfKubeProxy(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args *hostprocess.KubeProxyArgs
		want string
	}{
		{"nothing", nil, strings.Join([]string{":", noEndpoint, noNodeCIDR}, "\n  ")},
		{
			"a network with an agent of its own",
			&hostprocess.KubeProxyArgs{Network: ofKind(network.Antrea), Endpoint: pulumi.String(endpoint)},
			`: network.kind: Invalid value: "antrea": has an agent that replaces kube-proxy on Windows nodes: leave ` +
				`kube-proxy out, or choose another kind`,
		},
		{
			"a kind that does not exist, with no further errors",
			&hostprocess.KubeProxyArgs{Network: ofKind("flannel"), Endpoint: pulumi.String(endpoint)},
			`: network.kind: Invalid value: "flannel": unknown kind (use upstream-l3, host-gateway, ` +
				`flannel-vxlan, calico-vxlan, calico-bgp or antrea)`,
		},
		{
			"an endpoint with a scheme",
			&hostprocess.KubeProxyArgs{
				Network: ofKind(network.FlannelVXLAN), Endpoint: pulumi.String("https://api.example.com:6443"),
			},
			`: endpoint: Invalid value: "https://api.example.com:6443": ` + notEndpoint,
		},
		{
			"an endpoint without a port",
			&hostprocess.KubeProxyArgs{Network: ofKind(network.FlannelVXLAN), Endpoint: pulumi.String("10.0.0.4")},
			`: endpoint: Invalid value: "10.0.0.4": ` + notEndpoint,
		},
		{
			"an endpoint with too high a port",
			&hostprocess.KubeProxyArgs{
				Network: ofKind(network.FlannelVXLAN), Endpoint: pulumi.String("10.0.0.4:65536"),
			},
			`: endpoint: Invalid value: "10.0.0.4:65536": ` + notEndpoint,
		},
		{
			"everything at once",
			&hostprocess.KubeProxyArgs{
				Network:  network.Network{Kind: network.Antrea, NodeCIDR: netip.MustParsePrefix("10.0.0.1/24")},
				Endpoint: pulumi.String("api.example.com:0"), Image: "mirror.example.com/hpc:1 ",
			},
			strings.Join([]string{
				":",
				`endpoint: Invalid value: "api.example.com:0": ` + notEndpoint,
				`image: Invalid value: "mirror.example.com/hpc:1 ": ` + whitespace,
				`network.kind: Invalid value: "antrea": has an agent that replaces kube-proxy on Windows nodes: ` +
					`leave kube-proxy out, or choose another kind`,
				`network.nodeCIDR: Invalid value: "10.0.0.1/24": has an address inside a range, not its first: use ` +
					`10.0.0.0/24`,
			}, "\n  "),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newKubeProxy(tt.args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, `mixedkube:hostprocess:KubeProxy "proxy"`+tt.want)
		})
	}
}

func TestWrongArgumentsOfFlannel(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args *hostprocess.FlannelArgs
		want string
	}{
		{"nothing", nil, strings.Join([]string{":", noEndpoint, noNodeCIDR}, "\n  ")},
		{
			"another kind of network",
			&hostprocess.FlannelArgs{Network: ofKind(network.CalicoBGP), Endpoint: pulumi.String(endpoint)},
			`: network.kind: Invalid value: "calico-bgp": has no flannel: leave it out, or choose flannel-vxlan`,
		},
		{
			"everything at once",
			&hostprocess.FlannelArgs{
				Network: ofKind(network.HostGateway), Endpoint: pulumi.String("api"), Image: "a b",
				PluginImage: "c\n", WindowsImage: " d",
			},
			strings.Join([]string{
				":",
				`endpoint: Invalid value: "api": ` + notEndpoint,
				`image: Invalid value: "a b": ` + whitespace,
				`network.kind: Invalid value: "host-gateway": has no flannel: leave it out, or choose flannel-vxlan`,
				`pluginImage: Invalid value: "c\n": ` + whitespace,
				`windowsImage: Invalid value: " d": ` + whitespace,
			}, "\n  "),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newFlannel(tt.args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, `mixedkube:hostprocess:Flannel "network"`+tt.want)
		})
	}
}

func TestImagesCanBeReplaced(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newFlannel(&hostprocess.FlannelArgs{
		Network: ofKind(network.FlannelVXLAN), Endpoint: pulumi.String(endpoint), Image: "m/flannel:1",
		PluginImage:  "m/plugin:1",
		WindowsImage: "m/hpc:1",
	}))
	text := graph.String()
	for image, count := range map[string]int{
		"m/flannel:1": 2, "m/plugin:1": 1, "m/hpc:1": 1, "ghcr.io": 0,
		hostprocess.DefaultImage: 0,
	} {
		if got := strings.Count(text, image); got != count {
			t.Errorf("%s is there %d times, want %d", image, got, count)
		}
	}
}
