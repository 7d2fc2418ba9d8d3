package plan_test

import (
	"maps"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// in returns a change of one property of a cluster in Azure.
func in(path string, value any) func(c obj) { return func(c obj) { c[path] = value } }

func inNetwork(change obj) func(c obj) {
	return func(c obj) { maps.Copy(c["networkProfile"].(obj), change) }
}

type existingCheck struct {
	name    string
	cluster func(c obj)
	pools   []obj
	login   plan.Login
	today   time.Time
	want    []string
}

func (c existingCheck) found() []preflight.Finding {
	return plan.CheckExisting(clusterInAzure(c.cluster, c.pools...), c.login, c.today)
}

var existingChecks = []existingCheck{
	{name: "all is as it should be", pools: []obj{windowsInAzure(nil)}},
	{
		name: "kubenet", cluster: inNetwork(obj{"networkPlugin": "kubenet", "networkPluginMode": nil}),
		want: []string{"warning: inAzure.networkProfile.networkPlugin (MK722)"},
	},
	{
		name: "Cilium", cluster: inNetwork(obj{"networkDataplane": "cilium", "networkPolicy": "cilium"}),
		want: []string{"warning: inAzure.networkProfile.networkDataplane (MK723)"},
	},
	{
		name: "no Windows profile", cluster: in("windowsProfile", nil),
		want: []string{"warning: inAzure.windowsProfile (MK769)"},
	},
	{
		name: "Azure's network policy", cluster: inNetwork(obj{"networkPolicy": "azure"}),
		pools: []obj{windowsInAzure(nil)}, want: []string{"warning: inAzure.networkProfile.networkPolicy (MK724)"},
	},
	{
		name: "a network-isolated cluster", cluster: in("bootstrapProfile", obj{"artifactSource": "Cache"}),
		pools: []obj{windowsInAzure(nil)}, want: []string{"warning: inAzure.bootstrapProfile.artifactSource (MK782)"},
	},
	{
		name: "an old version", cluster: in("currentKubernetesVersion", "1.29.4"),
		want: []string{"warning: inAzure.currentKubernetesVersion (MK711)"},
	},
	{
		name: "a release that Azure removes", pools: []obj{windowsInAzure(func(p obj) {
			p["osSKU"], p["currentOrchestratorVersion"] = "Windows2019", "1.32.1"
		})}, want: []string{"warning: inAzure.agentPoolProfiles[win].platform (MK713)"},
	},
	{
		name: "a release that is not known", pools: []obj{windowsInAzure(func(p obj) { p["osSKU"] = "WindowsAnnual" })},
		want: []string{"warning: inAzure.agentPoolProfiles[win].osSKU (MK850)"},
	},
	{
		name: "a login with Entra ID to a cluster without it", login: plan.Login{Mode: plan.LoginServicePrincipal},
		want: []string{"error: login.mode (MK766)"},
	},
	{
		name: "the administrator of a cluster without local accounts", login: plan.Login{Mode: plan.LoginAdmin},
		cluster: in("disableLocalAccounts", true), want: []string{"error: login.mode (MK765)"},
	},
	{
		name: "a browser", cluster: in("aadProfile", obj{"managed": true}),
		login: plan.Login{Mode: plan.LoginInteractive},
		want:  []string{"warning: login.mode (MK764)"},
	},
	{
		name: "a misspelled mode", cluster: in("aadProfile", obj{"managed": true}), login: plan.Login{Mode: "azurecl"},
		want: []string{"error: login.mode (MK767)"},
	},
	{
		name: "a setting of another mode", cluster: in("aadProfile", obj{"managed": true}),
		login: plan.Login{Mode: plan.LoginAzureCLI, ClientID: "c"}, want: []string{"error: login.clientID (MK768)"},
	},
	{
		name: "the end of a release", pools: []obj{windowsInAzure(nil)}, today: good(on("2028-01-01", nil)).Today,
		want: []string{
			"info: inAzure.agentPoolProfiles[win].platform (MK853)", "warning: inAzure.currentKubernetesVersion " +
				"(MK884)",
		},
	},
}

func TestCheckExisting(t *testing.T) {
	t.Parallel()
	for _, tt := range existingChecks {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, tt.found(), tt.want...)
		})
	}
}

// nameFirstPool returns a change of the first pool in Azure, which gets a name and the tag of an owner.
func nameFirstPool(name, owner string) func(c obj) {
	return func(c obj) {
		first := c["agentPoolProfiles"].([]any)[0].(obj)
		first["name"] = name
		if owner != "" {
			first["tags"] = obj{plan.OwnerTag: owner}
		}
	}
}

var linux = topology.Pool{Name: "apps", Platform: platform.Linux, Size: "Standard_D4s_v5"}

