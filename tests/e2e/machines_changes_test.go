package e2e

import (
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// machineStep is a step in the life of a cluster of machines with all its expected effects.
type machineStep struct {
	name          string
	controlPlanes int
	pools         []string
	// operations are the operations of Pulumi, with one line for all operations of a machine.
	operations string
	// drained are the nodes that are drained before they are deleted.
	drained []string
	// steady is the last node of a workload that must be available during the whole step, or empty if there is no such
	// workload. The workload starts on a node with Windows Server 2022.
	steady string
	nodes  string
}

// nodesStash is the resource that stores the nodes of all pools.
const nodesStash = "pulumi:index:Stash kubeadm-lab-node-names"

const (
	firstControlPlane  = "control-plane-0 Standard_D2s_v5 linux node-role.kubernetes.io/control-plane:NoSchedule\n"
	threeControlPlanes = firstControlPlane +
		"control-plane-1 Standard_D2s_v5 linux node-role.kubernetes.io/control-plane:NoSchedule\n" +
		"control-plane-2 Standard_D2s_v5 linux node-role.kubernetes.io/control-plane:NoSchedule\n"
)

// machineSteps returns the steps after the creation. The names of machines have a hash of their immutable properties.
func machineSteps() []machineStep {
	const (
		linux   = "name: linux, platform: linux, size: Standard_D4s_v5, count: 1"
		win     = "name: win, platform: windows-2022, size: Standard_D4s_v5, count: 1"
		win2    = "name: win, platform: windows-2022, size: Standard_D4s_v5, count: 2"
		winD8   = "name: win, platform: windows-2022, size: Standard_D8s_v5, count: 1"
		winBlue = "name: win, platform: windows-2025, size: Standard_D8s_v5, count: 1, labels: {team: blue}, taints: " +
			"[\"team=blue:NoSchedule\"]"
		old = "name: old, platform: windows-2019, size: Standard_D4s_v5, count: 1"

		linuxNode = "linux-30g-0 Standard_D4s_v5 linux\n"
		winNode   = "win-7fh-0 Standard_D4s_v5 windows 10.0.20348 os=windows:NoSchedule\n"
		winNode2  = "win-7fh-1 Standard_D4s_v5 windows 10.0.20348 os=windows:NoSchedule\n"
		winD8Node = "win-4ia-0 Standard_D8s_v5 windows 10.0.20348 os=windows:NoSchedule\n"
		blueNode  = "win-h1a-0 Standard_D8s_v5 windows 10.0.26100 team=blue team=blue:NoSchedule\n"
		oldNode   = "old-bgr-0 Standard_D4s_v5 windows 10.0.17763 os=windows:NoSchedule\n"
	)
	return []machineStep{
		{
			name: "scale a pool up", controlPlanes: 1, pools: []string{linux, win2},
			operations: "create machine win-7fh-1\nupdate " + nodesStash,
			nodes:      firstControlPlane + linuxNode + winNode + winNode2,
		},
		{
			name: "add a pool", controlPlanes: 1, pools: []string{linux, win2, old},
			operations: `
				create azure-native:compute:VirtualMachineScaleSet kubeadm-lab-old-machines
				create kubernetes:apps/v1:Deployment iis-2019-deployment
				create kubernetes:core/v1:Service iis-2019
				create kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2019
				create machine old-bgr-0
				create mixedkube:kubeadm:NodePool kubeadm-lab-old
				create mixedkube:workload:Deployment iis-2019
				update ` + nodesStash,
			nodes: firstControlPlane + linuxNode + oldNode + winNode + winNode2,
		},
		{
			name: "scale it down", controlPlanes: 1, pools: []string{linux, win, old},
			operations: "delete machine win-7fh-1\nupdate " + nodesStash,
			drained:    []string{"win-7fh-1"},
			nodes:      firstControlPlane + linuxNode + oldNode + winNode,
		},
		{
			name: "another size", controlPlanes: 1, pools: []string{linux, winD8, old},
			operations: "create machine win-4ia-0\ndelete machine win-7fh-0\nupdate " + nodesStash,
			drained:    []string{"win-7fh-0"},
			steady:     "win-4ia-0",
			nodes:      firstControlPlane + linuxNode + oldNode + winD8Node,
		},
		{
			name: "another release of Windows, with a taint and a label", controlPlanes: 1,
			pools: []string{linux, winBlue, old},
			operations: `
				create kubernetes:apps/v1:Deployment iis-2025-deployment
				create kubernetes:core/v1:Service iis-2025
				create kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2025
				create machine win-h1a-0
				create mixedkube:workload:Deployment iis-2025
				delete kubernetes:apps/v1:Deployment iis-2022-deployment
				delete kubernetes:core/v1:Service iis-2022
				delete kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2022
				delete machine win-4ia-0
				delete mixedkube:workload:Deployment iis-2022
				update ` + nodesStash,
			drained: []string{"win-4ia-0"},
			nodes:   firstControlPlane + linuxNode + oldNode + blueNode,
		},
		{
			name: "a larger control plane", controlPlanes: 3, pools: []string{linux, winBlue, old},
			operations: `
				create azure-native:compute:VirtualMachine kubeadm-lab-control-plane-1
				create azure-native:compute:VirtualMachine kubeadm-lab-control-plane-2
				create azure-native:compute:VirtualMachineExtension kubeadm-lab-control-plane-1-bootstrap
				create azure-native:compute:VirtualMachineExtension kubeadm-lab-control-plane-2-bootstrap
				create azure-native:network:NetworkInterface kubeadm-lab-control-plane-1-interface
				create azure-native:network:NetworkInterface kubeadm-lab-control-plane-2-interface
				create azure-native:network:Route kubeadm-lab-control-plane-1-route
				create azure-native:network:Route kubeadm-lab-control-plane-2-route
				update azure-native:network:NetworkSecurityGroup kubeadm-lab-control-plane-security
			`,
			nodes: threeControlPlanes + linuxNode + oldNode + blueNode,
		},
		{
			name: "remove a pool", controlPlanes: 3, pools: []string{linux, winBlue},
			operations: `
				delete azure-native:compute:VirtualMachineScaleSet kubeadm-lab-old-machines
				delete kubernetes:apps/v1:Deployment iis-2019-deployment
				delete kubernetes:core/v1:Service iis-2019
				delete kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2019
				delete machine old-bgr-0
				delete mixedkube:kubeadm:NodePool kubeadm-lab-old
				delete mixedkube:workload:Deployment iis-2019
				update ` + nodesStash,
			drained: []string{"old-bgr-0"},
			nodes:   threeControlPlanes + linuxNode + blueNode,
		},
	}
}

// TestMachineChanges takes a cluster of machines through its life. Each step depends on the previous ones: it must do
// what is expected and no more, which includes what an earlier step has left to do. No file that is written meanwhile
// has a secret.
func TestMachineChanges(t *testing.T) {
	t.Parallel()
	l := newMachinesLab(t)
	// The test calls Status repeatedly.
	l.Out.Redirect(io.Discard)
	steps := machineSteps()
	l.config["mixedkube:workloads"] = []string{"iis", "linux-web"}
	l.setPools(t, machinesAtFirst()...)
	stack := l.start(t)
	client := l.client(t)
	const password = `A-"pass\word"&1`
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, password))
	records := t.TempDir()
	// Each machine has its own token, including deleted machines.
	machines := map[creation]bool{}

	t.Run("a failure at the beginning shows no secret", func(t *testing.T) {
		// The first extension belongs to the control plane, which gets the cluster's keys.
		failsWithoutSecrets(t, l, stack, records, password, "control-plane-0-bootstrap")
	})
	t.Run("create", func(t *testing.T) {
		r := newRunRecord(t, stack, records)
		// Use the highest level without secrets: from level 9, Pulumi itself logs every value that it sends.
		if err := stack.Up(t.Context(), append(r.eventLog(), "--diff", "--logtostderr", "-v=8")...); err != nil {
			t.Fatalf("%v\n%s", err, r.output(t))
		}
		l.remember(t, machines)
		checkTokens(t, client)
	})
	t.Run("a refresh does not miss the deleted tokens", func(t *testing.T) {
		r := newRunRecord(t, stack, records)
		if err := stack.Up(t.Context(), append(r.eventLog(), "--refresh", "--skip-preview")...); err != nil {
			t.Fatalf("%v\n%s", err, r.output(t))
		}
		changes := slices.DeleteFunc(labtest.Operations(t, r.events),
			func(line string) bool { return strings.HasPrefix(line, "refresh ") })
		if len(changes) > 0 {
			t.Errorf("after a refresh there are changes left: %q", changes)
		}
		checkTokens(t, client)
	})
	t.Run("a node gets no token again by what it claims", func(t *testing.T) { claims(t, l, stack, records) })
	t.Run("a machine is recreated with the same name", func(t *testing.T) {
		recreate(t, l, stack, newRunRecord(t, stack, records))
		l.remember(t, machines)
	})
	for _, c := range steps {
		done := t.Run(c.name, func(t *testing.T) {
			l.kubeadm()["controlPlane"] = map[string]any{"count": c.controlPlanes}
			l.setPools(t, c.pools...)
			l.write(t)
			r := newRunRecord(t, stack, records)
			var pods *steady
			if c.steady != "" {
				pods = startSteady(t, client, map[string]string{corev1.LabelWindowsBuild: "10.0.20348"}, 1)
			}
			if err := stack.Up(t.Context(), append(r.eventLog(), "--skip-preview", "--diff")...); err != nil {
				t.Fatalf("%v\n%s", err, r.output(t))
			}
			if pods != nil {
				pods.end(t, c.steady)
			}
			if diff := cmp.Diff(c.drained, drained(r.output(t))); diff != "" {
				t.Errorf("drained nodes (-want +have):\n%s", diff)
			}
			l.remember(t, machines)
			checkTokens(t, client)
			labtest.SameLines(t, "operations", c.operations, machineOperations(labtest.Operations(t, r.events)))
			labtest.SameLines(t, "nodes", c.nodes, machineLines(t, client))
			if diff := cmp.Diff(l.plannedRoutes(t), l.routes(t)); diff != "" {
				t.Errorf("routes (-want +have):\n%s", diff)
			}
		})
		if !done {
			return
		}
	}

	t.Run("nothing is left to do", func(t *testing.T) {
		r := newRunRecord(t, stack, records)
		if err := stack.Preview(t.Context(), append(r.eventLog(), "--diff", "--expect-no-changes")...); err != nil {
			t.Errorf("%v\n%s", err, r.output(t))
		}
	})
	t.Run("pods that cannot be evicted", func(t *testing.T) {
		drainsTwice(t, l, stack, records, steps[len(steps)-1].pools)
		l.remember(t, machines)
	})
	t.Run("the pods become stable", func(t *testing.T) {
		// Kubernetes deletes the pods of deleted machines after a minute.
		l.Settles(t)
	})
	t.Run("status finds a machine whose bootstrap has left out the taint", func(t *testing.T) {
		rejoinWithoutTaints(t, l, stack, "win-h1a-0")
		l.Out.Take()
		if err := l.Status(t.Context()); err == nil {
			t.Error("status finds no problem")
		}
		contains(t, l.Out.Take(), "wrong: node win-h1a-0: taint team=blue:NoSchedule is missing\n")
	})
	keys := keysOf(t, stack)
	secrets := append(machineSecrets(t, keys, password), tokenSecrets(keys, machines)...)
	t.Run("no secret is in any file", func(t *testing.T) {
		checkNoLeaks(t, l.testLab, records, l.exemptions(), secrets)
		checkExemptionsNeeded(t, l.testLab, l.exemptions(), secrets)
		checkPayloadKeys(t, l, records, keys, machines)
	})
	t.Run("no pod gets a secret from the WireServer", func(t *testing.T) { checkWireServer(t, l, secrets) })
	t.Run("a failure shows no secret", func(t *testing.T) {
		last := steps[len(steps)-1]
		l.setPools(t, append([]string{strings.Replace(last.pools[0], "count: 1", "count: 2", 1)}, last.pools[1:]...)...)
		l.write(t)
		const token = "Lets linux-30g-1 join."
		killedBeforeJoining(t, l, stack, records, token)
		failsWithoutSecrets(t, l, stack, records, password, "kubeadm-lab-linux-linux-30g-1-bootstrap")
		// The update that failed has removed the token that it had created.
		checkTokens(t, client)
		created := watchTokens(t, client)
		newRunRecord(t, stack, records)
		check(t, stack.Up(t.Context(), "--skip-preview"))
		if again := created(); !slices.Contains(again, token) {
			t.Errorf("the update after it has created the tokens %q, want %q among them", again, token)
		}
		checkTokens(t, client)
		// The next deployment must delete the machine.
		l.setPools(t, last.pools...)
		l.write(t)
	})
	t.Run("the control plane is protected", func(t *testing.T) {
		l.kubeadm()["unprotected"] = false
		l.write(t)
		r := newRunRecord(t, stack, records)
		check(t, stack.Up(t.Context(), "--skip-preview"))
		if err := stack.Destroy(t.Context()); err == nil {
			t.Error("destroy deletes it")
		}
		contains(t, r.output(t), "kubeadm-lab-control-plane-0", "protect")
		labtest.SameLines(t, "nodes", strings.Replace(steps[len(steps)-1].nodes, " team=blue:NoSchedule", "", 1),
			machineLines(t, client))
	})
	t.Run("destroy", func(t *testing.T) {
		l.kubeadm()["unprotected"] = true
		l.write(t)
		r := newRunRecord(t, stack, records)
		check(t, stack.Up(t.Context(), "--skip-preview"))
		check(t, stack.Destroy(t.Context(), append(r.eventLog(), "--skip-preview", "--diff")...))
		checkNothingLeft(t, l, client)
	})
	t.Run("no secret is in any file after that", func(t *testing.T) {
		checkNoLeaks(t, l.testLab, records, l.exemptions(), secrets)
	})
}

