package plan_test

import (
	"maps"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// in returns a change of one property of a cluster in Azure.
func in(path string, value any) func(c obj) { return func(c obj) { c[path] = value } }

func inNetwork(change obj) func(c obj) {
	return func(c obj) { maps.Copy(c["networkProfile"].(obj), change) }
}

func TestCheckExisting(t *testing.T) {
	t.Parallel()
	const never = ", so the cluster can never have any: create another cluster for Windows pools"
	tests := []struct {
		name    string
		cluster func(c obj)
		pools   []obj
		login   plan.Login
		want    []string
	}{
		{name: "all is as it should be", pools: []obj{windowsInAzure(nil)}},
		{
			name: "kubenet", cluster: inNetwork(obj{"networkPlugin": "kubenet", "networkPluginMode": nil}),
			want: []string{`warning: inAzure.networkProfile.networkPlugin: "kubenet": Windows nodes need Azure CNI` +
				never + ` (MK722)`},
		},
		{
			name: "Cilium", cluster: inNetwork(obj{"networkDataplane": "cilium", "networkPolicy": "cilium"}),
			want: []string{`warning: inAzure.networkProfile.networkDataplane: "cilium": Cilium does not run on ` +
				`Windows nodes` + never + ` (MK723)`},
		},
		{
			name: "no Windows profile", cluster: in("windowsProfile", nil),
			want: []string{`warning: inAzure.windowsProfile: the cluster was created without one, and Windows nodes ` +
				`need it` + never + ` (MK769)`},
		},
		{
			name: "Azure's network policy", cluster: inNetwork(obj{"networkPolicy": "azure"}),
			pools: []obj{windowsInAzure(nil)},
			want: []string{`warning: inAzure.networkProfile.networkPolicy: "azure": Microsoft has not supported it ` +
				`on Windows nodes since 2026-09-30, and inAzure.agentPoolProfiles[win] is a Windows pool: use calico ` +
				`or none (MK724)`},
		},
		{
			name: "a network-isolated cluster", cluster: in("bootstrapProfile", obj{"artifactSource": "Cache"}),
			pools: []obj{windowsInAzure(nil)},
			want: []string{`warning: inAzure.bootstrapProfile.artifactSource: "Cache": a network-isolated cluster ` +
				`cannot have Windows nodes, and inAzure.agentPoolProfiles[win] is a Windows pool: use Direct (MK782)`},
		},
		{
			name: "an old version", cluster: in("currentKubernetesVersion", "1.29.4"),
			want: []string{`warning: inAzure.currentKubernetesVersion: "1.29.4": older than the versions of AKS that ` +
				`this library knows (1.32 to 1.37): use a version that Azure supports (MK711)`},
		},
		{
			name: "a release that Azure removes", pools: []obj{windowsInAzure(func(p obj) {
				p["osSKU"], p["currentOrchestratorVersion"] = "Windows2019", "1.32.1"
			})},
			want: []string{`warning: inAzure.agentPoolProfiles[win].platform: "windows-2019": Azure refuses new ` +
				`Windows2019 pools since 2026-03-01: use windows-2022 or windows-2025 for a new pool; an existing ` +
				`one keeps working until its node images are removed on 2027-04-01 (MK713)`},
		},
		{
			name:  "a release that is not known",
			pools: []obj{windowsInAzure(func(p obj) { p["osSKU"] = "WindowsAnnual" })},
			want: []string{`warning: inAzure.agentPoolProfiles[win].osSKU: "WindowsAnnual": not a Windows release ` +
				`that this library knows, so the topology does not have this pool: give the pool a taint that no ` +
				`workload of this program tolerates (MK850)`},
		},
		{
			name: "a login with Entra ID to a cluster without it", login: plan.Login{Mode: plan.LoginServicePrincipal},
			want: []string{`error: login.mode: "spn": the cluster does not accept tokens of Microsoft Entra ID: ` +
				`remove login to use the certificate of Azure's kubeconfig (MK766)`},
		},
		{
			name: "the administrator of a cluster without local accounts", login: plan.Login{Mode: plan.LoginAdmin},
			cluster: in("disableLocalAccounts", true),
			want: []string{`error: login.mode: "admin": there is no local administrator, because the cluster has no ` +
				`local accounts: use azurecli, spn, msi, workloadidentity, azurepipelines, azd or ropc (MK765)`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := clusterInAzure(tt.cluster, tt.pools...)
			wantFindings(t, plan.CheckExisting(a, tt.login, time.Time{}), tt.want...)
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

func TestCheckJoining(t *testing.T) {
	t.Parallel()
	win := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}
	linux := topology.Pool{Name: "apps", Platform: platform.Linux, Size: "Standard_D4s_v5"}
	const (
		never    = "and pool is a Windows pool: create another cluster for Windows pools"
		other    = "organization/shop/prod/shop"
		untagged = `without the tag mixedkube-pool-of that pools of aks.Existing have: `
		ofOther  = `which belongs to another program: its tag mixedkube-pool-of is "` + other + `": `
		noImport = `set importID to its resource ID; or add an alias to the pool, if this stack has it under another ` +
			`name (MK779)`
	)
	tests := []struct {
		name    string
		pool    topology.Pool
		options plan.PoolOptions
		cluster func(c obj)
		others  []string
		want    []string
	}{
		{name: "all is as it should be", pool: win, others: []string{"nodepool1", "win"}},
		{
			name: "kubenet", pool: win, cluster: inNetwork(obj{"networkPlugin": "kubenet"}),
			want: []string{`error: inAzure.networkProfile.networkPlugin: "kubenet": Windows nodes need Azure CNI, ` +
				never + ` (MK722)`},
		},
		{
			name: "Cilium", pool: win,
			cluster: inNetwork(obj{"networkDataplane": "cilium", "networkPolicy": "cilium"}),
			want: []string{
				`error: inAzure.networkProfile.networkDataplane: "cilium": Cilium does not run on Windows nodes, ` +
					never + ` (MK723)`,
				`error: inAzure.networkProfile.networkPolicy: "cilium": does not run on Windows nodes, and pool is a ` +
					`Windows pool: use calico or none (MK724)`,
			},
		},
		{
			name: "no Windows profile", pool: win, cluster: in("windowsProfile", nil),
			want: []string{`error: inAzure.windowsProfile: the cluster was created without one, and Windows nodes ` +
				`need it, ` + never + ` (MK769)`},
		},
		{
			name: "no outbound connections", pool: win, cluster: inNetwork(obj{"outboundType": "none"}),
			want: []string{`error: inAzure.networkProfile.outboundType: "none": a network-isolated cluster cannot ` +
				`have Windows nodes, and pool is a Windows pool: use another outbound type, for example loadBalancer ` +
				`(MK782)`},
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
			want: []string{
				`error: options.osSKU: "Windows2019": the platform of the pool is windows-2022: remove it, because ` +
					`the platform sets it to Windows2022, or change the platform (MK716)`,
				`error: pool.name: "win22": the program has another pool with this name in the cluster: use another ` +
					`name (MK798)`,
			},
		},
		{
			name: "a name that another tool uses", pool: win, others: []string{"win22"},
			cluster: nameFirstPool("win22", ""),
			want: []string{`error: pool.name: "win22": the cluster has a pool "win22", ` + untagged + `set ` +
				`nameInAzure to "win22" and importID to its resource ID to take it over, or use another name (MK798)`},
		},
		{
			name: "a name that another program uses", pool: win, others: []string{"win22"},
			cluster: nameFirstPool("win22", other),
			want: []string{`error: pool.name: "win22": the cluster has a pool "win22", ` + ofOther + `set ` +
				`nameInAzure to "win22" and importID to its resource ID to take it over, or use another name (MK798)`},
		},
		{
			name: "a name that this library would generate", pool: win, cluster: nameFirstPool("win22d", ""),
			want: []string{`error: pool.name: "win22": the cluster has a pool "win22d", ` + untagged + `add the ` +
				`alias {NoParent: pulumi.Bool(true)} to this one if aks.NewNodePool created it in this stack; or set ` +
				`nameInAzure to "win22d" and importID to its resource ID to take it over, or use another name (MK798)`},
		},
		{name: "a name that this library has generated", pool: win, cluster: nameFirstPool("win22d", owner)},
		{
			name: "a name that this library has generated for another program", pool: win,
			cluster: nameFirstPool("win22d", other),
			want: []string{`error: pool.name: "win22": the cluster has a pool "win22d", ` + ofOther + `use another ` +
				`name; or, if that is a former name of this stack or component, add its former name to the ` +
				`ExistingCluster as an alias, or ignore this rule for one update, which rewrites the tag (MK798)`},
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
			options: plan.PoolOptions{NameInAzure: "nodepool1"},
			want: []string{`error: nameInAzure: "nodepool1": the pool already exists in Azure, ` + untagged +
				noImport},
		},
		{
			name: "a pool that keeps its name, and that another program has", pool: linux,
			cluster: nameFirstPool("nodepool1", other), options: plan.PoolOptions{NameInAzure: "nodepool1"},
			want: []string{`error: nameInAzure: "nodepool1": the pool already exists in Azure, ` + ofOther + `set ` +
				`importID to its resource ID; or add an alias to the pool, if this stack has it under another name; ` +
				`or, if that is a former name of this stack or component, add its former name to the ExistingCluster ` +
				`as an alias, or ignore this rule for one update, which rewrites the tag (MK779)`},
		},
		{
			name: "a pool that keeps its name, and that this program has", pool: linux,
			cluster: nameFirstPool("nodepool1", owner), options: plan.PoolOptions{NameInAzure: "nodepool1"},
		},
		{
			name: "a pool that is created with nameInAzure", pool: linux,
			options: plan.PoolOptions{NameInAzure: "nodepool2"},
		},
		{
			name: "an import of a pool that keeps its name", pool: linux,
			options: plan.PoolOptions{NameInAzure: "nodepool1", Resource: true},
		},
		{
			name: "another platform than that of the pool that it takes over", pool: win,
			options: plan.PoolOptions{NameInAzure: "nodepool1", Resource: true},
			want: []string{
				`error: nameInAzure: "nodepool1": 9 characters, and the name of a Windows pool has at most 6: write ` +
					`the name that the pool has in Azure (MK702)`,
				`error: nameInAzure: "nodepool1": osType of the pool is linux in Azure, which never changes it, and ` +
					`windows-2022 here: remove nameInAzure, so that a new pool is created before the old one is ` +
					`removed; or keep linux (MK777)`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := clusterInAzure(tt.cluster)
			in := plan.Pool{
				KubernetesVersion: "1.35.4", Pool: tt.pool.WithDefaults("1.35.4"), Network: a.Network(),
				Options: tt.options,
			}
			wantFindings(t, plan.CheckJoining(in, a, owner, tt.others), tt.want...)
		})
	}
}

// Moved keeps newer versions in Azure only if an auto-upgrade channel moves versions.
func TestVersionsThatAChannelMoves(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name            string
		channel, option string
		cluster, pool   string
		// inAzure are the versions of the cluster and of the Windows pool.
		inAzure, poolInAzure string
		want, wantPool       string
		messages             []string
	}{
		{
			name: "no channel", channel: "none", cluster: "1.35", inAzure: "1.36.2", poolInAzure: "1.36.2",
			want: "1.35",
		},
		{
			name: "a channel of node images", channel: "node-image", cluster: "1.35", inAzure: "1.36.2",
			poolInAzure: "1.35.1", want: "1.35",
		},
		{
			name: "a minor version", channel: "stable", cluster: "1.35", inAzure: "1.36.2", poolInAzure: "1.36.2",
			want: "1.36", wantPool: "1.36",
			messages: []string{`info: kubernetesVersion: "1.35": the auto-upgrade channel stable has moved it to ` +
				`1.36.2 in Azure, and that version is used: write 1.36 (MK778)`},
		},
		{
			name: "the pool is older than the cluster", channel: "rapid", cluster: "v1.35", inAzure: "1.36.2",
			poolInAzure: "1.35.4", want: "1.36", wantPool: "1.35",
			messages: []string{`info: kubernetesVersion: "1.35": the auto-upgrade channel rapid has moved it to ` +
				`1.36.2 in Azure, and that version is used: write 1.36 (MK778)`},
		},
		{
			name: "a patch release of a version that leaves it to Azure", channel: "patch", cluster: "1.35",
			inAzure: "1.35.9", poolInAzure: "1.35.9", want: "1.35", wantPool: "1.35",
		},
		{
			name: "a patch release", channel: "patch", cluster: "1.35.2", pool: "1.34.1", inAzure: "1.35.10",
			poolInAzure: "1.34.3", want: "1.35.10", wantPool: "1.34.3",
			messages: []string{
				`info: kubernetesVersion: "1.35.2": the auto-upgrade channel patch has moved it to 1.35.10 in Azure, ` +
					`and that version is used: write 1.35.10 (MK778)`,
				`info: pools[1].kubernetesVersion: "1.34.1": the auto-upgrade channel patch has moved it to 1.34.3 ` +
					`in Azure, and that version is used: write 1.34.3 (MK778)`,
			},
		},
		{
			name: "the program raises it", channel: "stable", cluster: "1.37", inAzure: "1.36.2",
			poolInAzure: "1.36.2", want: "1.37", wantPool: "1.37",
		},
		{
			name: "the program switches the channel off", channel: "stable", option: "none", cluster: "1.35",
			inAzure: "1.36.2", poolInAzure: "1.36.2", want: "1.35",
		},
		{
			name: "the program switches it on", option: "stable", cluster: "1.35", inAzure: "1.36.2",
			poolInAzure: "1.36.2", want: "1.36", wantPool: "1.36",
			messages: []string{`info: kubernetesVersion: "1.35": the auto-upgrade channel stable has moved it to ` +
				`1.36.2 in Azure, and that version is used: write 1.36 (MK778)`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := clusterInAzure(func(c obj) {
				c["currentKubernetesVersion"] = tt.inAzure
				c["autoUpgradeProfile"] = obj{"upgradeChannel": tt.channel}
			}, windowsInAzure(func(p obj) { p["currentOrchestratorVersion"] = tt.poolInAzure }))
			c := keeping(func(c *plan.Cluster) {
				c.Topology.KubernetesVersion = tt.cluster
				c.Topology.Pools[1].KubernetesVersion = tt.pool
				c.Topology.Pools = append(c.Topology.Pools, topology.Pool{Name: "new", Platform: platform.Linux})
				if tt.option != "" {
					c.Options = obj{"autoUpgradeProfile": obj{"upgradeChannel": tt.option}}
				}
			})
			got, findings := plan.Moved(c, a)
			if got.KubernetesVersion != tt.want || got.Pools[1].KubernetesVersion != tt.wantPool {
				t.Errorf("the cluster has %q and the pool %q, want %q and %q", got.KubernetesVersion,
					got.Pools[1].KubernetesVersion, tt.want, tt.wantPool)
			}
			if v := got.Pools[2].KubernetesVersion; v != "" {
				t.Errorf("a pool that does not exist has the version %q", v)
			}
			if c.Topology.Pools[1].KubernetesVersion != tt.pool {
				t.Error("Moved has changed the pool of the program")
			}
			wantFindings(t, findings, tt.messages...)
		})
	}
}

// A pool of an unmanaged cluster gets a version only if the program sets one.
func TestTheVersionOfAPoolThatAChannelMoves(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ channel, configured, want, messages string }{
		{"stable", "", "", ""},
		{"stable", "1.34", "1.35", `info: pool.kubernetesVersion: "1.34": the auto-upgrade channel stable has moved ` +
			`it to 1.35.1 in Azure, and that version is used: write 1.35 (MK778)`},
		{"stable", "1.36", "1.36", ""},
		{"none", "1.34", "1.34", ""},
	} {
		a := clusterInAzure(in("autoUpgradeProfile", obj{"upgradeChannel": tt.channel}), windowsInAzure(nil))
		p, findings := a.MovedPool(topology.Pool{Name: "web", KubernetesVersion: tt.configured},
			plan.PoolOptions{NameInAzure: "win"})
		if p.KubernetesVersion != tt.want {
			t.Errorf("version %q with the channel %s is %q, want %q", tt.configured, tt.channel, p.KubernetesVersion,
				tt.want)
		}
		var want []string
		if tt.messages != "" {
			want = []string{tt.messages}
		}
		wantFindings(t, findings, want...)
	}
}
