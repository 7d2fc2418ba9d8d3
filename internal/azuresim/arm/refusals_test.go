package arm

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// verdict is what the preview of a program with package aks knows of a refusal. Exactly one of found, state, unsent and
// missing is set.
type verdict struct {
	// found are the IDs of the rules that report it in a preview, or "topology" for the checks of package topology.
	found string
	// state says what only Azure knows.
	state string
	// unsent says why no program with package aks gets it.
	unsent string
	// missing says why the preview does not report it yet.
	missing string
	// proof is an input that the simulated Azure refuses, and the plan as well.
	proof *proof
}

// proof is the same mistake twice: in the arguments of a cluster, and in a request.
type proof struct {
	plan  func(c *plan.Cluster)
	azure func(t *testing.T) error
}

func found(ids string, change func(c *plan.Cluster), azure func(t *testing.T) error) verdict {
	return verdict{found: ids, proof: &proof{change, azure}}
}

// declared is a refusal that rules report, without a proof.
func declared(ids string) verdict { return verdict{found: ids} }

func needsState(what string) verdict { return verdict{state: what} }
func unsent(why string) verdict      { return verdict{unsent: why} }
func notYet(why string) verdict      { return verdict{missing: why} }

// inCluster, inPool and inWindows are requests for a cluster or for a pool of a cluster, changed in some properties.
func inCluster(change map[string]any) func(t *testing.T) error {
	return func(t *testing.T) error {
		t.Helper()
		_, err := emptyCloud(t, Options{}).Put(t.Context(), clusterID, clusterBody(change))
		return err
	}
}

func inPool(change map[string]any) func(t *testing.T) error { return pool("apps", linuxPool(change)) }

func inWindows(change map[string]any) func(t *testing.T) error {
	return pool("win", windowsPool(change))
}

func pool(name string, body Body) func(t *testing.T) error {
	return func(t *testing.T) error {
		t.Helper()
		_, err := shop(t).Put(t.Context(), clusterID+"/agentPools/"+name, body)
		return err
	}
}

// inClusterWith is a request for a Windows pool of a changed cluster.
func inClusterWith(change map[string]any, body Body) func(t *testing.T) error {
	return func(t *testing.T) error {
		t.Helper()
		cloud := emptyCloud(t, Options{})
		mustPut(t, cloud, clusterID, clusterBody(change))
		_, err := cloud.Put(t.Context(), winID, body)
		return err
	}
}

// The changes of a cluster in the plan: of its system pool, its Windows pool, its options and its network.
func sys(change func(p *topology.Pool)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Topology.Pools[0]) }
}

func win(change func(p *topology.Pool)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Topology.Pools[1]) }
}

func clusterOptions(o map[string]any) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.Options = o }
}

func winOptions(o map[string]any) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.PoolOptions = map[string]plan.PoolOptions{"win": {Options: o}} }
}

func winSubnets(o plan.PoolOptions) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.PoolOptions = map[string]plan.PoolOptions{"win": o} }
}

func admin(name, password string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.WindowsAdmin.Username, c.WindowsAdmin.Password = name, password }
}

func adminProfile(name, password string) map[string]any {
	return map[string]any{"windowsProfile.adminUsername": name, "windowsProfile.adminPassword": password}
}

// goodPlan is a cluster without errors.
func goodPlan() plan.Cluster {
	return plan.Cluster{
		Name: "shop", ResourceGroup: "rg", Location: "westeurope",
		Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
			{Name: "system", Platform: platform.Linux, Mode: topology.System, Count: 2, Size: "Standard_D4s_v5"},
			{Name: "win", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D4s_v5"},
		}},
		Network:      plan.Network{Mode: plan.Overlay, Policy: plan.CalicoPolicy, OutboundType: plan.LoadBalancer},
		WindowsAdmin: plan.WindowsAdmin{Username: "operator", Password: password},
		Today:        time.Date(2026, time.November, 29, 0, 0, 0, 0, time.UTC),
	}
}

// reported returns the IDs of the rules with findings about a cluster that does not exist yet, and "topology" if
// package topology reports an error.
func reported(c plan.Cluster) []string {
	var ids []string
	for _, f := range append(plan.CheckCluster(c), plan.CheckCreation(c)...) {
		ids = append(ids, f.Rule)
	}
	if errs := c.Topology.WithDefaults().Validate(nil); len(errs) > 0 {
		ids = append(ids, "topology")
	}
	return ids
}

const (
	aDNSZone   = groupID + "/providers/Microsoft.Network/privateDnsZones/shop.azmk8s.io"
	longName   = "abcdefghijklmnopqrstuvwxyz"
	noWay      = "an operation of Azure's own, or one that another request began; components/aks retries"
	always     = "the component always sends it"
	ownFailure = "a failure of Azure, or of the simulation"
)

