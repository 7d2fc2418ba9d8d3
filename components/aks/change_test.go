package aks_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/topology"
)

// made is what the state remembers of a small cluster.
func made(change func(map[string]any)) map[string]any {
	first := map[string]any{
		"shop-first-pool":      "sysvhv",
		"shop-first-pool-left": false,
		"shop-windows-admin":   map[string]any{"adminPassword": password, "settings": "--disable-ahub --disable-windows-gmsa"},
	}
	if change != nil {
		change(first)
	}
	return first
}

// profiles are the names and sizes of the pools that the cluster has inline.
func profiles(t *testing.T, graph *mocktest.Graph) []string {
	t.Helper()
	inline, _ := get(t, graph, clusterType, "shop-cluster").Plain()["agentPoolProfiles"].([]any)
	var texts []string
	for _, p := range inline {
		profile := p.(map[string]any)
		texts = append(texts, profile["name"].(string)+" "+profile["vmSize"].(string))
	}
	return texts
}

func TestTheFirstSystemPoolStaysInlineUntilItIsAnother(t *testing.T) {
	t.Parallel()
	const (
		removal = "warning: the cluster began with the pool sysvhv, which the program has no longer, and Pulumi cannot remove it: " +
			`when the new pools are there, run az aks nodepool delete --resource-group "shop-group" --cluster-name "shop" --name sysvhv, if you have not yet`
		removalType = "shop-first-pool-removal"
	)
	left := func(first map[string]any) { first["shop-first-pool-left"] = true }
	larger := func(a *aks.ClusterArgs) { a.Pools[0].Size = "Standard_D8s_v5" }
	tests := []struct {
		name     string
		change   func(*aks.ClusterArgs)
		first    map[string]any
		inline   []string
		pools    []string
		commands []string
		run      string // of the command for the old pool
		logs     []string
	}{
		{name: "a new cluster", inline: []string{"sysvhv Standard_D4s_v5"}, pools: []string{"shop-win22d"}},
		{name: "nothing changes", first: made(nil), inline: []string{"sysvhv Standard_D4s_v5"}, pools: []string{"shop-win22d"}},
		{
			name: "a change in place", change: func(a *aks.ClusterArgs) {
				a.Pools[0].Count, a.Pools[0].Labels = 5, map[string]string{"team": "shop"}
				a.Pools[0].Upgrade = topology.Upgrade{MaxSurge: "1"}
			},
			first: made(nil), inline: []string{"sysvhv Standard_D4s_v5"}, pools: []string{"shop-win22d"},
		},
		{
			name: "a larger size", change: larger, first: made(nil), pools: []string{"shop-sysypx", "shop-win22d"}, logs: []string{removal},
		},
		{
			name: "a larger size, the time after", change: larger, first: made(left), pools: []string{"shop-sysypx", "shop-win22d"},
			logs: []string{removal},
		},
		{
			// That pool is gone, and Azure takes no new one inline.
			name: "as it was at the beginning", first: made(left), pools: []string{"shop-sysvhv", "shop-win22d"}, logs: []string{removal},
		},
		{
			name: "another system pool in front of it", change: func(a *aks.ClusterArgs) {
				a.Pools = append([]topology.Pool{{Name: "sys0", Platform: "linux", Mode: topology.System, Size: "Standard_D4s_v5"}}, a.Pools...)
			},
			first: made(nil), inline: []string{"sysvhv Standard_D4s_v5"}, pools: []string{"shop-sys0vhv", "shop-win22d"},
		},
		{
			name: "a user pool now, beside another system pool", change: func(a *aks.ClusterArgs) {
				a.Pools[0].Mode = topology.User
				a.Pools = append(a.Pools, topology.Pool{Name: "base", Platform: "linux", Mode: topology.System, Size: "Standard_D4s_v5"})
			},
			first: made(nil), inline: []string{"sysvhv Standard_D4s_v5"}, pools: []string{"shop-basevhv", "shop-win22d"},
		},
		{
			name: "gone, beside another system pool", change: func(a *aks.ClusterArgs) { a.Pools[0].Name = "base" }, first: made(nil),
			pools: []string{"shop-basevhv", "shop-win22d"}, logs: []string{removal},
		},
		{
			name: "with the Azure CLI", change: func(a *aks.ClusterArgs) { a.AzureCLI = true }, first: made(nil),
			inline: []string{"sysvhv Standard_D4s_v5"}, pools: []string{"shop-win22d"},
			commands: []string{removalType, "shop-windows-admin-update"}, run: "exit 0",
		},
		{
			name: "a larger size with the Azure CLI", change: func(a *aks.ClusterArgs) { larger(a); a.AzureCLI = true }, first: made(nil),
			pools: []string{"shop-sysypx", "shop-win22d"}, commands: []string{removalType, "shop-windows-admin-update"},
			run: `az resource delete --ids "shop-cluster-id/agentPools/sysvhv" --output none`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := small(tt.change)
			args.ResourceGroupName = pulumi.String("shop-group")
			program := newCluster(args)
			update := mocktest.MustRun(t, program, azure(tt.first)...)
			preview := mocktest.MustRun(t, program, azure(tt.first, mocktest.Preview())...)
			for _, graph := range []*mocktest.Graph{update, preview} {
				equal(t, "inline pools", tt.inline, profiles(t, graph))
				equal(t, "pools", tt.pools, names(graph, poolType))
				equal(t, "commands", tt.commands, names(graph, commandType))
			}
			if tt.run != "" {
				command := get(t, update, commandType, removalType)
				equal(t, "what the command runs", []any{tt.run, tt.run}, []any{command.Plain()["create"], command.Plain()["update"]})
				for _, pool := range update.ByType(poolType) {
					if !slices.Contains(command.Dependencies, pool.URN) {
						t.Errorf("the command does not wait for %s", pool)
					}
				}
			}
			equal(t, "the log of an update", []string(nil), messages(update))
			equal(t, "the log of a preview", tt.logs, messages(preview))
		})
	}
}

