package azcli

import (
	"encoding/json"
	"io"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// shown is a resource as az prints it: without the level of the properties.
func shown(body arm.Body, g given) any {
	if body == nil {
		return nil
	}
	flat := map[string]any{"resourceGroup": g.one(resourceGroup)}
	below, _ := body["properties"].(map[string]any)
	for _, level := range []map[string]any{below, body} {
		for key, value := range level {
			if key != "properties" {
				flat[key] = value
			}
		}
	}
	return flat
}

func show(w io.Writer, result any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}
