package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// win is a Windows pool without findings.
var win = topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}

func with(change func(p *topology.Pool)) topology.DefaultedPool {
	p := win
	change(&p)
	return p.WithDefaults("")
}

// poolCheck is a pool, and the severity, path and rule of each finding about it.
type poolCheck struct {
	name string
	in   plan.Pool
	want []string
}

func (c poolCheck) found() []preflight.Finding { return plan.CheckPool(c.in) }

var poolChecks = []poolCheck{
	{"a pool of an unknown cluster", plan.Pool{Pool: win.WithDefaults("")}, nil},
	{
		"a pool of a known cluster", plan.Pool{
			KubernetesVersion: "1.36", Pool: win.WithDefaults("1.36"),
			Network: plan.Network{Mode: plan.PodSubnet, Policy: plan.CalicoPolicy},
			Options: plan.PoolOptions{NodeSubnetID: plan.Later, PodSubnetID: plan.Later},
		}, nil,
	},
	{
		"a system pool does not need other pools", plan.Pool{Pool: topology.Pool{
			Name: "sys", Platform: platform.Linux, Mode: topology.System,
			Size: "Standard_D4s_v5",
		}.WithDefaults("")}, nil,
	},
	{
		"the name, the size and the options", plan.Pool{
			Pool: with(func(p *topology.Pool) { p.Name, p.Size = "windows", "" }),
			Options: plan.PoolOptions{Options: obj{
				"osSKU": "Windows2019", "vmSize": "x", "vnetSubnetID": "x",
				"resourceName": "x", "linuxOSConfig": obj{},
			}},
		}, []string{
			"error: options.linuxOSConfig (MK744)",
			"error: options.osSKU (MK716)",
			"error: options.resourceName (MK772)",
			"error: options.vmSize (MK772)",
			"error: options.vnetSubnetID (MK772)",
			"error: pool.name (MK702)",
			"error: pool.size (MK791)",
		},
	},
	{
		"the version of the cluster",
		plan.Pool{KubernetesVersion: "1.38", Pool: win.WithDefaults("1.38")},
		[]string{"warning: kubernetesVersion (MK711)", "error: pool.platform (MK712)"},
	},
	{
		"the pool's own version",
		plan.Pool{Pool: with(func(p *topology.Pool) { p.KubernetesVersion = "1.37" })},
		[]string{"error: pool.platform (MK712)"},
	},
	{
		"the cluster's network", plan.Pool{
			Pool: win.WithDefaults(""),
			Network: plan.Network{
				Mode: plan.PodSubnet, Policy: plan.AzurePolicy,
				OutboundType: plan.NoOutbound,
			}, Options: plan.PoolOptions{NodeSubnetID: plan.Later},
		}, []string{
			"error: network.outboundType (MK782)",
			"error: network.podSubnetID (MK726)",
			"warning: network.policy (MK724)",
		},
	},
	{
		"a subnet that the mode does not use", plan.Pool{
			Pool: win.WithDefaults(""), Network: plan.Network{Mode: plan.Overlay},
			Options: plan.PoolOptions{PodSubnetID: plan.Later},
		}, []string{"error: podSubnetID (MK727)"},
	},
	{"an unknown outbound type", plan.Pool{Pool: with(func(p *topology.Pool) { p.DisableOutboundNAT = true })}, nil},
	{
		"a known outbound type", plan.Pool{
			Pool:    with(func(p *topology.Pool) { p.DisableOutboundNAT, p.MaxPods = true, 5 }),
			Network: plan.Network{OutboundType: plan.LoadBalancer},
		}, []string{"error: pool.disableOutboundNAT (MK729)", "error: pool.maxPods (MK731)"},
	},
	{
		"references", plan.Pool{
			Pool: win.WithDefaults("1.36"), KubernetesVersion: "1.36", Network: plan.Network{NodeSubnetID: "nodes"},
			Options: plan.PoolOptions{Options: obj{"hostGroupID": "hosts"}},
		}, []string{"error: network.nodeSubnetID (MK760)", "error: options.hostGroupID (MK760)"},
	},
	{
		"the end of the release, of an old version",
		plan.Pool{KubernetesVersion: "1.31", Pool: win.WithDefaults("1.31"), Today: good(on("2028-01-01", nil)).Today},
		[]string{"warning: kubernetesVersion (MK711)", "info: pool.platform (MK853)"},
	},
	{"nothing", plan.Pool{Pool: topology.Pool{}.WithDefaults("")}, []string{"error: pool.size (MK791)"}},
}

func TestCheckPool(t *testing.T) {
	t.Parallel()
	for _, tt := range poolChecks {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, tt.found(), tt.want...)
		})
	}
}
