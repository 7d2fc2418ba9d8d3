package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Pool returns a pool as it is in Azure, by its name there. It returns false if there is no such pool, or if this
// library does not know the platform of the pool.
func (a InAzure) Pool(name string) (topology.Pool, bool) {
	profile, ok := a.profile(name)
	if !ok {
		return topology.Pool{}, false
	}
	return poolInAzure(profile)
}

// PoolProperties returns all properties of the pool with this name in Azure. It returns nil if there is no such pool.
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

// optionsInAzure returns the options with which a program would have created a pool in Azure.
func optionsInAzure(profile map[string]any) PoolOptions {
	return PoolOptions{
		NameInAzure:  open(profile["name"]),
		NodeSubnetID: open(profile["vnetSubnetID"]),
		PodSubnetID:  open(profile["podSubnetID"]),
		Options:      map[string]any{"osSKU": profile["osSKU"], "type": profile["type"]},
	}
}

// poolInAzure reads a pool from the properties that Azure returns for it. It returns false if this library does not
// know the platform of the pool.
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
			UndrainableNodes:    topology.UndrainableNodes(open(option(profile, undrainableOption))),
		},
	}
	p.Count = max(0, number(profile["count"]))
	if isTrue(profile["enableAutoScaling"]) {
		p.Autoscaling = topology.Autoscaling{Min: number(profile["minCount"]), Max: number(profile["maxCount"])}
		// Someone may have scaled it by hand.
		p.Count = min(max(p.Count, p.Autoscaling.Min), p.Autoscaling.Max)
	}
	p.Empty = p.Count == 0
	if p.Spot {
		// -1 means any price up to the price of a regular machine.
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
	sku, _ := facts.SKUNamed(open(profile["osSKU"]))
	p.Platform = platform.Platform(sku.Platform)
	return p, sku.Platform != ""
}

// number returns a property as an integer, or 0 if it is not one.
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

// Retained returns a pool that keeps its name in Azure: the fields that the program does not set have the values of the
// existing pool. It takes a pool without defaults.
func Retained(p, existing topology.Pool) topology.Pool {
	p.Mode = cmp.Or(p.Mode, existing.Mode)
	p.Size = cmp.Or(p.Size, existing.Size)
	p.MaxPods = cmp.Or(p.MaxPods, existing.MaxPods)
	p.OSDiskSizeGB = cmp.Or(p.OSDiskSizeGB, existing.OSDiskSizeGB)
	p.OSDiskType = cmp.Or(p.OSDiskType, existing.OSDiskType)
	if p.Count == 0 && !p.Empty && !p.Autoscaling.Enabled() {
		p.Count, p.Empty, p.Autoscaling = existing.Count, existing.Empty, existing.Autoscaling
	}
	if p.Zones == nil {
		p.Zones = slices.Clone(existing.Zones)
	}
	if p.Labels == nil {
		p.Labels = maps.Clone(existing.Labels)
	}
	if p.Taints == nil && !p.Untainted {
		p.Taints, p.Untainted = slices.Clone(existing.Taints), existing.Untainted
	}
	p.Spot = p.Spot || existing.Spot
	p.SpotMaxPrice = cmp.Or(p.SpotMaxPrice, existing.SpotMaxPrice)
	p.FIPS = p.FIPS || existing.FIPS
	p.DisableOutboundNAT = p.DisableOutboundNAT || existing.DisableOutboundNAT
	p.Upgrade.MaxSurge = cmp.Or(p.Upgrade.MaxSurge, existing.Upgrade.MaxSurge)
	p.Upgrade.MaxUnavailable = cmp.Or(p.Upgrade.MaxUnavailable, existing.Upgrade.MaxUnavailable)
	p.Upgrade.DrainTimeoutMinutes = cmp.Or(p.Upgrade.DrainTimeoutMinutes, existing.Upgrade.DrainTimeoutMinutes)
	p.Upgrade.NodeSoakMinutes = cmp.Or(p.Upgrade.NodeSoakMinutes, existing.Upgrade.NodeSoakMinutes)
	p.Upgrade.UndrainableNodes = cmp.Or(p.Upgrade.UndrainableNodes, existing.Upgrade.UndrainableNodes)
	return p
}

