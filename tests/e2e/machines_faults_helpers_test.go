package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// want writes the stack's configuration.
func (l *machinesLab) want(w *desired) error {
	l.kubeadm()["controlPlane"] = map[string]any{"count": w.controlPlanes}
	l.kubeadm()["windowsAdmin"] = map[string]any{"licenseType": w.license}
	l.cluster()["pools"] = w.pools
	content, err := yaml.Marshal(map[string]any{"config": l.config})
	if err != nil {
		return err
	}
	return os.WriteFile(deploy.StackFile(l.Stacks, machinesStack), content, 0o600)
}

// secrets returns the secrets of the keys in the state, and the token of each existing machine.
func (l *machinesLab) secrets(t *testing.T, w *desired) []leaks.Secret {
	t.Helper()
	all := []leaks.Secret{{Name: "password", Text: w.password}}
	keys, found := storedKeys(t, l.stack)
	if !found {
		return all
	}
	machines := map[creation]bool{}
	l.remember(t, machines)
	return append(machineSecrets(t, keys, w.password), tokenSecrets(keys, machines)...)
}

// problems returns the differences of Azure and the nodes from the desired state, or nil if there are none.
func (l *machinesLab) problems(t *testing.T, w *desired) error {
	t.Helper()
	ctx := t.Context()
	if err := l.checkJoined(t, w); err != nil {
		return err
	}
	have, err := l.inAzure()
	if err != nil {
		return err
	}
	err = errors.Join(compareAzure(l.desiredInAzure(t, w), have), l.checkInCluster(t, w))
	if !w.exists {
		return errors.Join(err, l.checkEmpty(ctx))
	}
	return errors.Join(err, l.finalStatus(ctx))
}

// checkJoined compares the machines in Azure with the desired ones. All of them must be nodes.
func (l *machinesLab) checkJoined(t *testing.T, w *desired) error {
	t.Helper()
	var want, have []string
	if w.exists {
		for _, m := range l.plan(t).Machines() {
			want = append(want, m.Name)
		}
	}
	for _, m := range l.machines(t) {
		if m.Node == "" {
			return fmt.Errorf("machine %s has not joined: %s", m.Machine.ComputerName, m.NotJoined)
		}
		have = append(have, m.Node)
	}
	disks, err := filepath.Glob(filepath.Join(l.AzureDir(), "disks", "*"))
	if err == nil && len(disks) != len(want) {
		err = fmt.Errorf("there are %d disks for %d machines", len(disks), len(want))
	}
	return errors.Join(err, compareNames("machines", want, have))
}

// compareNames returns an error if the names are not the wanted ones.
func compareNames(what string, want, have []string) error {
	slices.Sort(want)
	slices.Sort(have)
	if slices.Equal(want, have) {
		return nil
	}
	return fmt.Errorf("the %s are %v, want %v", what, have, want)
}

// desiredInAzure returns the desired resources by kind and name.
func (l *machinesLab) desiredInAzure(t *testing.T, w *desired) map[string]string {
	t.Helper()
	if !w.exists {
		return nil
	}
	plan := l.plan(t)
	all := map[string]string{"group": succeeded}
	for _, name := range []string{
		"virtualNetworks/", "virtualNetworks//subnets/control-plane", "virtualNetworks//subnets/nodes",
		"networkSecurityGroups/-control-plane", "networkSecurityGroups/-nodes", "routeTables/-pods",
		"natGateways/-outbound", "publicIPAddresses/-outbound", "publicIPAddresses/-api-server",
		"loadBalancers/-internal", "loadBalancers/-public", "virtualMachineScaleSets/-control-plane",
	} {
		kind, rest, _ := strings.Cut(name, "/")
		all[kind+"/"+plan.Name+rest] = succeeded
	}
	for _, pool := range plan.Pools {
		all["virtualMachineScaleSets/"+plan.Name+"-"+pool.Name] = succeeded
	}
	for _, m := range plan.Machines() {
		name := plan.Name + "-" + m.Name
		license := ""
		if m.Pool.Platform.IsWindows() {
			license = w.license
		}
		all["networkInterfaces/"+name] = succeeded
		all["virtualMachines/"+name] = machineText(succeeded, m.Pool.Size, license, name, plan.Name+"-"+m.Pool.Name)
		all["virtualMachines/"+name+"/extensions/bootstrap"] = succeeded
	}
	for _, line := range l.plannedRoutes(t) {
		name, rest, _ := strings.Cut(line, " ")
		all["routeTables/"+plan.Name+"-pods/routes/"+name] = succeeded + ", " + rest
	}
	return all
}

