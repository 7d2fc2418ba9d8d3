package plan

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// skipDriver is a tag in [facts.AKSOptionEnds].
const skipDriver = "SkipGPUDriverInstall"

var (
	poolTypeUnsupported = engine.Rule{
		Rule: rule.Rule{
			ID: "MK885", Severity: rule.Error, Title: "a type of pool that AKS does not support",
			Page: rulepages.AKSPools,
			Reason: "AKS has not supported availability sets since " + facts.AKSOptionEnd("type", "").Ends + ", and " +
				"a cluster with one can have no other pools. Pools of the type VirtualMachines have Linux nodes only.",
			Fix:    "remove it: VirtualMachineScaleSets is the default",
			Source: aks + "availability-sets-on-aks, " + aks + "virtual-machines-node-pools",
		},
		Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
			kind := open(option(p.options.Options, "type"))
			found := rule.Problem{Path: p.optionsAt + "options.type", Value: kind}
			switch {
			case kind == "AvailabilitySet":
				found.Detail = "AKS no longer supports availability sets"
			case kind == "VirtualMachines" && p.Platform.IsWindows():
				found.Detail = "not supported for Windows pools"
			default:
				return nil
			}
			return []rule.Problem{found}
		})},
	}
	diskSizeOutside = engine.Rule{
		Rule: rule.Rule{
			ID: "MK886", Severity: rule.Error, Title: "a size of the OS disk that AKS does not accept",
			Page: rulepages.AKSPools,
			Reason: "An OS disk has 30 to 2048 GiB. Windows' images need more than Linux' ones: AKS' default is 128 " +
				"GiB.",
			Source: poolAPI + ", " + aks + "node-auto-provisioning-aksnodeclass",
		},
		Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
			// 0 is not set, and package topology reports what no cluster can have.
			if p.OSDiskSizeGB <= 0 || p.OSDiskSizeGB > topology.MaxCount || facts.AKSOSDisk.Has(p.OSDiskSizeGB) {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "osDiskSizeGB", Value: p.OSDiskSizeGB,
				Detail: fmt.Sprintf("not between %d and %d", facts.AKSOSDisk.Min, facts.AKSOSDisk.Max),
				Fix:    "use a number in this range, or remove it for 128",
			}}
		})},
	}
	systemPoolStopped = engine.Rule{
		Rule: rule.Rule{
			ID: "MK887", Severity: rule.Error, Title: "a system pool that is stopped",
			Page:   rulepages.AKSPools,
			Reason: "The cluster's own pods run on system pools, so Azure stops user pools only.",
			Fix:    "remove it, or stop the whole cluster",
			Source: aks + "start-stop-nodepools",
		},
		Checks: []engine.Check{engine.On(systemPools, func(p pool) []rule.Problem {
			if open(option(p.options.Options, "powerState.code")) != "Stopped" {
				return nil
			}
			return []rule.Problem{{
				Path: p.optionsAt + "options.powerState.code", Value: "Stopped",
				Detail: "Azure does not stop system pools",
			}}
		})},
	}
	deallocatedEphemeral = engine.Rule{
		Rule: rule.Rule{
			ID: "MK873", Severity: rule.Error, Title: "ephemeral OS disks with scaleDownMode Deallocate",
			Page: rulepages.AKSPools,
			Reason: "A machine loses an ephemeral disk when it is deallocated. AKS chooses such disks for sizes that " +
				"have room for them, unless osDiskType is set.",
			Fix:    "set osDiskType to Managed, or use the mode Delete",
			Source: aks + "scale-down-mode",
		},
		Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
			if open(option(p.options.Options, "scaleDownMode")) != "Deallocate" || !p.hasEphemeralDisks() {
				return nil
			}
			return []rule.Problem{{
				Path: p.optionsAt + "options.scaleDownMode", Value: "Deallocate",
				Detail: "machines with ephemeral OS disks cannot be deallocated",
			}}
		})},
	}
	kubeletThresholds = engine.Rule{
		Rule: rule.Rule{
			ID: "MK874", Severity: rule.Error, Title: "a kubelet setting outside its range",
			Page: rulepages.AKSPools,
			Reason: "The kubelet does not start with thresholds of image garbage collection outside of 0 to 100, " +
				"with the low one above the high one (85 and 80 by default), or with fewer than 2 log files of a " +
				"container.",
			Source: kubeletConfigPage + "-reference",
		},
		Checks: []engine.Check{engine.On(pools, wrongThresholds)},
	}
	zonesOfOnePlace = engine.Rule{
		Rule: rule.Rule{
			ID: "MK875", Severity: rule.Error, Title: "several zones in one place",
			Page:   rulepages.AKSPools,
			Reason: "A proximity placement group and a group of dedicated hosts are in one zone.",
			Fix:    "use one zone, or remove the group",
			Source: aks + "reduce-latency-ppg, " + aks + "use-azure-dedicated-hosts",
		},
		Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
			for _, name := range []string{"proximityPlacementGroupID", "hostGroupID"} {
				if len(p.Zones) > 1 && option(p.options.Options, name) != nil {
					return []rule.Problem{{
						Path: p.at + "zones", Value: strings.Join(p.Zones, ", "),
						Detail: "options." + name + " is in one zone",
					}}
				}
			}
			return nil
		})},
	}
	localDNSOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK876", Severity: rule.Error, Title: "LocalDNS on a Windows pool",
			Page:   rulepages.AKSPools,
			Reason: "LocalDNS is a systemd service of Linux nodes.",
			Fix:    "remove it",
			Source: aks + "localdns-custom",
		},
		Checks: []engine.Check{notOnWindows(nil, isSet, "localDNSProfile")},
	}
	confidentialOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK877", Severity: rule.Error, Title: "a confidential size for a Windows pool",
			Page:   rulepages.AKSPools,
			Reason: "AKS has images for confidential machines of Linux only.",
			Fix:    "use another size, for example Standard_D4s_v5",
			Source: aks + "use-cvm",
		},
		Checks: []engine.Check{engine.On(sizes, func(p sized) []rule.Problem {
			if !p.Platform.IsWindows() || !confidentialSize.MatchString(p.Size) {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "size", Value: p.Size, Detail: "AKS has no Windows images for confidential machines",
			}}
		})},
	}
	gpuOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK881", Severity: rule.Warning, Title: "a GPU size for a Windows pool",
			Page: rulepages.AKSPools,
			Reason: "GPUs of Windows nodes are a preview: AKS creates such a pool only in a subscription with the " +
				"feature WindowsGPUPreview.",
			Fix:    "register the feature, or use a Linux pool",
			Source: aks + "use-windows-gpu",
		},
		Checks: []engine.Check{engine.On(sizes, func(p sized) []rule.Problem {
			if !p.Platform.IsWindows() || !vm.HasGPU(p.Size) {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "size", Value: p.Size, Detail: "GPUs of Windows nodes are a preview in AKS",
			}}
		})},
	}
	driverTag = engine.Rule{
		Rule: rule.Rule{
			ID: "MK878", Severity: rule.Error, Title: "the tag SkipGPUDriverInstall",
			Page:   rulepages.AKSPools,
			Reason: "AKS has refused the tag since " + facts.AKSOptionEnd("tags."+skipDriver, "").Ends + ".",
			Fix:    "remove it, and set gpuProfile.driver to None",
			Source: aks + "use-nvidia-gpu",
		},
		Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
			// A pool that keeps its name may exist, with the tag.
			isNew := func(p pool) bool { return vm.HasGPU(p.Size) && p.options.NameInAzure == "" }
			path, v := p.tag(skipDriver, isNew)
			if !isNew(p) || v == nil {
				return nil
			}
			return []rule.Problem{{Path: path, Detail: "AKS refuses it in new pools with GPUs"}}
		})},
	}
	sizeUnsupported = engine.Rule{
		Rule: rule.Rule{
			ID: "MK897", Severity: rule.Error, Title: "a size that AKS does not support",
			Page: rulepages.AKSPools,
			Reason: "AKS has no drivers for the AMD GPUs of the series NVv4, and Azure CNI Overlay does not work " +
				"with the series DCsv2.",
			Source: aks + "use-nvidia-gpu, " + aks + "concepts-network-azure-cni-overlay",
		},
		Checks: []engine.Check{engine.On(sizes, func(p sized) []rule.Problem {
			found := rule.Problem{Path: p.at + "size", Value: p.Size}
			switch {
			case sizeNVv4.MatchString(p.Size):
				found.Detail, found.Fix = "AKS does not support the series NVv4", "use another size with a GPU, for "+
					"example Standard_NC4as_T4_v3"
			case sizeDCsv2.MatchString(p.Size) && p.of.network.Mode == Overlay:
				found.Detail, found.Fix = "does not work with the network mode overlay", "use the series DCasv5 or "+
					"DCadsv5"
			default:
				return nil
			}
			return []rule.Problem{found}
		})},
	}
	spotWithoutAutoscaling = engine.Rule{
		Rule: rule.Rule{
			ID: "MK898", Severity: rule.Warning, Title: "a spot pool without autoscaling",
			Page: rulepages.AKSPools,
			Reason: "When Azure evicts a machine, only the autoscaler creates another one. Without it, the pool " +
				"shrinks until it has no nodes.",
			Fix:    "set autoscaling",
			Source: spotPage,
		},
		Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
			// A pool that keeps its name has the autoscaling in Azure.
			if !p.Spot || p.isSystem() || p.Autoscaling.Enabled() || p.options.NameInAzure != "" {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "spot", Value: true, Detail: "evicted machines do not come back without autoscaling",
			}}
		})},
	}
	oneSystemNode = engine.Rule{
		Rule: rule.Rule{
			ID: "MK880", Severity: rule.Info, Title: "one node for the system's pods",
			Page: rulepages.AKS,
			Reason: "Microsoft requires two nodes for the cluster's own pods, and recommends three: with one, an " +
				"upgrade or a failure stops DNS for all pods. Azure accepts one. The finding is about new clusters.",
			Fix:    "use two or more",
			Source: systemPoolsPage,
		},
		Checks: []engine.Check{engine.On(creations, loneSystemNode)},
	}
)

