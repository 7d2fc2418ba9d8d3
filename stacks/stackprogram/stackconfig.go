package stackprogram

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// readConfig takes the values as Pulumi hands them over: objects and lists as
// JSON, a text as it is.
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

// configKeys are the keys that there may be, and those of this project that
// there are: Pulumi hands all of them over in its environment, and a context
// answers for those only that it is asked for.
func configKeys(environment string) []string {
	keys := stackconfig.Keys()
	given := map[string]any{}
	if err := json.Unmarshal([]byte(environment), &given); err != nil {
		return keys
	}
	for key := range given {
		if strings.HasPrefix(key, stackconfig.Project+":") && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