func machineText(state, size, license, nic, group string) string {
	return fmt.Sprintf("%s, size %s, license %q, interface %s, in %s", state, size, license, nic, group)
}

// inAzure returns all existing resources by kind and name.
func (l *machinesLab) inAzure() (map[string]string, error) {
	type reference struct{ ID string }
	resources, err := storedResources[struct {
		ProvisioningState      string
		HardwareProfile        struct{ VMSize string }
		LicenseType            string
		NetworkProfile         struct{ NetworkInterfaces []reference }
		VirtualMachineScaleSet reference
		AddressPrefix          string
		NextHopIPAddress       string
	}](l.testLab)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, r := range resources {
		is := r.Body.Properties
		_, name, _ := strings.Cut(r.ID, "/providers/")
		_, name, _ = strings.Cut(name, "/")
		text := is.ProvisioningState
		switch _, kind, _ := strings.Cut(r.Kind, "/"); kind {
		case "resourceGroups":
			// The name of a group is generated. A second group is another resource.
			if name = "group"; all[name] != "" {
				name = r.ID
			}
		case "virtualMachines":
			var nics []string
			for _, nic := range is.NetworkProfile.NetworkInterfaces {
				nics = append(nics, filepath.Base(nic.ID))
			}
			text = machineText(text, is.HardwareProfile.VMSize, is.LicenseType, strings.Join(nics, " "),
				filepath.Base(is.VirtualMachineScaleSet.ID))
		case "routeTables/routes":
			text += fmt.Sprintf(", %s via %s", is.AddressPrefix, is.NextHopIPAddress)
		}
		all[name] = text
	}
	return all, nil
}

// checkInCluster compares the nodes, jobs and tokens in the cluster with the desired machines.
func (l *machinesLab) checkInCluster(t *testing.T, w *desired) error {
	t.Helper()
	ctx := t.Context()
	var jobs, nodes, wantJobs, wantNodes []string
	if w.exists {
		for _, m := range l.plan(t).Machines() {
			wantNodes = append(wantNodes, m.Name)
			if !m.ControlPlane {
				wantJobs = append(wantJobs, "ready-"+m.Name)
			}
		}
	}
	client := l.client(t)
	jobList, err := client.BatchV1().Jobs(metav1.NamespaceSystem).List(ctx, metav1.ListOptions{})
	check(t, err)
	for _, job := range jobList.Items {
		name := job.Name
		if job.Status.Succeeded != 1 {
			name += " that has not succeeded"
		}
		jobs = append(jobs, name)
	}
	nodeList, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	check(t, err)
	for _, node := range nodeList.Items {
		name := node.Name
		if !slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
			return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		}) {
			name += " that is not ready"
		}
		nodes = append(nodes, name)
	}
	return errors.Join(
		compareNames("tokens", nil, tokens(t, client)), compareNames("jobs", wantJobs, jobs),
		compareNames("nodes", wantNodes, nodes),
	)
}

// collected matches a problem that Kubernetes resolves after a minute: a pod on a deleted node.
var collected = regexp.MustCompile(`(?m)^wrong: pod \S+ is on node \S+, which does not exist\n`)

// finalStatus returns Status once the pods are stable: a deployment ends before that.
func (l *machinesLab) finalStatus(ctx context.Context) error {
	printed := l.Out.Take()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		l.Wake(ctx)
		err := l.Status(ctx)
		report := l.Out.Take()
		onlyCollected := errors.Is(err, lab.ErrProblems) &&
			!strings.Contains(collected.ReplaceAllString(report, ""), "wrong: ")
		if err == nil || onlyCollected || time.Now().After(deadline) {
			fmt.Fprint(l.Out, printed+report)
			if onlyCollected {
				return nil
			}
			return err
		}
	}
}
