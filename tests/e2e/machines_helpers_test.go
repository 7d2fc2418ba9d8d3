package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	pods "github.com/mixedkube/mixedkube/machines/bootstrap/network"
	kubeadm "github.com/mixedkube/mixedkube/machines/kubeadm/plan"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// machinesStack is a stack that creates a cluster on virtual machines.
const machinesStack = "kubeadm-lab"

// machinesLab is a lab for that stack, with a configuration from the test.
type machinesLab struct {
	testLab

	// config is the configuration of the stack. The initial one is from the checkout.
	config map[string]any
	// stack is the deployment, if a test has set it.
	stack *deploy.Stack
}

func newMachinesLab(t *testing.T) *machinesLab {
	t.Helper()
	l := &machinesLab{testLab: emptyLab(t, machinesStack)}
	content, err := os.ReadFile(deploy.StackFile(l.Stacks, machinesStack))
	check(t, err)
	var file struct {
		Config map[string]any `json:"config"`
	}
	check(t, yaml.Unmarshal(content, &file))
	l.config = file.Config
	l.Stacks = t.TempDir()
	return l
}

// kubeadm returns the configuration of the machines.
func (l *machinesLab) kubeadm() map[string]any { return l.config["mixedkube:kubeadm"].(map[string]any) }

func (l *machinesLab) cluster() map[string]any { return l.config["mixedkube:cluster"].(map[string]any) }

func (l *machinesLab) setKind(kind pods.Kind) {
	l.kubeadm()["network"] = map[string]any{"kind": string(kind)}
}

// setPools sets pools in the form of the configuration, in YAML's flow style.
func (l *machinesLab) setPools(t *testing.T, pools ...string) {
	t.Helper()
	var list []any
	for _, text := range pools {
		var pool map[string]any
		check(t, yaml.Unmarshal([]byte("{"+text+"}"), &pool))
		list = append(list, pool)
	}
	l.cluster()["pools"] = list
}

func (l *machinesLab) write(t *testing.T) {
	t.Helper()
	content, err := yaml.Marshal(map[string]any{"config": l.config})
	check(t, err)
	check(t, os.WriteFile(deploy.StackFile(l.Stacks, machinesStack), content, 0o600))
}

// start starts the lab without deploying anything.
func (l *machinesLab) start(t *testing.T) *deploy.Stack {
	t.Helper()
	l.write(t)
	check(t, l.Start(t.Context(), lab.Options{Stack: machinesStack}))
	return l.deployment(t)
}

// plan returns the components' description of the cluster.
func (l *machinesLab) plan(t *testing.T) kubeadm.Defaulted {
	t.Helper()
	config, err := deploy.ReadStack(l.Stacks, machinesStack)
	check(t, err)
	return kubeadm.Cluster{
		Name: machinesStack, KubernetesVersion: config.Topology.KubernetesVersion,
		ControlPlane: config.Kubeadm.ControlPlane,
		Pools:        config.Topology.Pools,
		Network:      pods.Network{Kind: config.Kubeadm.Network.Kind},
		Keys:         config.Kubeadm.Keys,
		Releases:     bootstrap.KnownReleases(),
	}.WithDefaults()
}

// machines returns the virtual machines in the lab's Azure.
func (l *machinesLab) machines(t *testing.T) []arm.Status {
	t.Helper()
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	check(t, err)
	machines, err := cloud.Machines(t.Context())
	check(t, err)
	return machines
}

// addresses returns the addresses of the machines by their names, which are also the names of their nodes.
func (l *machinesLab) addresses(t *testing.T) map[string]netip.Addr {
	t.Helper()
	all := map[string]netip.Addr{}
	for _, m := range l.machines(t) {
		all[m.Machine.ComputerName] = m.Machine.Address
	}
	return all
}

// stored returns the bodies of the resources in the lab's Azure by kind and last name.
func (l *machinesLab) stored(t *testing.T) map[string]map[string]map[string]any {
	t.Helper()
	var state struct {
		Resources map[string]struct {
			ID, Kind string
			Body     map[string]any
		}
	}
	content, err := os.ReadFile(filepath.Join(l.AzureDir(), "state.json"))
	check(t, err)
	check(t, json.Unmarshal(content, &state))
	all := map[string]map[string]map[string]any{}
	for _, r := range state.Resources {
		if all[r.Kind] == nil {
			all[r.Kind] = map[string]map[string]any{}
		}
		all[r.Kind][r.ID[strings.LastIndex(r.ID, "/")+1:]] = r.Body
	}
	return all
}

// routes returns lines of the name, range and next hop of each route.
func (l *machinesLab) routes(t *testing.T) []string {
	t.Helper()
	var lines []string
	for name, body := range l.stored(t)["Microsoft.Network/routeTables/routes"] {
		p := body["properties"].(map[string]any)
		lines = append(lines, fmt.Sprintf("%s %v via %v", name, p["addressPrefix"], p["nextHopIpAddress"]))
	}
	slices.Sort(lines)
	return lines
}

// plannedRoutes returns the desired routes in the same form.
func (l *machinesLab) plannedRoutes(t *testing.T) []string {
	t.Helper()
	plan := l.plan(t)
	if !plan.Network.Kind.Planned() {
		return nil
	}
	var lines []string
	addresses := l.addresses(t)
	for _, m := range plan.Machines() {
		nodes, err := plan.Network.Plan([]pods.Node{{
			Name: m.Name, Address: addresses[m.Name],
			Platform: m.Pool.Platform,
		}})
		check(t, err)
		lines = append(lines, fmt.Sprintf("%s %s via %s", m.Name, nodes.Nodes[0].PodCIDR, addresses[m.Name]))
	}
	slices.Sort(lines)
	return lines
}

