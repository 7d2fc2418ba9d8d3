package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Fixed is a setting of a pool that Azure accepts when the pool is created, and never changes: a change creates a new
// pool. A change of its properties replaces the resource of a pool, and its value is part of the pool's name in Azure.
type Fixed struct {
	// Properties are the properties of a pool in Azure's API.
	Properties []string
	// OnlyWindows means that Linux pools change in place.
	OnlyWindows bool
	// InName means that the name in Azure depends on the value if the value is known before the program runs. The other
	// settings are usually outputs.
	InName bool
	// Upgrades means that Azure upgrades an existing pool to a newer value. A pool that keeps its name changes in place;
	// for others, whose names depend on the value, a change still creates a new pool.
	Upgrades bool
	// Source is where it is documented that Azure does not change the setting.
	Source string

	// name is the name of the setting in the text that the suffix of a pool's name is generated from.
	name string
	// value returns nil if the setting is not set.
	value func(p topology.Pool, options map[string]any) any
}

// FixedProperties returns all settings that Azure never changes, in the order of the text that suffixes are generated
// from. Add a new setting at the end.
func FixedProperties() []Fixed { return slices.Clone(fixed) }

// Replacing returns the properties of a pool whose changes replace the pool.
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

// immutable returns a text with the settings of a pool that Azure cannot change. It leaves out settings that are not
// set, so that a setting which is added later does not rename pools that do not use it.
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

// The values that the component passes if the options do not set them.
const (
	DefaultPoolType       = "VirtualMachineScaleSets"
	DefaultEvictionPolicy = "Delete"
)

// fixed has first the fields of a [topology.Pool], whose texts are in use, and then the options.
var fixed = withEffects([]Fixed{
	ofPool("platform", func(p topology.Pool) any { return p.Platform }, "osType"),
	ofPool("vmSize", func(p topology.Pool) any { return p.Size }, "vmSize"),
	ofPool("maxPods", func(p topology.Pool) any { return nonZero(p.MaxPods) }, "maxPods"),
	ofPool("osDiskSizeGB", func(p topology.Pool) any { return nonZero(p.OSDiskSizeGB) }, "osDiskSizeGB"),
	ofPool("osDiskType", func(p topology.Pool) any { return nonZero(p.OSDiskType) }, "osDiskType"),
	ofPool("availabilityZones", func(p topology.Pool) any {
		return nonZero(strings.Join(slices.Sorted(slices.Values(p.Zones)), ","))
	}, "availabilityZones"),
	ofPool("spot", func(p topology.Pool) any {
		if !p.Spot {
			return nil
		}
		return p.SpotMaxPrice
	}, "scaleSetPriority", "spotMaxPrice"),
	ofPool("enableFIPS", func(p topology.Pool) any { return nonZero(p.FIPS) }, "enableFIPS"),
	ofPool("disableOutboundNat", func(p topology.Pool) any { return nonZero(p.DisableOutboundNAT) },
		"windowsProfile"),
	{Properties: []string{"vnetSubnetID"}},
	{Properties: []string{"podSubnetID"}},
	ofOptionBut("osSKU", func(p topology.Pool) any { return OSSKU(p.Platform) }),
	ofOptionBut("scaleSetEvictionPolicy", func(p topology.Pool) any {
		if !p.Spot {
			return nil
		}
		return DefaultEvictionPolicy
	}),
	ofOptionBut("type", func(topology.Pool) any { return DefaultPoolType }),
	ofOption("capacityReservationGroupID"),
	ofOption("creationData"),
	ofOption("enableEncryptionAtHost"),
	ofOption("enableNodePublicIP"),
	ofOption("enableUltraSSD"),
	ofOption("gpuInstanceProfile"),
	ofOption("gpuProfile.driver"),
	ofOption("hostGroupID"),
	ofOption("kubeletConfig"),
	ofOption("kubeletDiskType"),
	ofOption("linuxOSConfig"),
	ofOption("networkProfile.nodePublicIPTags"),
	ofOption("nodePublicIPPrefixID"),
	ofOption("proximityPlacementGroupID"),
	ofOption("messageOfTheDay"),
	{
		// Not in the name: pools had the option before Azure's documentation had the limit.
		Properties: []string{allocationMode}, name: allocationMode,
		value: func(_ topology.Pool, options map[string]any) any {
			if mode := plainOption(options, allocationMode); mode != dynamicIndividual {
				return mode
			}
			return nil
		},
	},
})

// withEffects adds what AKS does to change the first property of each setting.
func withEffects(settings []Fixed) []Fixed {
	for i := range settings {
		change := facts.AKSPoolChangeOf(settings[i].Properties[0])
		settings[i].OnlyWindows = change.Linux == facts.Reimages
		settings[i].Upgrades = change.Linux == facts.Upgrades
		settings[i].Source = change.Source
	}
	return settings
}

// ofPool returns a setting with a value from a [topology.Pool].
func ofPool(name string, value func(p topology.Pool) any, properties ...string) Fixed {
	return Fixed{
		Properties: properties, InName: true, name: name,
		value: func(p topology.Pool, _ map[string]any) any { return value(p) },
	}
}

// ofOption returns a setting with a value that is passed through. Azure's default counts as a value too, because a
// request with it differs from one without.
func ofOption(property string) Fixed {
	return Fixed{
		Properties: []string{property}, InName: true, name: property,
		value: func(_ topology.Pool, options map[string]any) any { return plainOption(options, property) },
	}
}

// ofOptionBut is ofOption without the value that the component always sends.
func ofOptionBut(property string, sent func(p topology.Pool) any) Fixed {
	f := ofOption(property)
	f.value = func(p topology.Pool, options map[string]any) any {
		if value := plainOption(options, property); value != sent(p) {
			return value
		}
		return nil
	}
	return f
}

// nonZero returns a value, or nil if it is the zero value.
func nonZero[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}

// plainOption returns the text of an option, which is the same for the same value. It returns nil if the option is not
// set, or not known before the program runs.
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
