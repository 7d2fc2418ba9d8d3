package connectivity_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	notHTTP = "must be an http address, http://example.com/ for example: the Linux image cannot check the " +
		"certificate of an https one"
	notAddress = "must be an IP address or a DNS name, without a port: that is the Service's"
	notName    = "Services and Jobs are named after it: at most 16 lower-case letters, digits and hyphens, with a " +
		"letter first and no hyphen last"
	notTimeout = "must be 1 to 3600, or left out for 120"
	whitespace = "must not have leading, trailing or other whitespace: write registry/repository:tag"
)

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args *connectivity.SuiteArgs
		want string
	}{
		{
			"nothing", nil, `: topology.pools: Required value: at least one Linux pool: cluster add-ons such as ` +
				`CoreDNS run on Linux only`,
		},
		{
			"no nodes",
			&connectivity.SuiteArgs{Topology: topology.Topology{Pools: []topology.Pool{{
				Name:     "sys",
				Platform: platform.Linux, Empty: true,
			}}}},
			`: topology.pools: Invalid value: 1: none of them has nodes: there is nothing to check`,
		},
		{"https", &connectivity.SuiteArgs{Topology: two, OutboundURL: "https://example.com/"}, `: outboundURL: Invalid value: "https://example.com/": ` + notHTTP},
		{
			"no scheme", &connectivity.SuiteArgs{Topology: two, OutboundURL: "example.com"},
			`: outboundURL: Invalid value: "example.com": ` + notHTTP,
		},
		{
			"no host", &connectivity.SuiteArgs{Topology: two, OutboundURL: "http:///x"},
			`: outboundURL: Invalid value: "http:///x": ` + notHTTP,
		},
		{
			"a password", &connectivity.SuiteArgs{Topology: two, OutboundURL: "http://a:b@example.com/"},
			`: outboundURL: Invalid value: "http://a:xxxxx@example.com/": must have no user and no password: the ` +
				`check sends none`,
		},
		{"a password for https", &connectivity.SuiteArgs{Topology: two, OutboundURL: "https://a:b@example.com/"}, `: outboundURL: Invalid value: "https://a:xxxxx@example.com/": ` + notHTTP},
		{
			"a password in an invalid address",
			&connectivity.SuiteArgs{Topology: two, OutboundURL: "http://a:b%@example.com/"},
			`: outboundURL: Invalid value: "": ` + notHTTP,
		},
		{
			"a password without a scheme", &connectivity.SuiteArgs{Topology: two, OutboundURL: "a:b@example.com/"},
			`: outboundURL: Invalid value: "": ` + notHTTP,
		},
		{
			"a misspelled check",
			&connectivity.SuiteArgs{Topology: two, Skip: []connectivity.Check{connectivity.Outbound, "6-inbuond"}},
			`: skip[1]: Invalid value: "6-inbuond": unknown check: did you mean "6-inbound"? ` +
				`(use 1-pod-running, 2-node-to-pod, 3-pod-to-pod, 4-service-to-pod, 5-service-discovery, ` +
				`6-inbound or 7-outbound)`,
		},
		{
			"no pods",
			&connectivity.SuiteArgs{Topology: two, Skip: []connectivity.Check{connectivity.PodRunning}},
			`: skip[0]: Invalid value: "1-pod-running": all other checks need the pods: to check nothing, leave the ` +
				`suite out`,
		},
		{
			"a node address with a port",
			&connectivity.SuiteArgs{Topology: two, NodeAddress: pulumi.String("10.0.0.4:30001")},
			`: nodeAddress: Invalid value: "10.0.0.4:30001": ` + notAddress,
		},
		{
			"everything at once",
			&connectivity.SuiteArgs{
				Topology: topology.Topology{Pools: []topology.Pool{
					{Name: "sys", Platform: platform.Linux},
					{Name: "win", Platform: "windows-2020"},
				}}, Namespace: pulumi.String("Shop"),
				ClusterDomain: pulumi.String("cluster.local."),
				OutboundURL:   "ftp://example.com", NodeAddress: pulumi.String("node:80"), TimeoutSeconds: -1,
				Images: connectivity.Images{Linux: "a b", HostProcess: " c", Windows: map[platform.Platform]string{
					platform.Linux: "d", platform.WindowsServer2025: "e",
				}},
			},
			strings.Join([]string{
				":",
				`clusterDomain: Invalid value: "cluster.local.": must be a DNS name without a dot at its ends, ` +
					`cluster.local for example`,
				`images.hostProcess: Invalid value: " c": ` + whitespace,
				`images.linux: Invalid value: "a b": ` + whitespace,
				`images.windows[linux]: Invalid value: "linux": no Windows pool of the topology runs it: its ` +
					`platforms are linux`,
				`images.windows[windows-2025]: Invalid value: "windows-2025": no Windows pool of the topology runs ` +
					`it: its platforms are linux`,
				`namespace: Invalid value: "Shop": ` + strings.Join(validation.IsDNS1123Label("Shop"), "; ") +
					": give the name of a namespace",
				`nodeAddress: Invalid value: "node:80": ` + notAddress,
				`outboundURL: Invalid value: "ftp://example.com": ` + notHTTP,
				`timeoutSeconds: Invalid value: -1: ` + notTimeout,
				`topology.pools[1].platform: Invalid value: "windows-2020": unknown platform: did you mean ` +
					`"windows-2022"? a pool runs linux, windows-2019, windows-2022 or windows-2025`,
			}, "\n  "),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newSuite(tt.args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, `mixedkube:connectivity:Suite "net"`+tt.want)
		})
	}
}

func TestWrongNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Net", "1net", "net-", "a.b", "the-nets-of-a-mix"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
				_, err := connectivity.NewSuite(ctx, name, &connectivity.SuiteArgs{Topology: two})
				return err
			}, mocktest.Preview())
			golden.Refused(t, graph.Resources(), err,
				`mixedkube:connectivity:Suite "`+name+`": name: Invalid value: "`+name+`": `+notName)
		})
	}
}
