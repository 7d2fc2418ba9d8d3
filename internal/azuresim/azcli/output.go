package azcli

import (
	"encoding/json"
	"io"
	"slices"
	"unicode"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// mapsOf are the properties whose keys are data.
var mapsOf = []string{
	"addonProfiles", "config", "delegatedResources", "identityProfile", "kubeDNSOverrides", "nodeLabels", "podLabels",
	"tags", "userAssignedIdentities", "vnetDNSOverrides",
}

// shown returns a resource as az prints it: without the level of the properties, and with the names of its Python SDK.
// A pool then has two types.
func shown(body arm.Body, g flagValues) any {
	if body == nil {
		return nil
	}
	flat := map[string]any{"resourceGroup": g.one(resourceGroup)}
	below, _ := body["properties"].(map[string]any)
	if below["type"] != nil {
		flat["typePropertiesType"] = below["type"]
	}
	for _, level := range []map[string]any{below, body} {
		for key, value := range level {
			if key != "properties" {
				flat[inPython(key)] = renamed(key, value)
			}
		}
	}
	return flat
}

// renamed replaces the keys in a value with the names that az prints.
func renamed(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		named := make(map[string]any, len(v))
		for key, inner := range v {
			if slices.Contains(mapsOf, name) {
				named[key] = renamed("", inner)
			} else {
				named[inPython(key)] = renamed(key, inner)
			}
		}
		return named
	case []any:
		list := make([]any, 0, len(v))
		for _, inner := range v {
			list = append(list, renamed("", inner))
		}
		return list
	default:
		return value
	}
}

// inPython converts a name of the REST API to snake case and back, as az's SDK does: of adjacent capitals, only the
// first stays, and the last if it begins a word. So osDiskSizeGB becomes osDiskSizeGb, podSubnetID becomes podSubnetId,
// and managedOutboundIPs stays.
func inPython(name string) string {
	letters := []rune(name)
	written := slices.Clone(letters)
	for i, c := range written {
		inRun := i > 0 && unicode.IsUpper(written[i-1])
		beginsWord := i+1 < len(written) && unicode.IsLower(written[i+1])
		if inRun && !beginsWord {
			letters[i] = unicode.ToLower(c)
		}
	}
	return string(letters)
}

func show(w io.Writer, result any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}