// aksFiles are the files whose refusals are answers to requests for clusters and pools, or to all requests.
var aksFiles = []string{
	"cluster.go", "cluster_defaults.go", "cluster_names.go", "cluster_rules.go", "credentials.go", "fault.go",
	"group.go", "id.go", "operation.go", "pool.go", "pool_disk.go", "pool_labels.go", "pool_rules.go", "pool_subnet.go",
	"request.go", "strict.go", "version.go", "windowsadmin.go",
}

// otherFiles are the files with refusals of other requests, and what these are for.
var otherFiles = map[string]string{
	"assignment.go": "role assignments", "compute": "virtual machines and what belongs to them",
	"links.go":      "references between resources of a network",
	"load_balancer": "load balancers", "nat_gateway.go": "NAT gateways",
	"network": "virtual networks, subnets and network interfaces", "parts.go": "the parts of resources of a network",
	"private_address.go": "private addresses", "public_address.go": "public addresses",
	"route_table.go": "route tables",
	"security_":      "network security groups",
}

// isOther returns what the requests of a file are for, if they are neither for clusters nor for pools.
func isOther(file string) string {
	for prefix, what := range otherFiles {
		if strings.HasPrefix(file, prefix) {
			return what
		}
	}
	return ""
}

// Each refusal of requests for clusters and pools is classified, and each classification is about a refusal.
func TestEachRefusalIsClassified(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, s := range sites(t) {
		switch isAKS := slices.Contains(aksFiles, s.file); {
		case isAKS == (isOther(s.file) != ""):
			t.Errorf("%s: the file is in neither or both of aksFiles and otherFiles", s.file)
		case isAKS:
			known[s.key()] = true
			if _, ok := verdicts[s.key()]; !ok {
				t.Errorf("%s: not classified: %q", s.file, s.key())
			}
		}
	}
	for key, v := range verdicts {
		set := 0
		for _, text := range []string{v.found, v.state, v.unsent, v.missing} {
			if text != "" {
				set++
			}
		}
		if !known[key] {
			t.Errorf("there is no such refusal: %q", key)
		}
		if set != 1 {
			t.Errorf("%q has %d verdicts", key, set)
		}
	}
}

// The simulated Azure refuses the input of each proof at the place that the proof is for, and the plan reports the IDs.
func TestThePlanFindsWhatTheSimulatedAzureRefuses(t *testing.T) {
	t.Parallel()
	if ids := reported(goodPlan()); slices.ContainsFunc(ids, func(id string) bool { return id != "MK853" }) {
		t.Fatalf("the good cluster has findings: %v", ids)
	}
	if err := inCluster(nil)(t); err != nil {
		t.Fatal(err)
	}
	all := sites(t)
	for key, v := range verdicts {
		if v.proof == nil {
			continue
		}
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			var refusal *Error
			if err := v.proof.azure(t); !errors.As(err, &refusal) {
				t.Fatalf("the simulated Azure answers %v", err)
			}
			if !slices.ContainsFunc(all, func(s site) bool { return s.key() == key && s.matches(refusal) }) {
				t.Errorf("another refusal: %v", refusal)
			}
			c := goodPlan()
			v.proof.plan(&c)
			ids := reported(c)
			for id := range strings.FieldsSeq(v.found) {
				if !slices.Contains(ids, id) {
					t.Errorf("the plan reports %v, and not %s", ids, id)
				}
			}
		})
	}
}

// TestGeneratedRefusals writes the list of all refusals with -update.
func TestGeneratedRefusals(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString(refusalsIntroduction)
	count := map[string]int{}
	rows := map[string][]string{}
	for _, s := range sites(t) {
		if !slices.Contains(aksFiles, s.file) {
			continue
		}
		v := verdicts[s.key()]
		kind, reason := v.section()
		row := fmt.Sprintf("| `%s` | %s | %s |\n", s.code, cell(s.short()), reason)
		if !slices.Contains(rows[kind], row) {
			rows[kind] = append(rows[kind], row)
			count[kind]++
		}
	}
	for _, kind := range refusalKinds {
		fmt.Fprintf(&text, "\n## %s\n\n%s\n\n| code | answer | %s |\n|---|---|---|\n%s", kind.title, kind.about,
			kind.column,
			strings.Join(rows[kind.title], ""))
	}
	text.WriteString("\n## Requests for other resources\n\nPackage aks sends no requests for these. A program " +
		"makes them with " +
		"azure-native, or\n`components/kubeadm` does, whose arguments `machines/kubeadm/plan` checks.\n\n" +
		"| requests for | refusals |\n|---|---|\n")
	others := map[string]int{}
	for _, s := range sites(t) {
		others[isOther(s.file)]++
	}
	for _, what := range sortedKeys(others) {
		if what != "" {
			fmt.Fprintf(&text, "| %s | %d |\n", what, others[what])
		}
	}
	golden.Equal(t, "../REFUSALS.md", text.String())
}

func sortedKeys(m map[string]int) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// cell writes a text in a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(strings.TrimSuffix(text, "…"))
}