func TestTheWindowsProfileChangesInPlace(t *testing.T) {
	t.Parallel()
	const command = `az aks update --resource-group "shop-group" --name "shop" --windows-admin-password @- `
	rotated := made(func(first map[string]any) {
		first["shop-windows-admin"] = map[string]any{"adminPassword": "An-Older-Password-1", "settings": "--disable-ahub --disable-windows-gmsa"}
	})
	gmsa := func(a *aks.ClusterArgs) { a.WindowsAdmin.GMSA = aks.GMSA{Enabled: true} }
	said := func(what, flags string) []string {
		return []string{"warning: windowsAdmin: " + what + " changed since the cluster was made, which Pulumi could only do by replacing it: " +
			`run printf %s "$WINDOWS_PASSWORD" | ` + command + flags + " --yes --output none, again after each later change of the cluster; " +
			"or set azureCLI, and the program does it"}
	}
	tests := []struct {
		name   string
		change func(*aks.ClusterArgs)
		first  map[string]any
		create string // of the command, with the Azure CLI
		flags  string
		said   []string // without
	}{
		{"a new cluster", nil, nil, "exit 0", "--disable-ahub --disable-windows-gmsa", nil},
		{"nothing changes", nil, made(nil), "exit 0", "--disable-ahub --disable-windows-gmsa", nil},
		{
			"another password", nil, rotated, "", "--disable-ahub --disable-windows-gmsa",
			said("the password", "--disable-ahub --disable-windows-gmsa"),
		},
		{
			"gMSA turned on", gmsa, made(nil), "", "--disable-ahub --enable-windows-gmsa",
			said("licence or gMSA", "--disable-ahub --enable-windows-gmsa"),
		},
		{
			"gMSA of a domain, a licence and another password", func(a *aks.ClusterArgs) {
				a.WindowsAdmin.GMSA = aks.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}
				a.WindowsAdmin.LicenseType = aks.WindowsServerLicense
			}, rotated, "", "--enable-ahub --enable-windows-gmsa --gmsa-dns-server 10.0.0.4 --gmsa-root-domain-name contoso.com",
			said("the password and licence or gMSA",
				"--enable-ahub --enable-windows-gmsa --gmsa-dns-server 10.0.0.4 --gmsa-root-domain-name contoso.com"),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := small(tt.change)
			args.ResourceGroupName = pulumi.String("shop-group")
			graph := mocktest.MustRun(t, newCluster(args), azure(tt.first, mocktest.Preview())...)
			equal(t, "what the preview says", tt.said, messages(graph))
			equal(t, "commands", []string(nil), names(graph, commandType))
			equal(t, "ignored changes", []string{"windowsProfile.adminPassword", "windowsProfile.gmsaProfile", "windowsProfile.licenseType"},
				get(t, graph, clusterType, "shop-cluster").IgnoreChanges)

			args.AzureCLI = true
			graph = mocktest.MustRun(t, newCluster(args), azure(tt.first)...)
			in := get(t, graph, commandType, "shop-windows-admin-update").Plain()
			run := command + tt.flags + " --yes --output none"
			equal(t, "update", run, in["update"])
			if tt.create != "" {
				run = tt.create
			}
			equal(t, "create", run, in["create"])
			equal(t, "log", []string(nil), messages(graph))
		})
	}
}

