package azurenative

import (
	"encoding/json"
	"fmt"
)

// schema returns the package's schema. The language host of YAML looks up each type and property of a program in it. The
// schema has no types of values, so the host passes them on unchanged.
func schema() string {
	type object map[string]any
	resources := object{}
	for _, t := range table {
		inputs, outputs := object{}, object{}
		for name, property := range t.tree.below {
			anything := object{"$ref": "pulumi.json#/Any"}
			if property.input {
				inputs[name] = anything
			}
			if property.output {
				outputs[name] = anything
			}
		}
		resources[t.token] = object{"inputProperties": inputs, "properties": outputs}
	}
	text, err := json.Marshal(object{"name": "azure-native", "version": Version, "resources": resources})
	if err != nil {
		panic(fmt.Sprintf("the schema has only texts and objects: %v", err))
	}
	return string(text)
}
