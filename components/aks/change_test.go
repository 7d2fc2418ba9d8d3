package aks_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/topology"
)

// made returns the small cluster as it is in Azure.
func made(change func(*akstest.Cluster)) akstest.Cluster {
	c := akstest.Cluster{
		Name:     "shop",
		Tags:     map[string]string{"mixedkube-first-pool": "sysvhv"},
		Versions: map[string]string{"sysvhv": "1.35.2", "win22d": "1.35.2"},
		WindowsProfile: map[string]any{
			"adminUsername": "azureuser", "licenseType": "None", "gmsaProfile": map[string]any{"enabled": false},
		},
	}
	if change != nil {
		change(&c)
	}
	return c
}

// inGroup returns the arguments of the small cluster in an existing resource group.
func inGroup(change func(*aks.ClusterArgs)) *aks.ClusterArgs {
	args := small(change)
	args.ResourceGroupName = pulumi.String("shop-group")
	return args
}

// profiles returns the names and sizes of the inline pools of the cluster.
func profiles(t *testing.T, graph *mocktest.Graph) []string {
	t.Helper()
	inline, _ := graph.MustGet(t, clusterType, "shop-cluster").Plain()["agentPoolProfiles"].([]any)
	var texts []string
	for _, p := range inline {
		profile := p.(map[string]any)
		texts = append(texts, profile["name"].(string)+" "+profile["vmSize"].(string))
	}
	return texts
}

