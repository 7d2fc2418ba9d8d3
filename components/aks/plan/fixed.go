package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Fixed is something about a pool that Azure takes when the pool is made, and never
// changes: a change makes a new pool. Its properties are those that replace the resource
// of a pool, and its value is part of the pool's name in Azure.
type Fixed struct {
	// Properties are those of a pool in Azure's API.
	Properties []string
	// OnlyWindows says that Linux pools take a change in place.
	OnlyWindows bool
	// InName says that the name in Azure tells the values apart, as far as they are
	// known before the program runs. The others are outputs as a rule.
	InName bool
	// Source says that Azure does not change it.
	Source string

	// name is what it is called in the text that the suffix of a name is made of.
	name string
	// value is nil if nothing is given.
	value func(p topology.Pool, options map[string]any) any
}

// FixedProperties are all of them. The order is that of the text that suffixes are made
// of: a new one comes last.
func FixedProperties() []Fixed { return slices.Clone(fixed) }

// Replacing are the properties of a pool whose change replaces it.
func Replacing(p topology.Pool) []string {
	var properties []string
	for _, f := range fixed {
		if p.Platform.IsWindows() || !f.OnlyWindows {
			properties = append(properties, f.Properties...)
		}
	}
	slices.Sort(properties)
	return properties
}

// immutable writes down what Azure cannot change on a pool. What is not given is left
// out, so that what this library learns later renames no pool that does without it.
func immutable(p topology.Pool, options map[string]any) string {
	var parts []string
	for _, f := range fixed {
		if !f.InName || f.OnlyWindows && !p.Platform.IsWindows() {
			continue
		}
		if value := f.value(p, options); value != nil {
			parts = append(parts, fmt.Sprintf("%s=%v", f.name, value))
		}
	}
	return strings.Join(parts, "\n")
}

// What the component passes on where the options leave it out.
const (
	DefaultPoolType       = "VirtualMachineScaleSets"
	DefaultEvictionPolicy = "Delete"
)

// The sources of what Azure never changes, beside its documentation.
const (
	// capzWebhook refuses changes of a pool of AKS as Azure does.
	capzWebhook = "https://github.com/kubernetes-sigs/cluster-api-provider-azure/blob/main/internal/webhooks/" +
		"azuremanagedmachinepool_webhook.go"
	// azurermPool makes a pool again where Azure does not change it.
	azurermPool = "https://github.com/hashicorp/terraform-provider-azurerm/blob/main/internal/services/containers/" +
		"kubernetes_cluster_node_pool_resource.go"
	// azurermFirstPool is the same for the pool that a cluster begins with.
	azurermFirstPool = "https://github.com/hashicorp/terraform-provider-azurerm/blob/main/internal/services/" +
		"containers/kubernetes_nodepool.go"
	// azurermMessage is the review in which the same provider makes the pool again for another
	// message, as Azure cannot change it.
	azurermMessage = "https://github.com/hashicorp/terraform-provider-azurerm/pull/16741"
	// apiMutability is what the specification of the API marks as for creation only.
	apiMutability = "https://github.com/pulumi/pulumi-azure-native/pull/4771"
)