// The series of GPUs of AMD, and of enclaves without AMD's or Intel's confidential machines.
var (
	sizeNVv4  = regexp.MustCompile(`(?i)^Standard_NV\d+as_v4$`)
	sizeDCsv2 = regexp.MustCompile(`(?i)^Standard_DC\d+s_v2$`)
)

// confidentialSize matches sizes of the series DCasv5, DCesv6, ECasv5, … but not those with only enclaves, DCsv2 and
// DCsv3.
var confidentialSize = regexp.MustCompile(`(?i)^Standard_(EC\d+[a-z]*|DC\d+[a-z]*[ae][a-z]*)_(?:cc_)?v\d$`)

func wrongThresholds(p pool) []rule.Problem {
	config := func(name string) any { return option(p.options.Options, "kubeletConfig."+name) }
	var problems []rule.Problem
	add := func(name string, value int, detail, fix string) {
		problems = append(problems, rule.Problem{
			Path: p.optionsAt + "options.kubeletConfig." + name, Value: value, Detail: detail, Fix: fix,
		})
	}
	const high, low, files = "imageGcHighThreshold", "imageGcLowThreshold", "containerLogMaxFiles"
	limits := map[string]int{high: 85, low: 80}
	known := true
	for _, name := range []string{high, low} {
		n, isKnown := openInt(config(name))
		switch {
		case config(name) == nil:
		case !isKnown:
			known = false
		case n < 0 || n > 100:
			known = false
			add(name, n, "not between 0 and 100", "use a percentage of the disk")
		default:
			limits[name] = n
		}
	}
	if known && limits[low] > limits[high] {
		name, other := low, high
		if config(low) == nil {
			name, other = high, low
		}
		add(name, limits[name], fmt.Sprintf("%s is %d", other, limits[other]), "use a low threshold below the high one")
	}
	if n, isKnown := openInt(config(files)); isKnown && n < 2 {
		add(files, n, "less than 2", "use 2 or more")
	}
	return problems
}

// loneSystemNode counts the nodes of all system pools.
func loneSystemNode(c creation) []rule.Problem {
	nodes, at := 0, ""
	for _, p := range c.of.pools {
		if !p.isSystem() {
			continue
		}
		if at == "" {
			at = p.at + "count"
			if p.Autoscaling.Enabled() {
				at = p.at + "autoscaling.min"
			}
		}
		if p.Autoscaling.Enabled() {
			nodes += p.Autoscaling.Min
		} else {
			nodes += p.Count
		}
	}
	if nodes != 1 {
		return nil
	}
	return []rule.Problem{{Path: at, Value: nodes, Detail: "the system pools have one node together"}}
}
