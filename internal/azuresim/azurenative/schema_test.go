package azurenative

import (
	"encoding/json"
	"testing"
)

// TestSchema looks up what a program in YAML uses: a property that it sets, and one that it reads.
func TestSchema(t *testing.T) {
	t.Parallel()
	var described struct {
		Resources map[string]struct{ InputProperties, Properties map[string]any }
	}
	if err := json.Unmarshal([]byte(schema()), &described); err != nil {
		t.Fatal(err)
	}
	if len(described.Resources) != len(table) {
		t.Errorf("the schema has %d types, want %d", len(described.Resources), len(table))
	}
	for token, properties := range map[string]struct{ input, output string }{
		"azure-native:containerservice:ManagedCluster": {"resourceName", "name"},
		"azure-native:containerservice:AgentPool":      {"agentPoolName", "provisioningState"},
		"azure-native:resources:ResourceGroup":         {"resourceGroupName", "name"},
	} {
		found := described.Resources[token]
		for name, want := range map[string]bool{properties.input: true, properties.output: false} {
			_, input := found.InputProperties[name]
			_, output := found.Properties[name]
			if input != want || output == want {
				t.Errorf("%s: %s: input %t, output %t", token, name, input, output)
			}
		}
	}
}