// fixed are first those of a [topology.Pool], whose texts are in use, then the options.
var fixed = []Fixed{
	ofPool("platform", createPoolsPage, func(p topology.Pool) any { return p.Platform }, "osType"),
	ofPool("vmSize", createPoolsPage, func(p topology.Pool) any { return p.Size }, "vmSize"),
	ofPool("maxPods", capzWebhook, func(p topology.Pool) any { return given(p.MaxPods) }, "maxPods"),
	ofPool("osDiskSizeGB", capzWebhook, func(p topology.Pool) any { return given(p.OSDiskSizeGB) }, "osDiskSizeGB"),
	ofPool("osDiskType", poolAPI, func(p topology.Pool) any { return given(p.OSDiskType) }, "osDiskType"),
	ofPool("availabilityZones", capzWebhook, func(p topology.Pool) any {
		return given(strings.Join(slices.Sorted(slices.Values(p.Zones)), ","))
	}, "availabilityZones"),
	ofPool("spot", spotPage, func(p topology.Pool) any {
		if !p.Spot {
			return nil
		}
		return p.SpotMaxPrice
	}, "scaleSetPriority", "spotMaxPrice"),
	// Linux nodes get it in place, with new images.
	onlyWindows(ofPool("enableFIPS", capzWebhook, func(p topology.Pool) any { return given(p.FIPS) }, "enableFIPS")),
	ofPool("disableOutboundNat", azurermPool, func(p topology.Pool) any { return given(p.DisableOutboundNAT) },
		"windowsProfile"),
	{Properties: []string{"vnetSubnetID"}, Source: capzWebhook},
	{Properties: []string{"podSubnetID"}, Source: azurermPool},
	onlyWindows(ofOptionBut("osSKU", azurermPool, func(p topology.Pool) any { return OSSKU(p.Platform) })),
	ofOptionBut("scaleSetEvictionPolicy", azurermPool, func(p topology.Pool) any {
		if !p.Spot {
			return nil
		}
		return DefaultEvictionPolicy
	}),
	ofOptionBut("type", azurermFirstPool, func(topology.Pool) any { return DefaultPoolType }),
	ofOption("capacityReservationGroupID", azurermPool),
	ofOption("creationData", azurermPool),
	ofOption("enableEncryptionAtHost", aks+"enable-host-encryption"),
	ofOption("enableNodePublicIP", capzWebhook),
	ofOption("enableUltraSSD", aks+"use-ultra-disks"),
	ofOption("gpuInstanceProfile", apiMutability),
	ofOption("gpuProfile.driver", azurermPool),
	ofOption("hostGroupID", poolAPI),
	ofOption("kubeletConfig", capzWebhook),
	ofOption("kubeletDiskType", capzWebhook),
	ofOption("linuxOSConfig", capzWebhook),
	ofOption("networkProfile.nodePublicIPTags", apiMutability),
	ofOption("nodePublicIPPrefixID", capzWebhook),
	ofOption("proximityPlacementGroupID", azurermPool),
	ofOption("messageOfTheDay", azurermMessage),
}

// ofPool has a value that a [topology.Pool] gives.
func ofPool(name, source string, value func(p topology.Pool) any, properties ...string) Fixed {
	return Fixed{
		Properties: properties, InName: true, Source: source, name: name,
		value: func(p topology.Pool, _ map[string]any) any { return value(p) },
	}
}

// ofOption has a value that is passed through, and is given even where it is Azure's
// default: a request with it differs from one without.
func ofOption(property, source string) Fixed {
	return Fixed{
		Properties: []string{property}, InName: true, Source: source, name: property,
		value: func(_ topology.Pool, options map[string]any) any { return plainOption(options, property) },
	}
}

// ofOptionBut leaves out what the component passes on in any case.
func ofOptionBut(property, source string, sent func(p topology.Pool) any) Fixed {
	f := ofOption(property, source)
	f.value = func(p topology.Pool, options map[string]any) any {
		if value := plainOption(options, property); value != sent(p) {
			return value
		}
		return nil
	}
	return f
}

func onlyWindows(f Fixed) Fixed {
	f.OnlyWindows = true
	return f
}

// given is nil for what a pool leaves out.
func given[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}

// plainOption is the text of an option, the same for the same value; nil if it is
// not given, or not known before the program runs.
func plainOption(options map[string]any, path string) any {
	v := option(options, path)
	if v == nil || !isPlain(v) {
		return nil
	}
	if s, ok := v.(string); ok {
		return s
	}
	text, err := json.Marshal(v) // sorts the keys
	if err != nil {
		return nil
	}
	return string(text)
}

// isPlain reports whether all of a value is known, and may be shown.
func isPlain(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, value := range v {
			if !isPlain(value) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(v, func(value any) bool { return !isPlain(value) })
	case tree.Unknown, tree.Secret:
		return false
	}
	return true
}
