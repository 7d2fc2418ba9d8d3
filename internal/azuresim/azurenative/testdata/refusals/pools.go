package main

import (
	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type (
	pool = containerservice.AgentPoolArgs
	// change changes a Linux user pool without nodes.
	change func(*azure, *pool)
)

func nothing(*pool) {}

func linux(more func(*pool)) change { return func(_ *azure, p *pool) { more(p) } }

func windows(more func(*pool)) change {
	return func(_ *azure, p *pool) {
		p.OsType, p.OsSKU = pulumi.String("Windows"), pulumi.String("Windows2022")
		more(p)
	}
}

func system(more func(*pool)) change {
	return func(_ *azure, p *pool) {
		p.Mode, p.Count = pulumi.String("System"), pulumi.Int(1)
		more(p)
	}
}

func spot(more func(*pool)) change {
	return func(_ *azure, p *pool) {
		p.ScaleSetPriority = pulumi.String("Spot")
		more(p)
	}
}

func both(first, second change) change {
	return func(a *azure, p *pool) {
		first(a, p)
		second(a, p)
	}
}

// goodPools are just within the limits.
var goodPools = map[string]change{
	"twelve123456": linux(nothing),
	"sixwin": windows(func(p *pool) {
		p.KubeletConfig = containerservice.KubeletConfigArgs{
			ImageGcHighThreshold: pulumi.Int(80), ImageGcLowThreshold: pulumi.Int(70),
			ContainerLogMaxSizeMB: pulumi.Int(20), ContainerLogMaxFiles: pulumi.Int(5),
		}
	}),
	"win25": windows(func(p *pool) { p.OsSKU, p.EnableFIPS = pulumi.String("Windows2025"), pulumi.Bool(true) }),
	"system": system(func(p *pool) {
		p.MaxPods = pulumi.Int(30)
		p.NodeTaints = pulumi.ToStringArray([]string{
			"CriticalAddonsOnly=true:NoSchedule",
			"spare=yes:PreferNoSchedule",
		})
	}),
	"last": func(a *azure, p *pool) {
		system(nothing)(a, p)
		p.ResourceName = a.last
	},
	"maxpods10":  linux(func(p *pool) { p.MaxPods = pulumi.Int(10) }),
	"maxpods250": linux(func(p *pool) { p.MaxPods = pulumi.Int(250) }),
	"inplace":    linux(upgrade("0", "1")),
	"spot":       spot(func(p *pool) { p.SpotMaxPrice = pulumi.Float64(0.12345) }),
	"arm":        linux(size("Standard_D4ps_v5")),
}

// wrongPools are valid except for one thing.
var wrongPools = map[string]change{
	"name-capital":   linux(func(p *pool) { p.AgentPoolName = pulumi.String("Apps") }),
	"name-13":        linux(func(p *pool) { p.AgentPoolName = pulumi.String("a123456789012") }),
	"name-windows-7": windows(func(p *pool) { p.AgentPoolName = pulumi.String("win2022") }),

	"mode-windows-system": windows(func(p *pool) { p.Mode, p.Count = pulumi.String("System"), pulumi.Int(1) }),

	"system-max-pods-29": system(func(p *pool) { p.MaxPods = pulumi.Int(29) }),
	"system-b-series":    system(size("Standard_B4ms")),
	"system-taint":       system(taints("shop=web:NoSchedule")),

	"windows-profile-none": func(a *azure, p *pool) {
		windows(nothing)(a, p)
		p.ResourceName = a.plain
	},

	"sku-2019":             windows(func(p *pool) { p.OsSKU = pulumi.String("Windows2019") }),
	"sku-annual":           windows(func(p *pool) { p.OsSKU = pulumi.String("WindowsAnnual") }),
	"sku-2025-not-fips":    windows(func(p *pool) { p.OsSKU = pulumi.String("Windows2025") }),
	"sku-ubuntu-windows":   windows(func(p *pool) { p.OsSKU = pulumi.String("Ubuntu") }),
	"sku-windows-on-linux": linux(func(p *pool) { p.OsSKU = pulumi.String("Windows2022") }),

	"network-pods-overlay": podSubnet,
	"network-pods-kubenet": func(a *azure, p *pool) {
		podSubnet(a, p)
		p.ResourceName = a.plain
	},

	"max-pods-9":   linux(func(p *pool) { p.MaxPods = pulumi.Int(9) }),
	"max-pods-251": linux(func(p *pool) { p.MaxPods = pulumi.Int(251) }),

	"count-negative": linux(func(p *pool) { p.Count = pulumi.Int(-1) }),
	"count-1001":     linux(func(p *pool) { p.Count = pulumi.Int(1001) }),
	"count-system-0": system(func(p *pool) { p.Count = pulumi.Int(0) }),
	"count-range":    linux(scaled(4, 2)),
	"count-max-1001": linux(scaled(0, 1001)),
	"count-surge": linux(func(p *pool) {
		upgrade("11", "0")(p)
		p.Count = pulumi.Int(990)
	}),

	"upgrade-surge-words": linux(upgrade("many", "0")),
	"upgrade-surge-101":   linux(upgrade("101%", "0")),
	"upgrade-unavailable": linux(upgrade("1", "-1")),
	"upgrade-system":      system(upgrade("1", "1")),
	"upgrade-nowhere":     linux(upgrade("0", "0")),
	// maxUnavailable is 0 by default.
	"upgrade-no-surge": linux(func(p *pool) {
		p.UpgradeSettings = containerservice.AgentPoolUpgradeSettingsArgs{MaxSurge: pulumi.String("0")}
	}),

	"taint-no-value": linux(taints("gpu:NoSchedule")),
	"taint-effect":   linux(taints("gpu=yes:Never")),

	"label-azure":      linux(labels("kubernetes.azure.com/mode")),
	"label-kubernetes": linux(labels("kubernetes.io/os")),

	"spot-system":        both(system(nothing), spot(nothing)),
	"spot-price-0":       spot(func(p *pool) { p.SpotMaxPrice = pulumi.Float64(0) }),
	"spot-price-minus-2": spot(func(p *pool) { p.SpotMaxPrice = pulumi.Float64(-2) }),
	"spot-price-6":       spot(func(p *pool) { p.SpotMaxPrice = pulumi.Float64(0.123456) }),
	"spot-taint":         linux(taints("kubernetes.azure.com/scalesetpriority=spot:NoSchedule")),

	"nat-load-balancer": windows(noNAT),
	"nat-linux":         linux(noNAT),

	"size-1-cpu":        linux(size("Standard_DS1_v2")),
	"size-1-gib":        linux(size("Standard_B2ts_v2")),
	"size-system-small": system(size("Standard_DS1_v2")),
	"size-arm-windows":  windows(size("Standard_D4ps_v5")),
	"size-2022-gen2":    windows(size("Standard_D4s_v6")),
	"size-unknown":      linux(size("Standard_Q4_v5")),

	"windows-secure-boot": windows(func(p *pool) {
		p.SecurityProfile = containerservice.AgentPoolSecurityProfileArgs{EnableSecureBoot: pulumi.Bool(true)}
	}),
	"windows-vtpm": windows(func(p *pool) {
		p.SecurityProfile = containerservice.AgentPoolSecurityProfileArgs{EnableVTPM: pulumi.Bool(true)}
	}),
	"windows-mig": windows(func(p *pool) { p.GpuInstanceProfile = pulumi.String("MIG1g") }),
	"windows-linux-config": windows(func(p *pool) {
		p.LinuxOSConfig = containerservice.LinuxOSConfigArgs{SwapFileSizeMB: pulumi.Int(1500)}
	}),
	"windows-message": windows(func(p *pool) { p.MessageOfTheDay = pulumi.String("aGVsbG8=") }),

	"kubelet-sysctls": kubelet(
		containerservice.KubeletConfigArgs{AllowedUnsafeSysctls: pulumi.ToStringArray([]string{"kernel.msg*"})},
	),
	"kubelet-cpu-quota":        kubelet(containerservice.KubeletConfigArgs{CpuCfsQuota: pulumi.Bool(true)}),
	"kubelet-cpu-quota-period": kubelet(containerservice.KubeletConfigArgs{CpuCfsQuotaPeriod: pulumi.String("100ms")}),
	"kubelet-cpu-manager":      kubelet(containerservice.KubeletConfigArgs{CpuManagerPolicy: pulumi.String("static")}),
	"kubelet-swap":             kubelet(containerservice.KubeletConfigArgs{FailSwapOn: pulumi.Bool(false)}),
	"kubelet-pids":             kubelet(containerservice.KubeletConfigArgs{PodMaxPids: pulumi.Int(100)}),
	"kubelet-topology": kubelet(
		containerservice.KubeletConfigArgs{TopologyManagerPolicy: pulumi.String("best-effort")},
	),

	"runtime-kata": windows(func(p *pool) { p.WorkloadRuntime = pulumi.String("KataVmIsolation") }),
	"runtime-wasm": windows(func(p *pool) { p.WorkloadRuntime = pulumi.String("WasmWasi") }),

	"version-pool-old":   linux(func(p *pool) { p.OrchestratorVersion = pulumi.String("1.31") }),
	"version-pool-newer": linux(func(p *pool) { p.OrchestratorVersion = pulumi.String("1.37") }),
}

func podSubnet(a *azure, p *pool) {
	p.VnetSubnetID, p.PodSubnetID = a.subnet("nodes"), a.subnet("other")
}

func size(name string) func(*pool) { return func(p *pool) { p.VmSize = pulumi.String(name) } }

func taints(list ...string) func(*pool) {
	return func(p *pool) { p.NodeTaints = pulumi.ToStringArray(list) }
}

func labels(key string) func(*pool) {
	return func(p *pool) { p.NodeLabels = pulumi.StringMap{key: pulumi.String("x")} }
}

func upgrade(surge, unavailable string) func(*pool) {
	return func(p *pool) {
		p.UpgradeSettings = containerservice.AgentPoolUpgradeSettingsArgs{
			MaxSurge:       pulumi.String(surge),
			MaxUnavailable: pulumi.String(unavailable),
		}
	}
}

func scaled(from, to int) func(*pool) {
	return func(p *pool) {
		p.EnableAutoScaling, p.Count, p.MinCount, p.MaxCount = pulumi.Bool(true), pulumi.Int(from), pulumi.Int(from),
			pulumi.Int(to)
	}
}

func noNAT(p *pool) {
	p.WindowsProfile = containerservice.AgentPoolWindowsProfileArgs{DisableOutboundNat: pulumi.Bool(true)}
}

func kubelet(config containerservice.KubeletConfigArgs) change {
	return windows(func(p *pool) { p.KubeletConfig = config })
}

// poolChanges are pools that Azure accepts, and changes of them that it refuses.
var poolChanges = map[string]struct{ good, wrong change }{
	// Azure accepts these changes: labels, taints and the number of nodes are not permanent.
	"changes": {linux(nothing), linux(func(p *pool) {
		labels("example.com/team")(p)
		taints("team=shop:NoSchedule")(p)
		p.Count = pulumi.Int(1)
	})},

	"maxpods":  {linux(nothing), linux(func(p *pool) { p.MaxPods = pulumi.Int(40) })},
	"disksize": {linux(nothing), linux(func(p *pool) { p.OsDiskSizeGB = pulumi.Int(256) })},
	"disktype": {linux(nothing), linux(func(p *pool) { p.OsDiskType = pulumi.String("Ephemeral") })},
	"winsku": {
		windows(nothing),
		linux(func(p *pool) { p.OsSKU, p.EnableFIPS = pulumi.String("Windows2025"), pulumi.Bool(true) }),
	},
	"priority": {linux(nothing), spot(nothing)},
	"spotprice": {
		spot(func(p *pool) { p.SpotMaxPrice = pulumi.Float64(0.5) }),
		linux(func(p *pool) { p.SpotMaxPrice = pulumi.Float64(0.6) }),
	},
	"spottaint": {spot(nothing), linux(taints())},
	"subnet": {
		func(a *azure, p *pool) { p.VnetSubnetID = a.subnet("nodes") },
		func(a *azure, p *pool) { p.VnetSubnetID = a.subnet("other") },
	},
	// A name that is valid for Windows, too.
	"ostype": {linux(nothing), windows(nothing)},
	"winnat": {windows(nothing), windows(noNAT)},
}
