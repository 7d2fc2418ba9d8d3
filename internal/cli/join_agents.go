package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// writeAgents writes the configuration of a network's agents into the directory cluster, and returns the steps that
// bring the agents onto the nodes.
func writeAgents(n network.Defaulted, endpoint, out string) ([]string, error) {
	var steps []string
	switch {
	case n.Kind.IsCalico():
		objects, err := n.CalicoObjects(endpoint)
		if err != nil {
			return nil, err
		}
		if err := writeYAML(filepath.Join(out, "cluster", "calico.yaml"), objects...); err != nil {
			return nil, err
		}
		steps = append(steps,
			"Install Calico's operator, apply the first two objects of cluster/calico.yaml, and the last one, a "+
				"merge, once Calico runs.")
	case n.Kind == network.Antrea:
		config, err := n.AntreaConfig(endpoint)
		if err != nil {
			return nil, err
		}
		if err := writeYAML(filepath.Join(out, "cluster", "antrea-agent-linux.yaml"), config.Linux); err != nil {
			return nil, err
		}
		if err := writeYAML(filepath.Join(out, "cluster", "antrea-agent-windows.yaml"), config.Windows); err != nil {
			return nil, err
		}
		steps = append(steps,
			"Apply Antrea's manifests, with antrea-agent.conf as in cluster/antrea-agent-linux.yaml and "+
				"cluster/antrea-agent-windows.yaml.")
	}
	if policies := n.EgressPolicies(); len(policies) > 0 {
		if err := writeYAML(filepath.Join(out, "cluster", "egress.yaml"), policies...); err != nil {
			return nil, err
		}
		steps = append(steps, fmt.Sprintf(
			"Apply cluster/egress.yaml once %s runs: it keeps the pods from blockedEgress.", agentOf(n.Kind)))
	}
	if n.KubeProxyWindows().Needed {
		what := "kube-proxy for the Windows nodes"
		if n.Kind == network.FlannelVXLAN {
			what = "flannel, and " + what
		}
		steps = append(steps, fmt.Sprintf(
			"Deploy %s: in examples/bare-metal-agents, `pulumi config set network %s`, `pulumi config set endpoint "+
				"%s`, `pulumi up`.", what, n.Kind, endpoint))
	}
	return steps, nil
}

// agentOf returns the name of the agent that implements network policies for a kind of network.
func agentOf(kind network.Kind) string {
	if kind.IsCalico() {
		return "Calico"
	}
	return "Antrea"
}

func writeYAML(path string, documents ...map[string]any) error {
	var text strings.Builder
	encoder := yaml.NewEncoder(&text)
	for _, document := range documents {
		if err := encoder.Encode(document); err != nil {
			return err
		}
	}
	return disk.Replace(path, []byte(text.String()), 0o600)
}
