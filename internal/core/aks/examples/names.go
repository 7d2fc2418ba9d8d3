package examples

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// inGroup returns a change of the resource group, the name and the location of a cluster.
func inGroup(group, name, location string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.ResourceGroup, c.Name, c.Location = group, name, location }
}

// importing returns a change that adds the import of a pool.
func importing(o plan.PoolOptions) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.PoolOptions = map[string]plan.PoolOptions{"win22": o} }
}

func poolID(name string) string {
	return "/subscriptions/0000/resourceGroups/shop/providers/Microsoft.ContainerService/managedClusters/shop/" +
		"agentPools/" + name
}

func clusterNamed(name string) func(c *plan.Cluster) { return inGroup("", name, "") }

// nameExamples are examples of the names of a cluster and of its node resource group. MC_, two underscores and
// westeurope leave 65 characters for the names of the resource group and the cluster.
var nameExamples = []Example{
	{
		"an import without a name", importing(plan.PoolOptions{ImportID: poolID("win")}),
		importing(plan.PoolOptions{ImportID: poolID("Win"), NameInAzure: "win"}),
		[]string{"error: poolOptions[win22].importID (MK852)"},
	},
	{
		"an import of another pool", importing(plan.PoolOptions{ImportID: poolID("web"), NameInAzure: "win"}),
		importing(plan.PoolOptions{ImportID: plan.Later, NameInAzure: "win"}),
		[]string{"error: poolOptions[win22].importID (MK852)"},
	},
	{
		"an import of something else", importing(plan.PoolOptions{ImportID: "win", NameInAzure: "win"}), nil,
		[]string{"error: poolOptions[win22].importID (MK852)"},
	},
	{
		"an unknown way to change", importing(plan.PoolOptions{Change: "Inplace"}),
		importing(plan.PoolOptions{Change: plan.NewPool}),
		[]string{"error: poolOptions[win22].change (MK811)"},
	},
	{
		"an unknown preview", importing(plan.PoolOptions{Previews: []plan.Preview{"AgentPoolResize"}}),
		importing(plan.PoolOptions{Previews: []plan.Preview{plan.VMSSResize, plan.WindowsOSUpgrade}}),
		[]string{"error: poolOptions[win22].previews[0] (MK811)"},
	},
	{
		"windows in the name", clusterNamed("shop-Windows"), clusterNamed("shop-win"),
		[]string{"error: clusterName (MK718)"},
	},
	{
		"microsoft in the name", clusterNamed("omsagent-aks-dev-microsoft"), clusterNamed("micro-soft"),
		[]string{"error: clusterName (MK718)"},
	},
	{
		"login at the beginning", clusterNamed("login"), clusterNamed("shop-login"),
		[]string{"error: clusterName (MK718)"},
	},
	{
		"xbox at the beginning", clusterNamed("XBoxshop"), clusterNamed("shop-xbox"),
		[]string{"error: clusterName (MK718)"},
	},
	{"a reserved word", clusterNamed("Azure"), clusterNamed("azure-shop"), []string{"error: clusterName (MK718)"}},
	{
		"a long name of the node resource group",
		inGroup(strings.Repeat("g", 33), strings.Repeat("c", 33), "West Europe"),
		inGroup(strings.Repeat("g", 33), strings.Repeat("c", 32), "West Europe"),
		[]string{"error: options.nodeResourceGroup (MK719)"},
	},
	{
		"a name of the node resource group that is long in any region",
		inGroup(strings.Repeat("g", 60), "shop-prod-123456", ""),
		inGroup(strings.Repeat("g", 60), "shop-prod-12345", ""),
		[]string{"error: options.nodeResourceGroup (MK719)"},
	},
	{
		"a group that is not known yet",
		Both(inGroup("", strings.Repeat("c", 63), "westeurope"), Options(obj{"nodeResourceGroup": tree.Unknown{}})),
		Both(inGroup(strings.Repeat("g", 90), "shop", ""), Options(obj{"nodeResourceGroup": tree.Unknown{}})), nil,
	},
	{
		"a configured name of the node resource group that is long",
		Options(obj{"nodeResourceGroup": strings.Repeat("n", 81)}),
		Both(inGroup(strings.Repeat("g", 90), "shop", ""), Options(obj{"nodeResourceGroup": strings.Repeat("n", 80)})),
		[]string{"error: options.nodeResourceGroup (MK719)"},
	},
	{
		"the cluster's own group", Both(inGroup("shop", "", ""), Options(obj{"nodeResourceGroup": "Shop"})),
		Both(inGroup("shop", "", ""), Options(obj{"nodeResourceGroup": "shop-nodes"})),
		[]string{"error: options.nodeResourceGroup (MK720)"},
	},
}
