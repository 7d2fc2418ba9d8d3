package cli

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// order returns the steps in Markdown. A node in written has the file that was created for it; the agents are steps.
// Encrypted reports whether Secrets are encrypted in etcd.
func order(
	c bootstrap.Defaulted, plan network.Plan, written map[string]string, agents []string, encrypted bool,
) string {
	var steps []string
	add := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	if len(plan.Router) > 0 {
		var routes strings.Builder
		for _, route := range plan.Router {
			fmt.Fprintf(&routes, "\n   - %s via %s", route.Destination, route.NextHop)
		}
		add("Give the router these routes:%s", routes.String())
	}
	ports := []string{"TCP 6443 of the control plane: the API server", "TCP 10250: the kubelets"}
	for _, port := range c.Network.Ports() {
		ports = append(ports, fmt.Sprintf("%s %d: %s", port.Protocol, port.Port, port.Why))
	}
	add("Open these ports between the nodes:\n   - %s", strings.Join(ports, "\n   - "))
	if !encrypted {
		add("Decide whether Secrets are encrypted in etcd, where they are in clear text so far: put a key into a " +
			"file " +
			"with `(umask 077; openssl rand -base64 32 > key)`, keep it, and run this command again with " +
			"`--encryption-key-file`.")
	}
	for _, node := range c.Nodes {
		if node.ControlPlane {
			add("Start %s (%s) with the file %s/%s as cloud-init's user-data, and wait until `kubectl get nodes` "+
				"shows it. "+
				"The kubeconfig is its /etc/kubernetes/admin.conf.", node.Name, node.Address, node.Name,
				written[node.Name])
		}
	}
	steps = append(steps, agents...)
	for _, node := range c.Nodes {
		switch file := written[node.Name]; {
		case file == "" || node.ControlPlane:
			continue
		case file == "user-data":
			add("Start %s (%s) with the file %s/%s as cloud-init's user-data.", node.Name, node.Address, node.Name,
				file)
		default:
			add(
				"Run %s/%s on %s (%s) as an administrator. It may restart the machine, and continues by itself: see "+
					"C:\\mixedkube\\log\\bootstrap.log.", node.Name, file, node.Name, node.Address,
			)
		}
	}
	if len(written) < len(c.Nodes) {
		add("Copy /etc/kubernetes/pki/ca.crt, which is public, from the control plane, and run this command again " +
			"with " +
			"`--ca-file ca.crt`: it writes the files of the other nodes.")
	} else {
		add("Remove this directory: the bootstrap token is in its files. A token lives for 24 hours.")
		add(
			"Remove what is left on the machines: join.ps1 on Windows, and on Linux cloud-init's copy of the " +
				"user-data, below /var/lib/cloud/instances.",
		)
	}
	var text strings.Builder
	text.WriteString("# What to do, in this order\n\n")
	for i, step := range steps {
		fmt.Fprintf(&text, "%d. %s\n", i+1, step)
	}
	return text.String()
}
