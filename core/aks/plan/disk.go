package plan

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var ephemeralDiskWithoutRoom = engine.Rule{
	Rule: rule.Rule{
		ID: "MK749", Severity: rule.Error, Title: "an ephemeral OS disk on a size without room for it",
		Page: rulepages.AKSPools,
		Reason: "An ephemeral OS disk is on a local disk or in the cache of the machine, and AKS refuses a size that " +
			"has neither, or too little. Without a size of the disk, AKS needs 128 GiB. The rule knows the room of " +
			"the series that Microsoft's pages describe, and is silent about others.",
		Source: aks + "concepts-storage, https://learn.microsoft.com/azure/virtual-machines/ephemeral-os-disks, " +
			"https://github.com/Azure/AKS/issues/2694",
	},
	Checks: []engine.Check{engine.On(pools, diskWithoutRoom)},
}

func diskWithoutRoom(p pool) []rule.Problem {
	room, known := vm.EphemeralDisk(p.Size)
	if p.OSDiskType != topology.EphemeralDisk || !known {
		return nil
	}
	found := rule.Problem{Path: p.at + "osDiskType", Value: string(p.OSDiskType)}
	const other = "a size with a local disk, with a d in its name, for example Standard_D8ds_v5"
	switch {
	case room == 0:
		found.Detail = fmt.Sprintf("machines of the size %s have no local disk for it", p.Size)
		found.Fix = fmt.Sprintf("use %s, or %s", other, topology.ManagedDisk)
	case p.OSDiskSizeGB > room:
		found.Path, found.Value = p.at+"osDiskSizeGB", p.OSDiskSizeGB
		found.Detail = fmt.Sprintf("machines of the size %s have room for an ephemeral disk of %d GiB", p.Size, room)
		found.Fix = fmt.Sprintf("use at most %d, another size, or the type %s", room, topology.ManagedDisk)
	// A pool that keeps its name has the size of its disk in Azure.
	case p.OSDiskSizeGB == 0 && room < facts.AKSEphemeralDisk && p.options.NameInAzure == "":
		found.Detail = fmt.Sprintf("machines of the size %s have room for %d GiB, and the default is %d", p.Size, room,
			facts.AKSEphemeralDisk)
		found.Fix = fmt.Sprintf("set osDiskSizeGB to at most %d, or use another size or %s", room, topology.ManagedDisk)
	default:
		return nil
	}
	return []rule.Problem{found}
}

// hasEphemeralDisks reports whether the machines have ephemeral OS disks, which AKS chooses if they have room.
func (p pool) hasEphemeralDisks() bool {
	room, known := vm.EphemeralDisk(p.Size)
	// A pool that keeps its name has the disks that it has in Azure.
	chosen := p.OSDiskType == "" && p.options.NameInAzure == "" && known &&
		room >= max(p.OSDiskSizeGB, facts.AKSEphemeralDisk)
	return chosen || p.OSDiskType == topology.EphemeralDisk
}

var zoneUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK748", Severity: rule.Error, Title: "an availability zone that Azure does not have",
		Page: rulepages.AKSPools,
		Reason: "The zones of a region are 1, 2 and 3; auto, a preview, lets AKS choose. Another number is a " +
			"warning, because a region may get a fourth zone. Which zones a size has in a region, only Azure knows. " +
			"The label topology.kubernetes.io/zone of a node has the region in front: westeurope-1.",
		Source: aks + "reliability-availability-zones-configure, " + aks + "configure-automatic-zone-placement, " +
			"https://github.com/Azure/azure-cli/issues/17184",
	},
	Checks: []engine.Check{engine.On(pools, unknownZones)},
}

var availabilityZones = []string{"1", "2", "3", "auto"}

func unknownZones(p pool) []rule.Problem {
	var problems []rule.Problem
	for i, zone := range p.Zones {
		// Package topology reports an empty zone, and one that is in the list twice.
		if zone == "" || slices.Contains(availabilityZones, zone) {
			continue
		}
		found := rule.Problem{
			Path: fmt.Sprintf("%szones[%d]", p.at, i), Value: zone, Detail: "not a zone of Azure",
			Fix: "use 1, 2 or 3, or remove the zones",
		}
		if n, err := strconv.Atoi(zone); err == nil && n > 0 && strconv.Itoa(n) == zone {
			found.Severity, found.Detail = rule.Warning, "not a zone that this library knows"
		}
		problems = append(problems, found)
	}
	return problems
}