func TestTheFirstSystemPoolStaysInlineUntilItIsAnother(t *testing.T) {
	t.Parallel()
	const flags = `--resource-group shop-group --cluster-name shop`
	var (
		stays   = []string{"sysvhv Standard_D4s_v5"}
		only    = []string{"shop-win22d"}
		first   = map[string]any{"mixedkube-first-pool": "sysvhv"}
		left    = map[string]any{"mixedkube-first-pool": "left:sysvhv"}
		removal = []string{"warning: pools: the cluster began with the pool sysvhv, which the program no longer has, " +
			"and Pulumi cannot remove it: when the new pools exist, run az aks nodepool delete " + flags +
			" --name sysvhv (MK796)"}
		isLeft = func(c *akstest.Cluster) { c.Tags = map[string]string{"mixedkube-first-pool": "left:sysvhv"} }
		larger = func(a *aks.ClusterArgs) { a.Pools[0].Size = "Standard_D8s_v5" }
	)
	tests := []struct {
		name   string
		change func(*aks.ClusterArgs)
		azure  []akstest.Cluster
		inline []string
		pools  []string
		tags   map[string]any
		logs   []string
		// With the Azure CLI: the version that the upgrade command upgrades to, whether it does so even if the
		// command is new (behind), and the pool that the removal command removes.
		upgrade, remove string
		behind          bool
	}{
		{name: "a new cluster", inline: stays, pools: only, tags: first, upgrade: "1.35"},
		{
			name: "nothing changes", azure: []akstest.Cluster{made(nil)}, inline: stays, pools: only, tags: first,
			upgrade: "1.35",
		},
		{
			name: "a change in place", change: func(a *aks.ClusterArgs) {
				a.Pools[0].Count, a.Pools[0].Labels = 5, map[string]string{"team": "shop"}
				a.Pools[0].Upgrade = topology.Upgrade{MaxSurge: "1"}
			},
			azure: []akstest.Cluster{made(nil)}, inline: stays, pools: only, tags: first, upgrade: "1.35",
		},
		{
			name: "an upgrade", change: func(a *aks.ClusterArgs) { a.KubernetesVersion = "1.36" },
			azure: []akstest.Cluster{made(nil)}, inline: stays, pools: only, tags: first, upgrade: "1.36", behind: true,
			logs: []string{`warning: pools[0].kubernetesVersion: "1.36": the initial pool of the cluster has ` +
				`1.35.2, and Pulumi cannot upgrade it: ` +
				"after the cluster, run az aks nodepool upgrade " + flags +
				" --name sysvhv --kubernetes-version 1.36 --yes --output none (MK797)"},
		},
		{
			name: "a larger size", change: larger, azure: []akstest.Cluster{made(nil)},
			pools: []string{"shop-sysypx", "shop-win22d"}, tags: left, logs: removal, remove: "sysvhv",
		},
		{
			name: "a larger size, the time after", change: larger, azure: []akstest.Cluster{made(isLeft)},
			pools: []string{"shop-sysypx", "shop-win22d"}, tags: left, logs: removal, remove: "sysvhv",
		},
		{
			name: "a larger size, when the old pool is removed", change: larger,
			azure: []akstest.Cluster{made(func(c *akstest.Cluster) { isLeft(c); delete(c.Versions, "sysvhv") })},
			pools: []string{"shop-sysypx", "shop-win22d"}, tags: left, remove: "sysvhv",
		},
		{
			name: "a larger size that is taken back as it failed", azure: []akstest.Cluster{made(isLeft)},
			inline: stays, pools: only, tags: first, upgrade: "1.35",
		},
		{
			// The old pool no longer exists, and Azure accepts no new inline pool.
			name:  "as it was at the beginning, when the old pool is removed",
			azure: []akstest.Cluster{made(func(c *akstest.Cluster) { isLeft(c); delete(c.Versions, "sysvhv") })},
			pools: []string{"shop-sysvhv", "shop-win22d"}, tags: map[string]any{"mixedkube-first-pool": "none"},
		},
		{
			name: "another size, as the first run failed", change: larger,
			inline: []string{"sysypx Standard_D8s_v5"}, pools: only,
			tags: map[string]any{"mixedkube-first-pool": "sysypx"}, upgrade: "1.35",
		},
		{
			name: "another system pool in front of it", change: func(a *aks.ClusterArgs) {
				a.Pools = append([]topology.Pool{{
					Name: "sys0", Platform: "linux", Mode: topology.System,
					Size: "Standard_D4s_v5",
				}}, a.Pools...)
			},
			azure: []akstest.Cluster{made(nil)}, inline: stays, pools: []string{"shop-sys0vhv", "shop-win22d"},
			tags: first, upgrade: "1.35",
		},
		{
			name: "a user pool now, with another system pool", change: func(a *aks.ClusterArgs) {
				a.Pools[0].Mode = topology.User
				a.Pools = append(a.Pools,
					topology.Pool{Name: "base", Platform: "linux", Mode: topology.System, Size: "Standard_D4s_v5"})
			},
			azure: []akstest.Cluster{made(nil)}, inline: stays, pools: []string{"shop-basevhv", "shop-win22d"},
			tags: first, upgrade: "1.35",
		},
		{
			name: "another name", change: func(a *aks.ClusterArgs) { a.Pools[0].Name = "base" },
			azure: []akstest.Cluster{made(nil)},
			pools: []string{"shop-basevhv", "shop-win22d"}, tags: left, logs: removal, remove: "sysvhv",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
				options = append(options, akstest.Azure(tt.azure...))
				args := inGroup(tt.change)
				graph := mocktest.MustRun(t, newCluster(args), options...)
				equal(t, "inline pools", tt.inline, profiles(t, graph))
				equal(t, "pools", tt.pools, names(graph, poolType))
				equal(t, "tags", any(tt.tags), graph.MustGet(t, clusterType, "shop-cluster").Plain()["tags"])
				equal(t, "commands", []string(nil), names(graph, commandType))
				equal(t, "log", tt.logs, messages(graph))
			}

			args := inGroup(tt.change)
			args.AzureCLI = true
			graph := mocktest.MustRun(t, newCluster(args), akstest.Azure(tt.azure...))
			equal(t, "log with the Azure CLI", []string(nil), messages(graph))
			if tt.upgrade == "" {
				equal(t, "commands", []string{"shop-first-pool-removal", "shop-windows-admin-update"},
					names(graph, commandType))
			} else {
				run := "az aks nodepool upgrade " + flags + " --name " + nameOf(tt.inline) + " --kubernetes-version " +
					tt.upgrade + " --yes --output none"
				create := "exit 0"
				if tt.behind {
					create = run
				}
				upgrade := graph.MustGet(t, commandType, "shop-first-pool-upgrade")
				equal(t, "the upgrade", []any{create, run},
					[]any{typed(t, upgrade, "create"), typed(t, upgrade, "update")})
				equal(t, "ignored changes", []string{"create"}, upgrade.IgnoreChanges)
			}
			command, run := graph.MustGet(t, commandType, "shop-first-pool-removal"), "exit 0"
			if tt.remove != "" {
				run = "az resource delete --ids shop-cluster-id/agentPools/" + tt.remove + " --output none"
			}
			equal(t, "the removal", []any{run, run}, []any{typed(t, command, "create"), typed(t, command, "update")})
			for _, pool := range graph.ByType(poolType) {
				if !slices.Contains(command.Dependencies, pool.URN) {
					t.Errorf("the removal does not wait for %s", pool)
				}
			}
		})
	}
}

