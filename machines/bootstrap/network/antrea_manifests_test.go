package network_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// antreaManifests has a ConfigMap for each system, as in releases of Antrea, and other objects.
const antreaManifests = `---
# Source: antrea-windows/templates/configmaps/antrea-agent-windows.yaml
apiVersion: v1
data:
  Run-AntreaAgent.ps1: |
    # antrea-agent.conf is elsewhere.
    ---
kind: ConfigMap
metadata:
  name: antrea-agent-windows
---
apiVersion: v1
data:
  antrea-agent.conf: |
    # Encapsulation mode
    #tunnelType: geneve
    featureGates:
    #kubeAPIServerOverride: ""
    tunnelType: vxlan
    antreaProxy:
      enable: true
      proxyAll: false
  antrea-cni.conflist: |
    {"name": "antrea"}
kind: ConfigMap
metadata:
  name: antrea-windows-config
--- # Linux
apiVersion: v1
kind: ConfigMap
metadata: {name: antrea-config, namespace: kube-system}
data: {antrea-agent.conf: "trafficEncapMode: noEncap\n", antrea-controller.conf: "tunnelType: vxlan\n"}
---
apiVersion: apps/v1
kind: DaemonSet # with a comment
metadata: {name: antrea-agent-windows}
`

func TestManifestsOfAntreaGetTheSettingsOfItsAgents(t *testing.T) {
	t.Parallel()
	got, err := good(network.Antrea, nil).WithDefaults().AntreaManifests(antreaManifests, "10.0.0.4:6443")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, got, `---
# Source: antrea-windows/templates/configmaps/antrea-agent-windows.yaml
apiVersion: v1
data:
  Run-AntreaAgent.ps1: |
    # antrea-agent.conf is elsewhere.
    ---
kind: ConfigMap
metadata:
  name: antrea-agent-windows
---
apiVersion: v1
data:
    antrea-agent.conf: |
        antreaProxy:
            enable: true
            proxyAll: true
        featureGates: null
        kubeAPIServerOverride: https://10.0.0.4:6443
        trafficEncapMode: encap
        tunnelType: geneve
    antrea-cni.conflist: |
        {"name": "antrea"}
kind: ConfigMap
metadata:
    name: antrea-windows-config
--- # Linux
apiVersion: v1
data:
    antrea-agent.conf: |
        trafficEncapMode: encap
        tunnelType: geneve
    antrea-controller.conf: |
        tunnelType: vxlan
kind: ConfigMap
metadata:
    name: antrea-config
    namespace: kube-system
---
apiVersion: apps/v1
kind: DaemonSet # with a comment
metadata: {name: antrea-agent-windows}
`)
	again, err := good(network.Antrea, nil).WithDefaults().AntreaManifests(got, "10.0.0.4:6443")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, again, got)
}

func TestManifestsThatAreNotOfAntrea(t *testing.T) {
	t.Parallel()
	const missing = "manifests of Antrea: no ConfigMap antrea-config or antrea-windows-config with the key " +
		"antrea-agent.conf: use antrea-windows-with-ovs.yml, antrea-windows.yml or antrea.yml of a release of Antrea"
	windows := func(conf string) string {
		return "kind: Namespace\n---\n{kind: ConfigMap, metadata: {name: antrea-windows-config}, data: " + conf + "}\n"
	}
	for _, tt := range []struct {
		name           string
		kind           network.Kind
		text, endpoint string
		want           string
	}{
		{"no text", network.Antrea, "", "a:6443", missing},
		{"other objects", network.Antrea, "kind: Secret\nmetadata: {name: antrea-config}\n", "a:6443", missing},
		{"no configuration", network.Antrea, windows("{other.conf: a}"), "a:6443", missing},
		{
			"a configuration that is not YAML", network.Antrea, windows(`{antrea-agent.conf: "{password"}`), "a:6443",
			"manifests of Antrea, document at line 3: antrea-agent.conf is not YAML",
		},
		{
			"not YAML", network.Antrea, "kind: [\n", "a:6443",
			"manifests of Antrea, document at line 1: yaml: line 1: did not find expected node content",
		},
		{
			"another kind", network.CalicoBGP, antreaManifests, "a:6443", "kind calico-bgp has no Antrea: use antrea",
		},
		{
			"no port", network.Antrea, antreaManifests, "a", `endpoint "a" is not a host and a port: use the address ` +
				`of ` +
				`the API server, api.example.com:6443 for example`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := good(tt.kind, nil).WithDefaults().AntreaManifests(tt.text, tt.endpoint)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || got != "" {
				t.Errorf("got %q and %v, want %s", got, err, tt.want)
			}
		})
	}
}