// machineLines returns the name, size, operating system, Windows build, label team and taints of each node.
func machineLines(t *testing.T, client kubernetes.Interface) []string {
	t.Helper()
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	check(t, err)
	var lines []string
	for _, node := range nodes.Items {
		line := []string{node.Name, node.Labels[corev1.LabelInstanceTypeStable], node.Labels[corev1.LabelOSStable]}
		if build := node.Labels[corev1.LabelWindowsBuild]; build != "" {
			line = append(line, build)
		}
		if team, ok := node.Labels["team"]; ok {
			line = append(line, "team="+team)
		}
		lines = append(lines, strings.TrimSpace(strings.Join(line, " ")+" "+taints(node)))
	}
	slices.Sort(lines)
	return lines
}

// checkNothingLeft fails if a destroyed stack has left resources in Azure or objects in the cluster.
func checkNothingLeft(t *testing.T, l *machinesLab, client kubernetes.Interface) {
	t.Helper()
	if left := l.stored(t); len(left) > 0 {
		t.Errorf("in Azure there are still %v", slices.Sorted(maps.Keys(left)))
	}
	labtest.SameLines(t, "nodes", "", machineLines(t, client))
	disks, err := filepath.Glob(filepath.Join(l.AzureDir(), "disks", "*"))
	check(t, err)
	if len(disks) > 0 {
		t.Errorf("%d disks of machines are left", len(disks))
	}
	secrets, err := client.CoreV1().Secrets(metav1.NamespaceSystem).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	jobs, err := client.BatchV1().Jobs(metav1.NamespaceSystem).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	if len(secrets.Items) > 0 || len(jobs.Items) > 0 {
		t.Errorf("%d secrets and %d jobs are left", len(secrets.Items), len(jobs.Items))
	}
}

// checkServices checks the Services of a cluster without a cloud controller: none of them has an address in its status.
// It returns the node ports of the Services of IIS.
func (l *machinesLab) checkServices(t *testing.T, client kubernetes.Interface) []int32 {
	t.Helper()
	services, err := client.CoreV1().Services(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	var ports []int32
	for _, s := range services.Items {
		if s.Spec.Type == corev1.ServiceTypeLoadBalancer || len(s.Status.LoadBalancer.Ingress) > 0 {
			t.Errorf("the Service %s is a %s with %v", s.Name, s.Spec.Type, s.Status.LoadBalancer.Ingress)
		}
		if strings.HasPrefix(s.Name, "iis-") && s.Spec.Type == corev1.ServiceTypeNodePort &&
			s.Spec.Ports[0].NodePort > 0 {
			ports = append(ports, s.Spec.Ports[0].NodePort)
		}
	}
	if want := len(l.cluster()["pools"].([]any)) - 1; len(ports) != want {
		t.Errorf("%d Services of IIS have a NodePort, want %d", len(ports), want)
	}

	return ports
}

// balancedService creates a Service that needs an address from a cloud controller.
func (l *machinesLab) balancedService(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: balanced, Namespace: metav1.NamespaceDefault},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, Ports: []corev1.ServicePort{{Port: 80}}},
	}
	_, err := client.CoreV1().Services(metav1.NamespaceDefault).Create(t.Context(), service, metav1.CreateOptions{})
	check(t, err)
}

// checkNoAddress deletes the Service of balancedService, which must not have an address.
func (l *machinesLab) checkNoAddress(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	service, err := client.CoreV1().Services(metav1.NamespaceDefault).Get(t.Context(), balanced, metav1.GetOptions{})
	check(t, err)
	if len(service.Status.LoadBalancer.Ingress) > 0 {
		t.Errorf("a Service of the type LoadBalancer has %v, although there is no cloud controller",
			service.Status.LoadBalancer.Ingress)
	}
	check(t, client.CoreV1().Services(metav1.NamespaceDefault).Delete(t.Context(), balanced, metav1.DeleteOptions{}))
}

const balanced = "balanced"

// checkBalancer checks the load balancer of the pools: it must lead to each of their nodes and not to the control
// plane, only from its sources.
func (l *machinesLab) checkBalancer(t *testing.T) {
	t.Helper()
	body := l.stored(t)["Microsoft.Network/publicIPAddresses"][machinesStack+"-services"]
	address, err := netip.ParseAddr(body["properties"].(map[string]any)["ipAddress"].(string))
	check(t, err)
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	check(t, err)
	ids, err := cloud.Reach(t.Context(), netip.MustParseAddr("198.51.100.7"), netip.AddrPortFrom(address, 80))
	check(t, err)
	var reached, want []string
	for _, id := range ids {
		reached = append(reached, id[strings.LastIndex(id, "/")+1:])
	}
	for node := range l.addresses(t) {
		if !strings.HasPrefix(node, "control-plane-") {
			want = append(want, machinesStack+"-"+node)
		}
	}
	slices.Sort(reached)
	slices.Sort(want)
	if !slices.Equal(reached, want) {
		t.Errorf("behind the load balancer are %q, want %q", reached, want)
	}
	for from, to := range map[string]netip.AddrPort{
		"203.0.113.200": netip.AddrPortFrom(address, 80), // not one of the sources
		"198.51.100.7":  netip.AddrPortFrom(address, 81),
	} {
		if ids, err := cloud.Reach(t.Context(), netip.MustParseAddr(from), to); err == nil {
			t.Errorf("%s reaches %q at %s", from, ids, to)
		}
	}
}