// nameOf returns the name of the only inline pool.
func nameOf(inline []string) string { return inline[0][:6] }

// Azure refuses the version of an inline pool if the versions of the others are not set.
func TestTheInlinePoolHasNoVersion(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newCluster(inGroup(nil)), akstest.Azure())
	profile := graph.MustGet(t, clusterType, "shop-cluster").Plain()["agentPoolProfiles"].([]any)[0].(map[string]any)
	if version, ok := profile["orchestratorVersion"]; ok {
		t.Errorf("it has the version %v", version)
	}
}

func TestAClusterThatCannotBeIdentifiedStopsTheProgram(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		group string
		azure akstest.Cluster
		want  string
	}{
		{
			"a cluster that another program created", "shop-group", made(func(c *akstest.Cluster) { c.Tags = nil }),
			`mixedkube:aks:Cluster "shop": clusterName: "shop": a cluster with this name already exists, without the ` +
				`tag mixedkube-first-pool: use another name; or take it over, with nameInAzure in poolOptions of a ` +
				"system pool (its pools are sysvhv and win22d); or set the tag to the name of the pool in its " +
				"agentPoolProfiles, or to none if all its pools are resources of their own",
		},
		{
			"a tag for a shell", "shop-group",
			made(func(c *akstest.Cluster) { c.Tags["mixedkube-first-pool"] = `left:x"; id >&2; : "` }),
			`mixedkube:aks:Cluster "shop": clusterName: "shop": its tag mixedkube-first-pool has the value ` +
				`"left:x\"; id >&2; : \"", which does not name a pool: ` +
				"set the tag to the name of the pool in its agentPoolProfiles, or to none if all its pools are " +
				"resources of their own",
		},
		{
			"a group with a name for a shell", "shop; rm -rf", made(nil),
			`mixedkube:aks:Cluster "shop": resourceGroupName: "shop; rm -rf": the name of a resource group has ` +
				`letters, digits, underscores, hyphens, periods and parentheses only`,
		},
		{
			"a group with a name that is too long", fmt.Sprintf("%091d", 0), made(nil),
			`mixedkube:aks:Cluster "shop": resourceGroupName: Too long: the name of a resource group has at most 90 ` +
				`characters`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(
				newCluster(small(func(a *aks.ClusterArgs) { a.ResourceGroupName = pulumi.String(tt.group) })),
				akstest.Azure(tt.azure),
			)
			if err == nil || err.Error() != tt.want {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
			equal(t, "clusters", []string(nil), names(graph, clusterType))
		})
	}
}