const refusalsIntroduction = "<!-- Written by `make generate`: edit internal/azuresim/arm/verdicts_test.go " +
	"instead. -->\n\n" +
	"# What AKS refuses, and what a preview reports\n\n" +
	"These are all refusals of the [simulated Azure](README.md) for clusters of AKS and their pools, and whether " +
	"the preview\n" +
	"of a program with package [aks](../../docs/aks.md) reports them. A part that depends on the request is " +
	"written …. The\n" +
	"list is read from the code of the simulation, which has its own reading of Azure's documentation\n" +
	"([decision 0008](../../docs/decisions/0008-simulated-azure.md)); [NOT_SIMULATED.md](NOT_SIMULATED.md) says " +
	"what the\n" +
	"simulation does not know. Tests fail for a refusal without a place in this list.\n"

// refusalKinds are the sections of the list.
var refusalKinds = []struct{ title, about, column string }{
	{
		"The preview reports it",
		"A test makes each of these mistakes twice: in a request, and in the arguments of a program. Where it says " +
			"*declared*, a " +
			"rule\nis about the same mistake, and no test compares the two.",
		"rule",
	},
	{
		"Only Azure knows it",
		"It depends on what is in Azure: the update reports it.",
		"what",
	},
	{
		"The component does not send it",
		"A program with package aks cannot make the mistake.",
		"why",
	},
	{"Not yet", "The preview could report it, and does not.", "why"},
}

// section returns the title of the section of a verdict, and its last cell.
func (v verdict) section() (title, reason string) {
	switch {
	case v.found != "":
		var links []string
		for id := range strings.FieldsSeq(v.found) {
			if id == "topology" {
				links = append(links, "the checks of `topology.Pool`")
			} else {
				links = append(links, fmt.Sprintf("[%s](../../docs/rules/%s)", id, rulepages.Link(id)))
			}
		}
		reason = strings.Join(links, ", ")
		if v.proof == nil {
			reason += ", declared"
		}
		return refusalKinds[0].title, reason
	case v.state != "":
		return refusalKinds[1].title, v.state
	case v.unsent != "":
		return refusalKinds[2].title, v.unsent
	default:
		return refusalKinds[3].title, v.missing
	}
}

func taint(key, value, effect string) corev1.Taint {
	return corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffect(effect)}
}

// put is a request for another resource than the cluster shop.
func put(id string, body Body) func(t *testing.T) error {
	return func(t *testing.T) error {
		t.Helper()
		_, err := emptyCloud(t, Options{}).Put(t.Context(), id, body)
		return err
	}
}

// inNetwork is a request for a cluster with an outbound type, whose pool is in a subnet of the user's if it has an ID.
func inNetwork(outbound, subnet string) func(t *testing.T) error {
	return func(t *testing.T) error {
		t.Helper()
		cloud := emptyCloud(t, Options{})
		mustPut(t, cloud, networkID, Body{
			"location": "westeurope",
			"properties": Body{
				"addressSpace": Body{"addressPrefixes": []any{"10.1.0.0/16"}},
				"subnets":      []any{Body{"name": "nodes", "properties": Body{"addressPrefix": "10.1.0.0/24"}}},
			},
		})
		change := map[string]any{}
		if subnet != "" {
			change["vnetSubnetID"] = subnet
		}
		_, err := cloud.Put(t.Context(), clusterID, clusterBody(map[string]any{
			"networkProfile.outboundType": outbound, "agentPoolProfiles": firstPool(change),
		}))
		return err
	}
}

func privateZone(zone string) map[string]any {
	return map[string]any{
		"apiServerAccessProfile.enablePrivateCluster": true, "apiServerAccessProfile.privateDNSZone": zone,
	}
}

func plugin(name string) func(c *plan.Cluster) {
	return clusterOptions(map[string]any{"networkProfile": map[string]any{"networkPlugin": name}})
}

func services(cidr, dns string) func(c *plan.Cluster) {
	profile := map[string]any{}
	if cidr != "" {
		profile["serviceCidr"] = cidr
	}
	if dns != "" {
		profile["dnsServiceIP"] = dns
	}
	return clusterOptions(map[string]any{"networkProfile": profile})
}

func ephemeral(size string, gib int) func(c *plan.Cluster) {
	return win(func(p *topology.Pool) { p.Size, p.OSDiskSizeGB, p.OSDiskType = size, gib, topology.EphemeralDisk })
}

func taints(taints ...corev1.Taint) func(c *plan.Cluster) {
	return win(func(p *topology.Pool) { p.Taints = taints })
}

func label(key, value string) func(c *plan.Cluster) {
	return win(func(p *topology.Pool) { p.Labels = map[string]string{key: value} })
}

func autoscaled(count, from, to int) func(c *plan.Cluster) {
	return win(func(p *topology.Pool) { p.Count, p.Autoscaling = count, topology.Autoscaling{Min: from, Max: to} })
}

func upgrade(u topology.Upgrade) func(c *plan.Cluster) {
	return win(func(p *topology.Pool) { p.Upgrade = u })
}