// As azure-native sends what the cluster was made with at each of its changes.
func TestTheCommandFollowsEachChangeOfTheCluster(t *testing.T) {
	t.Parallel()
	after := func(first map[string]any, change func(*aks.ClusterArgs)) any {
		args := small(change)
		args.AzureCLI = true
		graph := mocktest.MustRun(t, newCluster(args), azure(first)...)
		return get(t, graph, commandType, "shop-windows-admin-update").Plain()["environment"].(map[string]any)["MIXEDKUBE_AFTER"]
	}
	rotated := made(func(first map[string]any) {
		first["shop-windows-admin"] = map[string]any{"adminPassword": "An-Older-Password-1", "settings": ""}
	})
	upgraded := func(a *aks.ClusterArgs) { a.KubernetesVersion = "1.36" }
	larger := func(a *aks.ClusterArgs) { a.Pools[1].Count = 7 }
	otherAdmin := func(a *aks.ClusterArgs) { a.WindowsAdmin.LicenseType = aks.WindowsServerLicense }

	equal(t, "as it was made", "", after(made(nil), nil))
	equal(t, "as it was made, and upgraded", "", after(made(nil), upgraded))
	before := after(rotated, nil)
	equal(t, "the same again", before, after(rotated, nil))
	equal(t, "a change of another pool", before, after(rotated, larger))
	equal(t, "a change of the profile alone", before, after(rotated, otherAdmin))
	if cmp.Equal(before, after(rotated, upgraded)) {
		t.Error("an upgrade of the cluster does not run the command again")
	}
}

// One pool more, or less, is one resource more, or less, and no other differs.
func TestAPoolThatComesOrGoesTouchesNoOther(t *testing.T) {
	t.Parallel()
	run := func(change func(*aks.ClusterArgs)) map[string]map[string]any {
		graph := mocktest.MustRun(t, newCluster(small(change)), azure(made(nil))...)
		all := map[string]map[string]any{}
		for _, r := range graph.Resources() {
			all[r.String()] = r.Plain()
		}
		return all
	}
	more := run(func(a *aks.ClusterArgs) {
		a.Pools = append(a.Pools, topology.Pool{Name: "win25", Platform: "windows-2025", Size: "Standard_D4s_v5", FIPS: true})
	})
	const added = poolType + ` "shop-win25h"`
	if _, ok := more[added]; !ok {
		t.Fatalf("there is no %s", added)
	}
	delete(more, added)
	equal(t, "the other resources", run(nil), more)
}

func TestAnImmutableFieldMakesANewPool(t *testing.T) {
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
		{"OS disk type", func(p *topology.Pool) { p.OSDiskType = topology.EphemeralDisk }, false},
		{"zones", func(p *topology.Pool) { p.Zones = []string{"1"} }, false},
		{"spot", func(p *topology.Pool) { p.Spot = true }, false},
		{"FIPS", func(p *topology.Pool) { p.FIPS = true }, false},
		{"count", func(p *topology.Pool) { p.Count = 9 }, true},
		{"autoscaling", func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Min: 1, Max: 9} }, true},
		{"labels", func(p *topology.Pool) { p.Labels = map[string]string{"a": "b"} }, true},
		{"taints", func(p *topology.Pool) { p.Taints = nil }, true},
		{"upgrade", func(p *topology.Pool) { p.Upgrade.MaxSurge = "2" }, true},
		{"Kubernetes version", func(p *topology.Pool) { p.KubernetesVersion = "1.34" }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, newCluster(small(func(a *aks.ClusterArgs) { tt.change(&a.Pools[1]) })), azure(made(nil))...)
			pools := graph.ByType(poolType)
			if len(pools) != 1 {
				t.Fatalf("there are %d pools", len(pools))
			}
			name := pools[0].Plain()["agentPoolName"].(string)
			equal(t, "the resource's name", "shop-"+name, pools[0].Name)
			if len(name) > 6 {
				t.Errorf("%s is too long for a Windows pool", name)
			}
			if same := name == "win22d"; same != tt.same {
				t.Errorf("the pool is %s", name)
			}
			if pools[0].DeleteBeforeReplace {
				t.Error("the old pool would go before the new one")
			}
		})
	}
}