func TestTheWindowsProfileChangesInPlace(t *testing.T) {
	t.Parallel()
	const (
		place = `--resource-group shop-group --name shop `
		plain = "--disable-ahub --disable-windows-gmsa"
	)
	var (
		began   = madeWith(t, password, plain)
		rotated = madeWith(t, "An-Older-Password-1", plain)
		gmsa    = func(a *aks.ClusterArgs) { a.WindowsAdmin.GMSA = aks.GMSA{Enabled: true} }
		all     = func(a *aks.ClusterArgs) {
			a.WindowsAdmin.GMSA = aks.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}
			a.WindowsAdmin.LicenseType = aks.WindowsServerLicense
		}
		passwordDiffers = func(flags string) string {
			return "warning: windowsAdmin.password: not the one that the cluster was created with, which Pulumi " +
				"sends again with each change of the cluster: " +
				`after each change, run printf %s "$WINDOWS_PASSWORD" | az aks update ` + place +
				"--windows-admin-password @- " + flags +
				" --yes --output none; or set azureCLI, and the program runs it; when the password changes, Azure " +
				"restarts all Windows nodes (MK795)"
		}
		settingsDiffer = func(what, flags, effect string) string {
			return "warning: windowsAdmin: it differs in Azure (" + what +
				"), and Pulumi would replace the cluster to change it: run az aks update " +
				place + flags + " --yes" + effect + " (MK795)"
		}
	)
	const (
		withGMSA = "--disable-ahub --enable-windows-gmsa"
		withAll  = "--enable-ahub --enable-windows-gmsa --gmsa-dns-server 10.0.0.4 --gmsa-root-domain-name contoso.com"
	)
	tests := []struct {
		name   string
		change func(*aks.ClusterArgs)
		began  map[string]any
		azure  []akstest.Cluster
		create bool // whether a new command does something
		flags  string
		logs   []string // without the Azure CLI
	}{
		{"a new cluster", nil, nil, nil, false, plain, nil},
		// The program may have changed since the creation of the cluster failed halfway.
		{"nothing changes", nil, began, []akstest.Cluster{made(nil)}, true, plain, nil},
		{"another password for a new cluster", nil, rotated, nil, true, plain, []string{passwordDiffers(plain)}},
		{"another password", nil, rotated, []akstest.Cluster{made(nil)}, true, plain, []string{passwordDiffers(plain)}},
		{
			"gMSA turned on", gmsa, began,
			[]akstest.Cluster{made(nil)},
			true, withGMSA,
			[]string{settingsDiffer("gmsa", withGMSA, "")},
		},
		{
			"gMSA turned on, and on in Azure", gmsa, began, []akstest.Cluster{made(func(c *akstest.Cluster) {
				c.WindowsProfile["gmsaProfile"] = map[string]any{"enabled": true}
			})}, true, withGMSA, nil,
		},
		{
			"gMSA of a domain, a license and another password", all, rotated,
			[]akstest.Cluster{made(nil)},
			true, withAll,
			[]string{
				passwordDiffers(withAll),
				settingsDiffer("licenseType and gmsa", withAll,
					"; when the license changes, Azure reimages all Windows nodes"),
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
				args := inGroup(tt.change)
				graph := mocktest.MustRun(t, newCluster(args), append(options, azure(tt.began, tt.azure...))...)
				logs := messages(graph)
				slices.Sort(logs)
				equal(t, "log", tt.logs, logs)
				cluster := graph.MustGet(t, clusterType, "shop-cluster")
				ignored := []string{
					"windowsProfile.adminPassword", "windowsProfile.gmsaProfile", "windowsProfile.licenseType",
				}
				if len(tt.azure) > 0 { // Azure has chosen it
					ignored = append(ignored, "nodeResourceGroup")
				}
				equal(t, "ignored changes", ignored, cluster.IgnoreChanges)
				if !cluster.Protect {
					t.Error("the cluster is not protected")
				}
			}
			args := inGroup(tt.change)
			args.AzureCLI = true
			graph := mocktest.MustRun(t, newCluster(args), azure(tt.began, tt.azure...))
			command := graph.MustGet(t, commandType, "shop-windows-admin-update")
			equal(t, "ignored changes of the command", []string{"create"}, command.IgnoreChanges)
			run := "az aks update " + place + "--windows-admin-password @- " + tt.flags + " --yes --output none"
			equal(t, "update", run, typed(t, command, "update"))
			if !tt.create {
				run = "exit 0"
			}
			equal(t, "create", run, typed(t, command, "create"))
			equal(t, "log", []string(nil), messages(graph))
		})
	}
}

// The finding about the Windows profile can be suppressed like any other finding.
func TestTheFindingAboutTheWindowsProfileCanBeSuppressed(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newCluster(inGroup(func(a *aks.ClusterArgs) {
		a.WindowsAdmin.LicenseType = aks.WindowsServerLicense
		a.Ignore = []string{"MK795"}
	})), akstest.Azure(made(nil)))
	equal(t, "log", []string{
		"info: ignored: windowsAdmin: it differs in Azure (licenseType), and Pulumi would replace the cluster to " +
			"change it: " +
			`run az aks update --resource-group shop-group --name shop --enable-ahub --disable-windows-gmsa --yes; ` +
			`when the license changes, Azure reimages all Windows nodes (MK795)`,
	}, messages(graph))
}

