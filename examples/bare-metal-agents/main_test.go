package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestTheAgentsOfEachNetwork(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string][]string{
		"":             {"kube-flannel-ds", "kube-flannel-windows", "kube-proxy-windows"},
		"host-gateway": {"kube-proxy-windows"},
		"calico-vxlan": {"kube-proxy-windows"},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			options := []mocktest.Option{mocktest.Project("bare-metal-agents", "dev"), mocktest.Preview()}
			if kind != "" {
				options = append(options, mocktest.Config(map[string]string{"bare-metal-agents:network": kind}))
			}
			var got []string
			for _, set := range mocktest.MustRun(t, program, options...).ByType("kubernetes:apps/v1:DaemonSet") {
				got = append(got, set.Plain()["metadata"].(map[string]any)["name"].(string))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("DaemonSets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKubeProxyIsRefusedWithAntrea(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(program, mocktest.Project("bare-metal-agents", "dev"), mocktest.Preview(),
		mocktest.Config(map[string]string{"bare-metal-agents:network": "antrea"}))
	const want = `mixedkube:hostprocess:KubeProxy "kube-proxy": network.kind: Invalid value: "antrea": has an agent ` +
		`that replaces kube-proxy on Windows nodes: leave kube-proxy out, or choose another kind`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
