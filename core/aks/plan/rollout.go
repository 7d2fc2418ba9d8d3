package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// rollout is how AKS replaces the nodes of a pool to change it in place.
type rollout struct {
	inAzure topology.Pool
	// upgrade are the settings, nodes is the number of old nodes that run, and more how many AKS adds meanwhile.
	upgrade     topology.Upgrade
	nodes, more int
	// spot nodes are not drained, and have no additional nodes: "AKS internally issues a cordon and an eviction notice,
	// but no drain is applied. There are no surge nodes available for Spot node pool upgrades"
	// (https://learn.microsoft.com/azure/aks/spot-node-pool).
	spot, stopped bool
	// newVersion means that an upgrade of Kubernetes replaces all nodes too, in the same way.
	newVersion bool
}

// rollout returns how AKS makes the changes of a pool. If the program runs the command, the update before it sets the
// number of nodes, the upgrade settings and the version. Otherwise the user runs it before the update.
func (p retained) rollout() rollout {
	profile, _ := p.inAzure.profile(p.options.NameInAzure)
	inAzure, _ := poolInAzure(profile)
	r := rollout{
		inAzure: inAzure, upgrade: inAzure.Upgrade, nodes: inAzure.Count, spot: inAzure.Spot,
		stopped: isStopped(profile),
	}
	if p.cli {
		r.upgrade, r.nodes = p.upgradeBefore(), p.Count
		if p.Autoscaling.Enabled() {
			r.nodes = min(max(inAzure.Count, p.Autoscaling.Min), p.Autoscaling.Max)
		}
		r.newVersion = p.inAzure.IsOlder(p.Pool, p.options.NameInAzure)
	}
	if r.stopped {
		r.nodes = 0
	}
	if !r.spot {
		r.more = min(surgeOf(r.upgrade, r.nodes), r.nodes)
	}
	return r
}

// describe says what AKS does with the nodes of a pool for a change.
func (p retained) describe(c inPlaceChange) string {
	r := p.rollout()
	text := r.steps()
	if r.nodes > 0 && r.newVersion {
		when := "before"
		if p.inline {
			when = "after"
		}
		text += "; " + when + " that, the new version of Kubernetes replaces all nodes too"
	}
	if r.drains() {
		text += fmt.Sprintf("; it waits up to %s in all", fielderrors.Count(r.minutes(), "minute"))
	}
	if r.nodes > 0 {
		text += p.machines(r)
	}
	if r.more > 0 {
		text += fmt.Sprintf("; it needs %s of the subnet", fielderrors.Count(r.more*p.addresses(r.inAzure), "free IP"))
	}
	if r.drains() && r.upgrade.UndrainableNodes == topology.Cordon {
		text += "; nodes whose pods do not leave stay cordoned, and take quota until you delete them (undrainableNodes)"
	}
	if c.property == osSKU {
		text += "; Azure's pages do not say how to go back"
	}
	return text
}

// drains reports whether AKS drains nodes.
func (r rollout) drains() bool { return r.nodes > 0 && !r.spot }

// steps says how AKS replaces the nodes.
func (r rollout) steps() string {
	old := fielderrors.Count(r.nodes, "old node")
	switch {
	case r.stopped:
		return "the pool is stopped, so there are no nodes to drain, and AKS adds none"
	case r.nodes == 0:
		return "the pool has no nodes to replace"
	case r.spot:
		return "AKS cordons and replaces " + old + ", without a drain and without additional nodes, because they are " +
			"spot nodes"
	}
	text := fmt.Sprintf("AKS adds %s, drains and removes %s, and waits up to %s for the pods of each",
		fielderrors.Count(r.more, "node"), old, fielderrors.Count(r.drainMinutes(), "minute"))
	if soak := r.upgrade.NodeSoakMinutes; soak > 0 {
		text += fmt.Sprintf(", and %s after each drain", fielderrors.Count(soak, "minute"))
	}
	return text
}

func (r rollout) drainMinutes() int {
	return cmp.Or(r.upgrade.DrainTimeoutMinutes, facts.AKSDefaultDrainTimeout)
}

// minutes returns how long AKS waits for pods at most, and after drains. It drains as many nodes together as it adds.
func (r rollout) minutes() int {
	together := max(1, r.more)
	minutes := (r.nodes + together - 1) / together * (r.drainMinutes() + r.upgrade.NodeSoakMinutes)
	if r.newVersion {
		return 2 * minutes
	}
	return minutes
}

// machines says how many vCPUs all changes of the pool need at the peak. The size changes before the release if the
// program runs the commands.
func (p retained) machines(r rollout) string {
	has, _, hasKnown := vm.CapacityInAzure(r.inAzure.Size)
	wants, _, wantsKnown := vm.CapacityInAzure(p.Size)
	if !hasKnown || !wantsKnown {
		return "; its vCPUs at the peak are not known"
	}
	peak := max(has*r.nodes+wants*r.more, wants*r.nodes+has*r.more)
	if r.newVersion {
		upgraded := has
		if p.inline {
			upgraded = wants
		}
		peak = max(peak, upgraded*(r.nodes+r.more))
	}
	if p.changesInPlace(osSKU) {
		before := wants
		if !p.cli {
			before = max(has, wants)
		}
		peak = max(peak, before*(r.nodes+r.more))
	}
	return fmt.Sprintf("; it needs %d vCPUs at the peak, and has %d", peak, has*r.nodes)
}

func (p retained) changesInPlace(property string) bool {
	return slices.ContainsFunc(p.inPlace(), func(c inPlaceChange) bool { return c.property == property })
}

// upgradeBefore returns the settings that a pool has when its nodes are replaced: the update sets them first.
func (p retained) upgradeBefore() topology.Upgrade {
	profile, _ := p.inAzure.profile(p.options.NameInAzure)
	inAzure, _ := poolInAzure(profile)
	return Retained(p.Pool, inAzure).Upgrade
}

// addresses returns how many addresses a node of a pool takes in the subnet of the nodes: in mode node-subnet, its pods
// take some too.
func (p retained) addresses(inAzure topology.Pool) int {
	if network := p.of.network; network.Mode == NodeSubnet {
		return 1 + cmp.Or(p.MaxPods, inAzure.MaxPods)
	}
	return 1
}