// azure-native sends the values that the cluster was created with at each change of the cluster.
func TestTheCommandFollowsEachChangeOfTheCluster(t *testing.T) {
	t.Parallel()
	after := func(began map[string]any, change func(*aks.ClusterArgs)) any {
		args := small(change)
		args.AzureCLI = true
		graph := mocktest.MustRun(t, newCluster(args), azure(began, made(nil)))
		return graph.MustGet(t, commandType,
			"shop-windows-admin-update").Plain()["environment"].(map[string]any)["MIXEDKUBE_AFTER"]
	}
	began := madeWith(t, password, "--disable-ahub --disable-windows-gmsa")
	rotated := madeWith(t, "An-Older-Password-1", "")
	upgraded := func(a *aks.ClusterArgs) { a.KubernetesVersion = "1.36" }
	larger := func(a *aks.ClusterArgs) { a.Pools[1].Count = 7 }
	otherAdmin := func(a *aks.ClusterArgs) { a.WindowsAdmin.LicenseType = aks.WindowsServerLicense }

	equal(t, "as it was made", any(""), after(began, nil))
	equal(t, "as it was made, and upgraded", any(""), after(began, upgraded))
	before := after(rotated, nil)
	equal(t, "the same again", before, after(rotated, nil))
	equal(t, "a change of another pool", before, after(rotated, larger))
	equal(t, "a change of the profile alone", before, after(rotated, otherAdmin))
	if cmp.Equal(before, after(rotated, upgraded)) {
		t.Error("an upgrade of the cluster does not run the command again")
	}
}

// Adding or removing a pool adds or removes one resource. No other resource differs, except in the provider's
// dependencies.
func TestAddingOrRemovingAPoolChangesNoOther(t *testing.T) {
	t.Parallel()
	run := func(change func(*aks.ClusterArgs)) map[string]mocktest.Resource {
		graph := mocktest.MustRun(t, newCluster(small(change)), akstest.Azure(made(nil)))
		all := map[string]mocktest.Resource{}
		for _, r := range graph.Resources() {
			switch r.Type {
			case "pulumi:providers:kubernetes":
				r.Dependencies = nil
			case "mixedkube:aks:Cluster":
				delete(r.Outputs, "topology") // it differs by the pool
			}
			all[r.String()] = r
		}
		return all
	}
	more := run(func(a *aks.ClusterArgs) {
		a.Pools = append(a.Pools,
			topology.Pool{Name: "win25", Platform: "windows-2025", Size: "Standard_D4s_v5", FIPS: true})
	})
	const added = poolType + ` "shop-win25h"`
	if _, ok := more[added]; !ok {
		t.Fatalf("there is no %s", added)
	}
	delete(more, added)
	equal(t, "the other resources", run(nil), more)
}

func TestChangedImmutableFieldCreatesNewPool(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*topology.Pool)
		same   bool
	}{
		{"size", func(p *topology.Pool) { p.Size = "Standard_D8s_v5" }, false},
		{"platform", func(p *topology.Pool) { p.Platform, p.FIPS = "windows-2025", true }, false},
		{"maxPods", func(p *topology.Pool) { p.MaxPods = 40 }, false},
		{"OS disk size", func(p *topology.Pool) { p.OSDiskSizeGB = 300 }, false},
		{"OS disk type", func(p *topology.Pool) { p.OSDiskType = topology.ManagedDisk }, false},
		{"zones", func(p *topology.Pool) { p.Zones = []string{"1"} }, false},
		{"spot", func(p *topology.Pool) { p.Spot = true }, false},
		{"FIPS", func(p *topology.Pool) { p.FIPS = true }, false},
		{"count", func(p *topology.Pool) { p.Count = 9 }, true},
		{
			"autoscaling", func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Min: 1, Max: 9} },
			true,
		},
		{"labels", func(p *topology.Pool) { p.Labels = map[string]string{"a": "b"} }, true},
		{"taints", func(p *topology.Pool) { p.Taints = nil }, true},
		{"upgrade", func(p *topology.Pool) { p.Upgrade.MaxSurge = "2" }, true},
		{"Kubernetes version", func(p *topology.Pool) { p.KubernetesVersion = "v1.35.4" }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, newCluster(small(func(a *aks.ClusterArgs) { tt.change(&a.Pools[1]) })),
				akstest.Azure(made(nil)))
			pools := graph.ByType(poolType)
			if len(pools) != 1 {
				t.Fatalf("there are %d pools", len(pools))
			}
			in := pools[0].Plain()
			name := in["agentPoolName"].(string)
			equal(t, "the resource's name", "shop-"+name, pools[0].Name)
			if len(name) > 6 {
				t.Errorf("%s is too long for a Windows pool", name)
			}
			if same := name == "win22d"; same != tt.same {
				t.Errorf("the pool is %s", name)
			}
			if pools[0].DeleteBeforeReplace {
				t.Error("the old pool would be deleted before the new one is created")
			}
			if version := in["orchestratorVersion"]; version != "1.35" && version != "1.35.4" {
				t.Errorf("the version is %v", version)
			}
		})
	}
}