const other = "organization/shop/prod/shop"

type joiningCheck struct {
	name    string
	pool    topology.Pool
	options plan.PoolOptions
	cluster func(c obj)
	others  []string
	want    []string
}

func (c joiningCheck) found() []preflight.Finding {
	a := clusterInAzure(c.cluster)
	return plan.CheckJoining(plan.Pool{
		KubernetesVersion: "1.35.4", Pool: c.pool.WithDefaults("1.35.4"), Network: a.Network(), Options: c.options,
	}, a, place, owner, c.others)
}

var joiningChecks = []joiningCheck{
	{name: "all is as it should be", pool: win, others: []string{"nodepool1", "win"}},
	{
		name: "kubenet", pool: win, cluster: inNetwork(obj{"networkPlugin": "kubenet"}),
		want: []string{"error: inAzure.networkProfile.networkPlugin (MK722)"},
	},
	{
		name: "Cilium", pool: win, cluster: inNetwork(obj{"networkDataplane": "cilium", "networkPolicy": "cilium"}),
		want: []string{
			"error: inAzure.networkProfile.networkDataplane (MK723)",
			"error: inAzure.networkProfile.networkPolicy (MK724)",
		},
	},
	{
		name: "no Windows profile", pool: win, cluster: in("windowsProfile", nil),
		want: []string{"error: inAzure.windowsProfile (MK769)"},
	},
	{
		name: "no outbound connections", pool: win, cluster: inNetwork(obj{"outboundType": "none"}),
		want: []string{"error: inAzure.networkProfile.outboundType (MK782)"},
	},
	{
		name: "a Linux pool can join all of these clusters", pool: linux, cluster: func(c obj) {
			inNetwork(obj{"networkPlugin": "kubenet", "networkDataplane": "cilium"})(c)
			delete(c, "windowsProfile")
		},
	},
	{
		name: "an option, and a name of another pool", pool: win, others: []string{"win22"},
		options: plan.PoolOptions{Options: obj{"osSKU": "Windows2019"}},
		want:    []string{"error: options.osSKU (MK716)", "error: pool.name (MK798)"},
	},
	{
		name: "a name that another tool uses", pool: win, others: []string{"win22"},
		cluster: nameFirstPool("win22", ""), want: []string{"error: pool.name (MK798)"},
	},
	{
		name: "a name that another program uses", pool: win, others: []string{"win22"},
		cluster: nameFirstPool("win22", other), want: []string{"error: pool.name (MK798)"},
	},
	{
		name: "a name that this library would generate", pool: win, cluster: nameFirstPool("win22d", ""),
		want: []string{"error: pool.name (MK798)"},
	},
	{name: "a name that this library has generated", pool: win, cluster: nameFirstPool("win22d", owner)},
	{
		name: "a name that this library has generated for another program", pool: win,
		cluster: nameFirstPool("win22d", other), want: []string{"error: pool.name (MK798)"},
	},
	{
		name: "an alias for a pool of aks.NewNodePool", pool: win, cluster: nameFirstPool("win22d", ""),
		options: plan.PoolOptions{Resource: true},
	},
	{
		name: "an alias for a pool of another program", pool: win, cluster: nameFirstPool("win22d", other),
		options: plan.PoolOptions{Resource: true},
	},
	{
		name: "a pool that keeps its name, and that no program has", pool: linux,
		options: plan.PoolOptions{NameInAzure: "nodepool1"}, want: []string{"error: nameInAzure (MK779)"},
	},
	{
		name: "a pool that keeps its name, and that another program has", pool: linux,
		cluster: nameFirstPool("nodepool1", other), options: plan.PoolOptions{NameInAzure: "nodepool1"},
		want: []string{"error: nameInAzure (MK779)"},
	},
	{
		name: "a pool that keeps its name, and that this program has", pool: linux,
		cluster: nameFirstPool("nodepool1", owner), options: plan.PoolOptions{NameInAzure: "nodepool1"},
	},
	{name: "a pool that is created with nameInAzure", pool: linux, options: plan.PoolOptions{NameInAzure: "nodepool2"}},
	{
		name: "an import of a pool that keeps its name", pool: linux,
		options: plan.PoolOptions{NameInAzure: "nodepool1", Resource: true},
	},
	{
		name: "another platform than that of the pool that it takes over", pool: win,
		options: plan.PoolOptions{NameInAzure: "nodepool1", Resource: true},
		want:    []string{"error: nameInAzure (MK702)", "error: nameInAzure (MK777)"},
	},
}

func TestCheckJoining(t *testing.T) {
	t.Parallel()
	for _, tt := range joiningChecks {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, tt.found(), tt.want...)
		})
	}
}
