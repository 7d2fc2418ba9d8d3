package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestCheckPool(t *testing.T) {
	t.Parallel()
	win := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}
	with := func(change func(p *topology.Pool)) topology.DefaultedPool {
		p := win
		change(&p)
		return p.WithDefaults("")
	}
	tests := []struct {
		name string
		in   plan.Pool
		want []string
	}{
		{"a pool of an unknown cluster", plan.Pool{Pool: win.WithDefaults("")}, nil},
		{
			"a pool of a known cluster",
			plan.Pool{
				KubernetesVersion: "1.36", Pool: win.WithDefaults("1.36"),
				Network: plan.Network{Mode: plan.PodSubnet, Policy: plan.CalicoPolicy},
				Options: plan.PoolOptions{NodeSubnetID: plan.Later, PodSubnetID: plan.Later},
			},
			nil,
		},
		{
			"a system pool does not need other pools",
			plan.Pool{Pool: topology.Pool{
				Name: "sys", Platform: platform.Linux, Mode: topology.System,
				Size: "Standard_D4s_v5",
			}.WithDefaults("")},
			nil,
		},
		{
			"the name, the size and the options",
			plan.Pool{
				Pool: with(func(p *topology.Pool) { p.Name, p.Size = "windows", "" }),
				Options: plan.PoolOptions{Options: obj{
					"osSKU": "Windows2019", "vmSize": "x", "vnetSubnetID": "x",
					"resourceName": "x", "linuxOSConfig": obj{},
				}},
			},
			[]string{
				`error: options.linuxOSConfig: not supported on Windows nodes: remove it (MK744)`,
				`error: options.osSKU: "Windows2019": the platform of the pool is windows-2022: remove it, because ` +
					`the platform sets it to Windows2022, or change the platform (MK716)`,
				`error: options.resourceName: the component sets it: use clusterName instead (MK772)`,
				`error: options.vmSize: the component sets it: use pool.size instead (MK772)`,
				`error: options.vnetSubnetID: the component sets it: use nodeSubnetID instead (MK772)`,
				`error: pool.name: "windows": 7 characters, and the name of a Windows pool has at most 6: use at ` +
					`most 5, which leaves room for a suffix (MK702)`,
				`error: pool.size: Azure needs the size of the nodes: set one, for example Standard_D4s_v5 (MK791)`,
			},
		},
		{
			"the version of the cluster",
			plan.Pool{KubernetesVersion: "1.38", Pool: win.WithDefaults("1.38")},
			[]string{
				`warning: kubernetesVersion: "1.38": newer than the versions of AKS that this library knows (1.32 to ` +
					`1.37): make sure that Azure has it; findings about versions may be incomplete (MK711)`,
				`error: pool.platform: "windows-2022": AKS has Windows2022 nodes up to Kubernetes 1.36, not for ` +
					`1.38: use windows-2025 (MK712)`,
			},
		},
		{
			"the pool's own version",
			plan.Pool{Pool: with(func(p *topology.Pool) { p.KubernetesVersion = "1.37" })},
			[]string{
				`error: pool.platform: "windows-2022": AKS has Windows2022 nodes up to Kubernetes 1.36, not for ` +
					`1.37: use windows-2025 (MK712)`,
			},
		},
		{
			"the cluster's network",
			plan.Pool{
				Pool: win.WithDefaults(""),
				Network: plan.Network{
					Mode: plan.PodSubnet, Policy: plan.AzurePolicy,
					OutboundType: plan.NoOutbound,
				}, Options: plan.PoolOptions{NodeSubnetID: plan.Later},
			},
			[]string{
				`error: network.outboundType: "none": a network-isolated cluster cannot have Windows nodes, and pool ` +
					`is a Windows pool: use another outbound type, for example loadBalancer (MK782)`,
				`error: network.podSubnetID: mode pod-subnet needs it: set the ID of a subnet (MK726)`,
				`warning: network.policy: "azure": Microsoft has not supported it on Windows nodes since 2026-09-30, ` +
					`and pool is a Windows pool: use calico or none (MK724)`,
			},
		},
		{
			"a subnet that the mode does not use",
			plan.Pool{
				Pool: win.WithDefaults(""), Network: plan.Network{Mode: plan.Overlay},
				Options: plan.PoolOptions{PodSubnetID: plan.Later},
			},
			[]string{
				`error: podSubnetID: in mode overlay pods have no subnet of their own: remove it, or use the mode ` +
					`pod-subnet (MK727)`,
			},
		},
		{
			"an unknown outbound type",
			plan.Pool{Pool: with(func(p *topology.Pool) { p.DisableOutboundNAT = true })},
			nil,
		},
		{
			"a known outbound type",
			plan.Pool{
				Pool:    with(func(p *topology.Pool) { p.DisableOutboundNAT, p.MaxPods = true, 5 }),
				Network: plan.Network{OutboundType: plan.LoadBalancer},
			},
			[]string{
				`error: pool.disableOutboundNAT: true: the outbound type of the cluster is loadBalancer, which needs ` +
					`the nodes' translation: use the outbound type managedNATGateway, userAssignedNATGateway or ` +
					`userDefinedRouting, or remove it (MK729)`,
				`error: pool.maxPods: 5: a node has room for 10 to 250 pods: use a number in this range, or leave it ` +
					`out for Azure's default (MK731)`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, plan.CheckPool(tt.in), tt.want...)
		})
	}
}
