package hostprocess_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	configMapType = "kubernetes:core/v1:ConfigMap"
	daemonSetType = "kubernetes:apps/v1:DaemonSet"
	endpoint      = "api.example.com:6443"
)

func ofKind(kind network.Kind) network.Network {
	return network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")}
}

// kubeProxyKinds returns those whose Windows nodes have a kube-proxy.
func kubeProxyKinds() []network.Kind {
	return []network.Kind{
		network.UpstreamL3, network.HostGateway, network.FlannelVXLAN, network.CalicoVXLAN,
		network.CalicoBGP,
	}
}

// newKubeProxy returns a program with kube-proxy.
func newKubeProxy(args *hostprocess.KubeProxyArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewKubeProxy(ctx, "proxy", args, opts...)
		return err
	}
}

// newFlannel returns a program with flannel.
func newFlannel(args *hostprocess.FlannelArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewFlannel(ctx, "network", args, opts...)
		return err
	}
}

// programs are one for each kind of kube-proxy, and flannel.
func programs() map[string]pulumi.RunFunc {
	all := map[string]pulumi.RunFunc{
		"kube-proxy with an account of its own": newKubeProxy(
			&hostprocess.KubeProxyArgs{
				Network: ofKind(network.UpstreamL3), Endpoint: pulumi.String(endpoint),
				OwnServiceAccount: true,
			},
		),
		"flannel": newFlannel(
			&hostprocess.FlannelArgs{Network: ofKind(network.FlannelVXLAN), Endpoint: pulumi.String(endpoint)},
		),
	}
	for _, kind := range kubeProxyKinds() {
		args := &hostprocess.KubeProxyArgs{Network: ofKind(kind), Endpoint: pulumi.String(endpoint)}
		all["kube-proxy for "+string(kind)] = newKubeProxy(args)
	}
	return all
}

// data returns the data of a ConfigMap.
func data(t *testing.T, r mocktest.Resource) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for key, value := range r.Plain()["data"].(map[string]any) {
		texts[key] = value.(string)
	}
	return texts
}

// withoutScripts leaves the text of the scripts out of a graph: another test compares it
// with their files.
func withoutScripts(graph string) string {
	var remaining []string
	inside := -1
	for line := range strings.SplitSeq(graph, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if inside >= 0 && (line == "" || indent > inside) {
			continue
		}
		inside = -1
		remaining = append(remaining, line)
		if strings.Contains(line, ".ps1: |") {
			inside = indent
		}
	}
	return strings.Join(remaining, "\n")
}
