package plan_test

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
var nameExamples = []example{
	{
		"an import without a name", importing(plan.PoolOptions{ImportID: poolID("win")}),
		importing(plan.PoolOptions{ImportID: poolID("Win"), NameInAzure: "win"}),
		[]string{
			`error: poolOptions[win22].importID: "` + poolID("win") + `": the pool does not keep its name without ` +
				`nameInAzure: set nameInAzure to the name that the pool has in Azure (MK852)`,
		},
	},
	{
		"an import of another pool", importing(plan.PoolOptions{ImportID: poolID("web"), NameInAzure: "win"}),
		importing(plan.PoolOptions{ImportID: plan.Later, NameInAzure: "win"}),
		[]string{
			`error: poolOptions[win22].importID: "` + poolID("web") + `": not the resource ID of a pool "win": ` +
				"write the one that `az aks nodepool show --query id` prints (MK852)",
		},
	},
	{
		"an import of something else", importing(plan.PoolOptions{ImportID: "win", NameInAzure: "win"}), nil,
		[]string{
			`error: poolOptions[win22].importID: "win": not the resource ID of a pool "win": write the one that ` +
				"`az aks nodepool show --query id` prints (MK852)",
		},
	},
	{
		"windows in the name", clusterNamed("shop-Windows"), clusterNamed("shop-win"),
		[]string{
			`error: clusterName: "shop-Windows": Azure refuses names that contain windows: use another one, for ` +
				`example shop (MK718)`,
		},
	},
	{
		"microsoft in the name", clusterNamed("omsagent-aks-dev-microsoft"), clusterNamed("micro-soft"),
		[]string{
			`error: clusterName: "omsagent-aks-dev-microsoft": Azure refuses names that contain microsoft: use ` +
				`another one, for example shop (MK718)`,
		},
	},
	{
		"login at the beginning", clusterNamed("login"), clusterNamed("shop-login"),
		[]string{
			`error: clusterName: "login": Azure refuses names that begin with login: use another one, for example ` +
				`shop (MK718)`,
		},
	},
	{
		"xbox at the beginning", clusterNamed("XBoxshop"), clusterNamed("shop-xbox"),
		[]string{
			`error: clusterName: "XBoxshop": Azure refuses names that begin with xbox: use another one, for example ` +
				`shop (MK718)`,
		},
	},
	{
		"a reserved word", clusterNamed("Azure"), clusterNamed("azure-shop"),
		[]string{
			`error: clusterName: "Azure": Azure has reserved this word: use another one, for example shop (MK718)`,
		},
	},
	{
		"a long name of the node resource group",
		inGroup(strings.Repeat("g", 33), strings.Repeat("c", 33), "West Europe"),
		inGroup(strings.Repeat("g", 33), strings.Repeat("c", 32), "West Europe"),
		[]string{
			`error: options.nodeResourceGroup: Azure would name it MC_` + strings.Repeat("g", 33) + `_` +
				strings.Repeat("c", 33) + `_westeurope, which has more than 80 characters: set a shorter one, or ` +
				`shorten the name of the resource group or of the cluster (MK719)`,
		},
	},
	{
		"a name of the node resource group that is long in any region",
		inGroup(strings.Repeat("g", 60), "shop-prod-123456", ""),
		inGroup(strings.Repeat("g", 60), "shop-prod-12345", ""),
		[]string{
			`error: options.nodeResourceGroup: Azure would name it MC_` + strings.Repeat("g", 60) +
				`_shop-prod-123456_REGION, which has more than 80 characters: set a shorter one, or shorten the name ` +
				`of the resource group or of the cluster (MK719)`,
		},
	},
	{
		"a group that is not known yet",
		both(inGroup("", strings.Repeat("c", 63), "westeurope"), options(obj{"nodeResourceGroup": tree.Unknown{}})),
		both(inGroup(strings.Repeat("g", 90), "shop", ""), options(obj{"nodeResourceGroup": tree.Unknown{}})), nil,
	},
	{
		"a configured name of the node resource group that is long",
		options(obj{"nodeResourceGroup": strings.Repeat("n", 81)}),
		both(inGroup(strings.Repeat("g", 90), "shop", ""), options(obj{"nodeResourceGroup": strings.Repeat("n", 80)})),
		[]string{
			`error: options.nodeResourceGroup: "` + strings.Repeat("n", 81) + `": 81 characters, and the name of a ` +
				`node ` +
				`resource group has at most 80: use a shorter one (MK719)`,
		},
	},
	{
		"the cluster's own group", both(inGroup("shop", "", ""), options(obj{"nodeResourceGroup": "Shop"})),
		both(inGroup("shop", "", ""), options(obj{"nodeResourceGroup": "shop-nodes"})),
		[]string{
			`error: options.nodeResourceGroup: "Shop": this is the resource group of the cluster itself: use a name ` +
				`that no group has, or remove it (MK720)`,
		},
	},
}