// differing returns the properties that Azure never changes and for which the program and the pool with its name in
// Azure have different values.
func differing(p topology.Pool, o PoolOptions, profile map[string]any) []difference {
	existing, known := poolInAzure(profile)
	if !known {
		existing.Platform = platform.Platform(open(profile["osSKU"]))
	}
	var found []difference
	for _, f := range fixed {
		if f.value == nil || f.Upgrades || f.OnlyWindows && !p.Platform.IsWindows() {
			continue
		}
		wants := f.value(p, o.Options)
		if wants == nil {
			continue
		}
		property := f.Properties[0]
		if has := f.value(existing, profile); has != wants {
			if property == vmSize && isSameSize(existing.Size, p.Size) {
				continue
			}
			if existing.Platform.IsWindows() && property == "osType" && p.Platform.IsWindows() {
				property = osSKU
			}
			found = append(found, difference{property, has, wants})
		}
	}
	for _, subnet := range []struct{ property, wants string }{
		{"vnetSubnetID", o.NodeSubnetID}, {"podSubnetID", o.PodSubnetID},
	} {
		has := open(profile[subnet.property])
		if subnet.wants != "" && subnet.wants != Later && !strings.EqualFold(has, subnet.wants) {
			found = append(found, difference{subnet.property, nonZero(has), subnet.wants})
		}
	}
	return found
}

const (
	vmSize     = "vmSize"
	osSKU      = "osSKU"
	enableFIPS = "enableFIPS"
)

// difference is a property of a pool with the value in Azure and the desired value.
type difference struct {
	property   string
	has, wants any
}

// isSameSize compares sizes of machines. Azure ignores their case.
func isSameSize(a, b string) bool { return strings.EqualFold(a, b) }

// drains reports whether AKS drains nodes of an existing pool, by its name in Azure, when it gets its desired
// properties: it replaces all of them, or the pool gets fewer. It replaces the nodes of spot pools without a drain
// (https://learn.microsoft.com/azure/aks/spot-node-pool). FIPS changes in place in Linux pools only.
func (a InAzure) drains(name string, desired topology.Pool) bool {
	profile, _ := a.profile(name)
	existing, ok := a.Pool(name)
	if !ok || runningNodes(profile) == 0 {
		return false
	}
	if !desired.Autoscaling.Enabled() && desired.Count < existing.Count {
		return true
	}
	return !existing.Spot && (!isSameSize(existing.Size, desired.Size) || existing.Platform != desired.Platform ||
		!desired.Platform.IsWindows() && existing.FIPS != desired.FIPS || a.IsOlder(desired, name))
}

// runningNodes returns how many nodes a pool in Azure has that pods can be on.
func runningNodes(profile map[string]any) int {
	if isStopped(profile) {
		return 0
	}
	return number(profile["count"])
}

// isStopped reports whether a pool has no nodes although it has a count.
func isStopped(profile map[string]any) bool {
	return open(option(profile, "powerState.code")) == "Stopped"
}

// isUnfinished reports whether the last change of a pool has failed, was canceled, or is in progress. A pool that only
// gets its nodes, starts or stops is not changing.
func (a InAzure) isUnfinished(name string) bool {
	profile, _ := a.profile(name)
	return slices.Contains([]string{"Failed", "Canceled", "Updating", "Upgrading"}, open(profile["provisioningState"]))
}

// goesOn reports whether an update sends the last change of a pool in place again, because it has not succeeded.
func (a InAzure) goesOn(name string, o PoolOptions, needs Preview) bool {
	return o.Change == InPlace && slices.Contains(o.Previews, needs) && a.isUnfinished(name)
}
