package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Pool is a pool as it is in Azure, by its name there; false if there is none, or none of a platform
// that this library knows.
func (a InAzure) Pool(name string) (topology.Pool, bool) {
	profile, ok := a.profile(name)
	if !ok {
		return topology.Pool{}, false
	}
	return poolInAzure(profile)
}

// PoolProperties are all that Azure says of a pool, by its name there; nil if there is none.
func (a InAzure) PoolProperties(name string) map[string]any {
	profile, _ := a.profile(name)
	return profile
}

func (a InAzure) profile(name string) (map[string]any, bool) {
	profiles := a.profiles()
	i := slices.IndexFunc(profiles, func(p map[string]any) bool { return open(p["name"]) == name })
	if i < 0 {
		return nil, false
	}
	return profiles[i], true
}

// optionsInAzure are the options that a pool in Azure would have been made with.
func optionsInAzure(profile map[string]any) PoolOptions {
	return PoolOptions{
		NameInAzure:  open(profile["name"]),
		NodeSubnetID: open(profile["vnetSubnetID"]),
		PodSubnetID:  open(profile["podSubnetID"]),
		Options:      map[string]any{"osSKU": profile["osSKU"]},
	}
}

// poolInAzure reads a pool as Azure describes it. False is for one of a platform that this library
// does not know.
func poolInAzure(profile map[string]any) (topology.Pool, bool) {
	p := topology.Pool{
		Name:               open(profile["name"]),
		Mode:               topology.Mode(cmp.Or(open(profile["mode"]), string(topology.User))),
		Size:               open(profile["vmSize"]),
		OSDiskSizeGB:       number(profile["osDiskSizeGB"]),
		OSDiskType:         topology.OSDiskType(open(profile["osDiskType"])),
		MaxPods:            number(profile["maxPods"]),
		FIPS:               isTrue(profile["enableFIPS"]),
		DisableOutboundNAT: isTrue(option(profile, "windowsProfile.disableOutboundNat")),
		KubernetesVersion:  open(profile["currentOrchestratorVersion"]),
		Spot:               open(profile["scaleSetPriority"]) == "Spot",
		Upgrade: topology.Upgrade{
			MaxSurge:            open(option(profile, "upgradeSettings.maxSurge")),
			MaxUnavailable:      open(option(profile, "upgradeSettings.maxUnavailable")),
			DrainTimeoutMinutes: number(option(profile, "upgradeSettings.drainTimeoutInMinutes")),
			NodeSoakMinutes:     number(option(profile, "upgradeSettings.nodeSoakDurationInMinutes")),
		},
	}
	p.Count = max(0, number(profile["count"]))
	if isTrue(profile["enableAutoScaling"]) {
		p.Autoscaling = topology.Autoscaling{Min: number(profile["minCount"]), Max: number(profile["maxCount"])}
		// Somebody may have scaled it by hand meanwhile.
		p.Count = min(max(p.Count, p.Autoscaling.Min), p.Autoscaling.Max)
	}
	p.Empty = p.Count == 0
	if p.Spot {
		// -1 is any price up to that of an ordinary machine.
		p.SpotMaxPrice = max(0, price(profile["spotMaxPrice"]))
	}
	for _, zone := range tree.List(profile["availabilityZones"]) {
		p.Zones = append(p.Zones, open(zone))
	}
	if labels := textsOf(profile["nodeLabels"]); len(labels) > 0 {
		p.Labels = labels
	}
	for _, text := range tree.List(profile["nodeTaints"]) {
		if taint, err := topology.ParseTaint(open(text)); err == nil {
			p.Taints = append(p.Taints, taint)
		}
	}
	p.Platform = platform.Linux
	if open(profile["osType"]) != "Windows" {
		return p, true
	}
	p.Untainted = len(p.Taints) == 0
	sku, known := skuNamed(open(profile["osSKU"]))
	p.Platform = platform.Platform(sku.Platform)
	return p, known && sku.Platform != ""
}

// number is a whole number of Azure's; 0 if there is none.
func number(v any) int {
	n, _ := tree.Int(v)
	return int(n)
}

func price(v any) float64 {
	switch v := tree.Normalize(v).(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	}
	return 0
}

// Kept is a pool that keeps the name that it has in Azure: what the program leaves out is as it is
// there. It takes a pool without defaults.
func Kept(p, there topology.Pool) topology.Pool {
	p.Mode = cmp.Or(p.Mode, there.Mode)
	p.Size = cmp.Or(p.Size, there.Size)
	p.MaxPods = cmp.Or(p.MaxPods, there.MaxPods)
	p.OSDiskSizeGB = cmp.Or(p.OSDiskSizeGB, there.OSDiskSizeGB)
	p.OSDiskType = cmp.Or(p.OSDiskType, there.OSDiskType)
	if p.Count == 0 && !p.Empty && !p.Autoscaling.Enabled() {
		p.Count, p.Empty, p.Autoscaling = there.Count, there.Empty, there.Autoscaling
	}
	if p.Zones == nil {
		p.Zones = slices.Clone(there.Zones)
	}
	if p.Labels == nil {
		p.Labels = maps.Clone(there.Labels)
	}
	if p.Taints == nil && !p.Untainted {
		p.Taints, p.Untainted = slices.Clone(there.Taints), there.Untainted
	}
	p.Spot = p.Spot || there.Spot
	p.SpotMaxPrice = cmp.Or(p.SpotMaxPrice, there.SpotMaxPrice)
	p.FIPS = p.FIPS || there.FIPS
	p.DisableOutboundNAT = p.DisableOutboundNAT || there.DisableOutboundNAT
	p.Upgrade.MaxSurge = cmp.Or(p.Upgrade.MaxSurge, there.Upgrade.MaxSurge)
	p.Upgrade.MaxUnavailable = cmp.Or(p.Upgrade.MaxUnavailable, there.Upgrade.MaxUnavailable)
	p.Upgrade.DrainTimeoutMinutes = cmp.Or(p.Upgrade.DrainTimeoutMinutes, there.Upgrade.DrainTimeoutMinutes)
	p.Upgrade.NodeSoakMinutes = cmp.Or(p.Upgrade.NodeSoakMinutes, there.Upgrade.NodeSoakMinutes)
	return p
}

// differing are the properties that Azure keeps, and of which the program says another value than
// the pool of its name in Azure has, with both values.
func differing(p topology.Pool, o PoolOptions, profile map[string]any) []difference {
	there, known := poolInAzure(profile)
	if !known {
		there.Platform = platform.Platform(open(profile["osSKU"]))
	}
	var found []difference
	for _, f := range fixed {
		if f.value == nil || f.OnlyWindows && !p.Platform.IsWindows() {
			continue
		}
		wants := f.value(p, o.Options)
		if wants == nil {
			continue
		}
		if has := f.value(there, profile); has != wants {
			found = append(found, difference{f.Properties[0], has, wants})
		}
	}
	for _, subnet := range []struct{ property, wants string }{
		{"vnetSubnetID", o.NodeSubnetID}, {"podSubnetID", o.PodSubnetID},
	} {
		has := open(profile[subnet.property])
		if subnet.wants != "" && subnet.wants != Later && !strings.EqualFold(has, subnet.wants) {
			found = append(found, difference{subnet.property, given(has), subnet.wants})
		}
	}
	return found
}

// difference is a property of a pool, as Azure has it and as the program wants it.
type difference struct {
	property   string
	has, wants any
}
