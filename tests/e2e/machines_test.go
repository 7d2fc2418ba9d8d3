package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab"
	pods "github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// TestMachines deploys the stack of a self-managed cluster with each network that works in Azure: the scripts that
// Azure runs on machines make them nodes, the workloads land on the right nodes, no changes are left, and destroy
// leaves nothing.
func TestMachines(t *testing.T) {
	t.Parallel()
	const (
		controlPlane = "control-plane-0 Standard_D2s_v5 linux node-role.kubernetes.io/control-plane:NoSchedule\n"
		linux        = "linux-30g-0 Standard_D4s_v5 linux\nlinux-30g-1 Standard_D4s_v5 linux\n"
		win19        = "win19-bgr-0 Standard_D4s_v5 windows 10.0.17763 os=windows:NoSchedule\n"
		win22        = "win22-7fh-0 Standard_D4s_v5 windows 10.0.20348 os=windows:NoSchedule\nwin22-7fh-1 " +
			"Standard_D4s_v5 windows 10.0.20348 os=windows:NoSchedule\n"
		win25 = "win25-sev-0 Standard_D4s_v5 windows 10.0.26100 os=windows:NoSchedule\n"
	)
	for _, c := range sample.Of(t, []struct {
		kind   pods.Kind
		pools  int // the number of pools, from the start of the stack's list
		nodes  string
		status string
	}{
		{pods.UpstreamL3, 4, controlPlane + linux + win19 + win22 + win25, "on 7 nodes, 0 problems"},
		{pods.HostGateway, 4, controlPlane + linux + win19 + win22 + win25, "on 7 nodes, 0 problems"},
		{pods.FlannelVXLAN, 4, controlPlane + linux + win19 + win22 + win25, "on 7 nodes, 0 problems"},
		// Calico does not support Windows Server 2025.
		{pods.CalicoVXLAN, 3, controlPlane + linux + win19 + win22, "on 6 nodes, 0 problems"},
		{pods.Antrea, 4, controlPlane + linux + win19 + win22 + win25, "on 7 nodes, 0 problems"},
	}, 2) {
		t.Run(string(c.kind), func(t *testing.T) {
			t.Parallel()
			l := newMachinesLab(t)
			l.setKind(c.kind)
			servicePorts := c.kind != pods.UpstreamL3 // the unchanged stack has none
			if servicePorts {
				l.kubeadm()["servicePorts"] = []any{map[string]any{
					"port": 80, "nodePort": 30080,
					"sources": []any{"198.51.100.0/24"},
				}}
			}
			l.cluster()["pools"] = l.cluster()["pools"].([]any)[:c.pools]
			l.write(t)
			check(t, l.Up(t.Context(), lab.Options{Stack: machinesStack}))
			contains(t, l.Out.Take(), "nodes are created with the pools, 0 exist", c.status)
			client := l.client(t)
			labtest.SameLines(t, "nodes", c.nodes, machineLines(t, client))
			if diff := cmp.Diff(l.plannedRoutes(t), l.routes(t)); diff != "" {
				t.Errorf("routes (-want +have):\n%s", diff)
			}
			if ports := l.checkServices(t, client); slices.Contains(ports, 30080) != servicePorts {
				t.Errorf("the Services of IIS have the node ports %d, and the load balancer uses 30080: %t", ports,
					servicePorts)
			}
			if _, ok := l.stored(t)["Microsoft.Network/publicIPAddresses"][machinesStack+
				"-services"]; ok != servicePorts {
				t.Errorf("the load balancer has an address: %t, want %t", ok, servicePorts)
			}
			if servicePorts {
				l.checkBalancer(t)
			}
			l.balancedService(t, client)
			stack := l.deployment(t)
			check(t, stack.Preview(t.Context(), "--expect-no-changes"))
			l.checkNoAddress(t, client)
			check(t, stack.Destroy(t.Context(), "--skip-preview"))
			checkNothingLeft(t, l, client)
		})
	}
}

const machinesExample = "kubeadm-quickstart"

// TestTheExampleOfMachines deploys the example, whose network is flannel, with its programs in Go and in YAML.
func TestTheExampleOfMachines(t *testing.T) {
	t.Parallel()
	t.Run("go", func(t *testing.T) {
		t.Parallel()
		l := newMachinesLab(t)
		l.deployExample(t, ".", "hashes", l.hashes())
	})
	t.Run("yaml", func(t *testing.T) {
		t.Parallel()
		l := newMachinesLab(t)
		l.deployExample(t, "yaml", "releases", l.releases(t))
	})
}

// releases returns releases.yaml of the example, with the hashes that are empty in it.
func (l *machinesLab) releases(t *testing.T) any {
	t.Helper()
	content, err := os.ReadFile(filepath.FromSlash("../../examples/" + machinesExample + "/releases.yaml"))
	check(t, err)
	var file struct {
		Config map[string]any `json:"config"`
	}
	check(t, yaml.Unmarshal(content, &file))
	hashes := l.hashes()
	var complete func(any)
	complete = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, element := range value {
				complete(element)
			}
		case map[string]any:
			if url, ok := value["url"].(string); ok && value["sha256"] == "" {
				value["sha256"] = hashes[url]
			}
			for _, element := range value {
				complete(element)
			}
		}
	}
	complete(file.Config)
	return file.Config[machinesExample+":releases"]
}

// deployExample deploys the example with the program in a directory and with a value in its configuration.
func (l *machinesLab) deployExample(t *testing.T, dir, key string, value any) {
	t.Helper()
	l.start(t)
	text, err := json.Marshal(value)
	check(t, err)
	config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	sshPublicKey := l.kubeadm()["linuxAdmin"].(map[string]any)["sshPublicKey"]
	check(t, os.WriteFile(config,
		fmt.Appendf(nil, "config:\n  azure-native:location: westeurope\n  %[1]s:sshPublicKey: %[2]s\n  %[1]s:%[3]s: "+
			"%[4]s\n", machinesExample, sshPublicKey, key, text), 0o600))
	stack := l.project(t, "examples/"+machinesExample+"/"+dir, "dev", config)
	check(t, stack.SetSecret(t.Context(), machinesExample+":windowsPassword", "Correct-Horse-Battery-9"))
	check(t, stack.Up(t.Context()))
	client := l.client(t)
	labtest.SameLines(t, "nodes", `
		control-plane-0 Standard_D2s_v5 linux node-role.kubernetes.io/control-plane:NoSchedule
		linux-30g-0 Standard_D4s_v5 linux
		win22-7fh-0 Standard_D4s_v5 windows 10.0.20348 os=windows:NoSchedule
	`, machineLines(t, client))
	// Another name of the stack changes no key, and so nothing.
	renamed := *stack
	renamed.Name = "renamed"
	renameStack(t, stack, renamed.Name)
	check(t, renamed.Preview(t.Context(), "--expect-no-changes"))
	renameStack(t, &renamed, stack.Name)
	l.Out.Take()
	if err := stack.Destroy(t.Context()); err == nil {
		t.Error("destroy deletes the control plane although it is protected")
	}
	contains(t, l.Out.Take(), "cannot be deleted", "protect")
}