// machineParts are the resources of one machine of a pool by the suffixes of their names.
var machineParts = map[string]string{
	"-interface": "azure-native:network:NetworkInterface",
	"-route":     "azure-native:network:Route",
	"":           "azure-native:compute:VirtualMachine",
	"-bootstrap": "azure-native:compute:VirtualMachineExtension",
	"-ready":     "kubernetes:batch/v1:Job",
	"-node":      "kubernetes:core/v1:Node",
}

var machineName = regexp.MustCompile(
	`^kubeadm-lab-(?:[a-z0-9]+-)?((?:[a-z0-9]+-[a-z0-9]{3}|control-plane)-\d+)(-[a-z]+)?$`,
)

// machineOperations replaces all operations of a machine with one line, if none is missing.
func machineOperations(all []string) []string {
	parts := map[string][]string{}
	for _, line := range all {
		op, rest, _ := strings.Cut(line, " ")
		kind, name, _ := strings.Cut(rest, " ")
		if found := machineName.FindStringSubmatch(name); found != nil && machineParts[found[2]] == kind {
			key := op + " machine " + found[1]
			parts[key] = append(parts[key], line)
		}
	}
	var lines []string
	for key, of := range parts {
		if len(of) != len(machineParts) {
			delete(parts, key)
			continue
		}
		lines = append(lines, key)
	}
	for _, line := range all {
		whole := slices.ContainsFunc(slices.Collect(maps.Values(parts)),
			func(of []string) bool { return slices.Contains(of, line) })
		if !whole {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}

// machineSecrets returns all secrets of a cluster except the tokens of its machines: the configured ones and those that
// are derived from them. Add new secrets here.
func machineSecrets(t *testing.T, keys stackKeys, password string) []leaks.Secret {
	t.Helper()
	certificates, err := keys.Certificates()
	check(t, err)
	kubeconfig, err := keys.Kubeconfig(machinesStack, "203.0.113.1:6443", "kubernetes", time.Now())
	check(t, err)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	check(t, os.WriteFile(path, []byte(kubeconfig), 0o600))
	all := append(leaks.OfKubeconfig(t, path), leaks.Secret{Name: "password", Text: password})
	for _, text := range keys.generated {
		all = append(all, leaks.Secret{Name: "cluster's secret", Text: text})
	}
	// The certificate of the authority is public.
	all = slices.DeleteFunc(all, func(s leaks.Secret) bool { return s.Name == "cluster's certificate" })
	for name, pair := range map[string]bootstrap.KeyPair{
		"CA": certificates.CA, "etcd": certificates.EtcdCA, "front proxy": certificates.FrontProxyCA,
		"service accounts": certificates.ServiceAccount,
	} {
		lines := strings.Split(pair.PrivateKey, "\n")
		all = append(all, leaks.Secret{Name: "key of " + name, Text: lines[len(lines)/2]})
	}
	return append(all, leaks.Secret{Name: "key of Secrets in etcd", Text: keys.EncryptionKeys()[0]})
}

// checkPayloadKeys searches the files of Pulumi for the payload keys of machines. Azure stores these in customData.
func checkPayloadKeys(
	t *testing.T, l *machinesLab, records string, keys stackKeys, machines map[creation]bool,
) {
	t.Helper()
	var all []leaks.Secret
	for m := range machines {
		key := keys.PayloadKey(m.machine, strings.HasPrefix(m.machine, "control-plane-"))
		file := bootstrap.NewPayloadKey(key).File(platform.Linux)
		first, _, _ := strings.Cut(file.Content, "\n")
		all = append(all, leaks.Secret{Name: "payload key of " + m.machine, Text: first})
	}
	for _, found := range leaks.Find(t, []string{filepath.Join(l.Dir, "pulumi"), records}, nil, all) {
		t.Error(found)
	}
}

// failsWithoutSecrets deploys while the first extension, which gets the secrets of a machine, fails in Azure. No file
// or output may show a secret.
func failsWithoutSecrets(
	t *testing.T, l *machinesLab, stack *deploy.Stack, records string, password, extension string,
) {
	t.Helper()
	fault := arm.Fault{Method: http.MethodPut, ID: "/extensions/[^/]*$", Kind: arm.FailedProvisioning}
	check(t, arm.WriteFaults(l.AzureDir(), []arm.Fault{fault}))
	r := newRunRecord(t, stack, records)
	if err := stack.Up(t.Context(), append(r.eventLog(), "--diff", "--logtostderr", "-v=8")...); err == nil {
		t.Error("the creation does not fail")
	}
	contains(t, r.output(t), extension, "InternalOperationError")
	machines := map[creation]bool{}
	l.remember(t, machines)
	keys := keysOf(t, stack)
	checkNoLeaks(t, l.testLab, records, l.exemptions(),
		append(machineSecrets(t, keys, password), tokenSecrets(keys, machines)...))
}

// checkWireServer requests the settings of each machine's extension. A pod gets no answer, but a pod in the host's
// network does. The settings must not have a plain secret: their key is in customData, which is not in the answer.
func checkWireServer(t *testing.T, l *machinesLab, secrets []leaks.Secret) {
	t.Helper()
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	check(t, err)
	dir := t.TempDir()
	for _, m := range l.machines(t) {
		if _, err := cloud.Ask(t.Context(), m.Machine.ID, machine.Pod{}); !errors.Is(err, machine.ErrNoAnswer) {
			t.Errorf("%s: a pod gets %v, want %v", m.Node, err, machine.ErrNoAnswer)
		}
		answer, err := cloud.Ask(t.Context(), m.Machine.ID, machine.Pod{HostNetwork: true})
		check(t, err)
		var all []string
		for _, e := range answer.Extensions {
			for _, value := range e.Protected {
				words := strings.Fields(value.(string))
				decoded, err := base64.StdEncoding.DecodeString(words[len(words)-1])
				check(t, err)
				// On Windows the text is ASCII in UTF-16.
				all = append(all, strings.ReplaceAll(string(decoded), "\x00", ""))
			}
		}
		settings := strings.Join(all, "")
		if payload.In(settings) == "" {
			t.Errorf("%s: the answer has no encrypted payload", m.Node)
		}
		check(t, os.WriteFile(filepath.Join(dir, m.Machine.ComputerName), []byte(settings), 0o600))
	}
	for _, found := range leaks.Find(t, []string{dir}, nil, secrets) {
		t.Error(found)
	}
}

// hashes returns the hashes in the configuration.
func (l *machinesLab) hashes() map[string]string {
	hashes := map[string]string{}
	for url, hash := range l.kubeadm()["hashes"].(map[string]any) {
		hashes[url] = hash.(string)
	}
	return hashes
}
