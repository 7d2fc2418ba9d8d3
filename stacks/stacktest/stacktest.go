// Package stacktest helps to test the programs of the stacks.
package stacktest

import (
	"encoding/json"
	"os"
	"testing"

	"gopkg.in/yaml.v3"
)

// Configuration returns the configuration of a stack as Pulumi passes it to the program:
// the values of a configuration file by their keys, as JSON.
func Configuration(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var stack struct{ Config map[string]any }
	if err := yaml.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	config := map[string]string{}
	for key, value := range stack.Config {
		object, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		config[key] = string(object)
	}
	return config
}
