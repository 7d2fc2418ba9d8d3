package stackprogram

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// readConfig reads the values that Pulumi passes: objects and lists as JSON, a text
// as is.
func readConfig(ctx *pulumi.Context, program stackconfig.Program) (stackconfig.Config, error) {
	values := map[string]any{}
	for _, key := range configKeys(os.Getenv(pulumi.EnvConfig)) {
		text, ok := ctx.GetConfig(key)
		if !ok {
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			value = text
		}
		values[key] = value
	}
	return program.Decode(values)
}

// configKeys returns the known keys and all configured keys of this project. Pulumi
// passes the configured keys in its environment; a context only returns the value of a
// key.
func configKeys(environment string) []string {
	keys := stackconfig.Keys()
	configured := map[string]any{}
	if err := json.Unmarshal([]byte(environment), &configured); err != nil {
		return keys
	}
	for _, key := range slices.Sorted(maps.Keys(configured)) {
		if strings.HasPrefix(key, stackconfig.Project+":") && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
