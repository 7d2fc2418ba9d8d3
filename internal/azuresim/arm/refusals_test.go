package arm

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// goodPlan returns a cluster without errors.
func goodPlan() plan.Cluster {
	return plan.Cluster{
		Name: "shop", ResourceGroup: "rg", Location: "westeurope",
		Topology: topology.Defaulted{Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
			{Name: "system", Platform: platform.Linux, Mode: topology.System, Count: 2, Size: "Standard_D4s_v5"},
			{Name: "win", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D4s_v5"},
		}}},
		Network:      plan.Network{Mode: plan.Overlay, Policy: plan.CalicoPolicy, OutboundType: plan.LoadBalancer},
		WindowsAdmin: plan.WindowsAdmin{Username: "operator", Password: password},
		Today:        time.Date(2026, time.November, 29, 0, 0, 0, 0, time.UTC),
	}
}

// reported returns the IDs of the rules with findings about a cluster that does not exist yet, and "topology" if
// package topology reports an error.
func reported(c plan.Cluster) []string {
	c.Topology = c.Topology.WithDefaults()
	var ids []string
	for _, f := range append(plan.CheckCluster(c), plan.CheckCreation(c)...) {
		ids = append(ids, f.Rule)
	}
	if errs := c.Topology.Validate(nil); len(errs) > 0 {
		ids = append(ids, "topology")
	}
	return ids
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
	all := verdicts(t)
	ofAKS := filesOf(all)
	known := map[string]string{}
	for _, s := range sites(t) {
		switch {
		case ofAKS[s.file] == (isOther(s.file) != ""):
			t.Errorf("%s: the file is in neither or both of testdata/refusals and otherFiles", s.file)
		case ofAKS[s.file]:
			known[s.key()] = s.file
			if _, ok := all[s.key()]; !ok {
				t.Errorf("%s: not classified: %q", s.file, s.key())
			}
		}
	}
	for key, v := range all {
		set := 0
		for _, text := range []string{v.Found, v.State, v.Unsent, v.NotYet} {
			if text != "" {
				set++
			}
		}
		if known[key] != v.file {
			t.Errorf("there is no such refusal in %s: %q", v.file, key)
		}
		if set != 1 {
			t.Errorf("%q has %d verdicts", key, set)
		}
	}
}

// filesOf returns the files whose refusals are answers to requests for clusters and pools, or to all requests.
func filesOf(all map[string]verdict) map[string]bool {
	files := map[string]bool{}
	for _, v := range all {
		files[v.file] = true
	}
	return files
}

// The simulated Azure refuses each mistake at the place that the verdict is for, and the plan reports the IDs.
func TestMistakesAreRefusedAndThePlanFindsThem(t *testing.T) {
	t.Parallel()
	if ids := reported(goodPlan()); slices.ContainsFunc(ids, func(id string) bool { return id != "MK853" }) {
		t.Fatalf("the good cluster has findings: %v", ids)
	}
	mustPut(t, emptyCloud(t, Options{}), clusterID, clusterBody(nil))
	all := sites(t)
	for key, v := range verdicts(t) {
		for i, m := range v.Cases {
			t.Run(fmt.Sprint(key, i), func(t *testing.T) {
				t.Parallel()
				r := m.refusal(t, v, key)
				if !slices.ContainsFunc(all, func(s site) bool { return s.key() == key && s.matches(r.want) }) {
					t.Errorf("another refusal: %v", r.want)
				}
				r.check(t)
			})
		}
		if v.Plan == nil {
			continue
		}
		if len(v.Cases) == 0 {
			t.Errorf("%q has a plan, and no case", key)
		}
		ids := reported(v.mistaken(t))
		for id := range strings.FieldsSeq(v.Found) {
			if !slices.Contains(ids, id) {
				t.Errorf("%q: the plan reports %v, and not %s", key, ids, id)
			}
		}
	}
}

// TestGeneratedRefusals writes the list of all refusals with -update.
func TestGeneratedRefusals(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString(refusalsIntroduction)
	count := map[string]int{}
	rows := map[string][]string{}
	all := verdicts(t)
	ofAKS := filesOf(all)
	for _, s := range sites(t) {
		if !ofAKS[s.file] {
			continue
		}
		v := all[s.key()]
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

const refusalsIntroduction = "<!-- Written by `make generate`: edit internal/azuresim/arm/testdata/refusals " +
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
	case v.Found != "":
		var links []string
		for id := range strings.FieldsSeq(v.Found) {
			if id == "topology" {
				links = append(links, "the checks of `topology.Pool`")
			} else {
				links = append(links, fmt.Sprintf("[%s](../../docs/rules/%s)", id, rulepages.Link(id)))
			}
		}
		reason = strings.Join(links, ", ")
		if v.Plan == nil {
			reason += ", declared"
		}
		return refusalKinds[0].title, reason
	case v.State != "":
		return refusalKinds[1].title, v.State
	case v.Unsent != "":
		return refusalKinds[2].title, v.Unsent
	default:
		return refusalKinds[3].title, v.NotYet
	}
}
