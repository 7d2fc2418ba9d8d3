package schemas

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheSchemaOfAType(t *testing.T) {
	t.Parallel()
	type choice string
	type below struct {
		On bool `json:"on"`
	}
	type all struct {
		below

		Name   string            `json:"name" required:"say it"`
		List   []int             `json:"list" required:"list them"`
		Prefix netip.Prefix      `json:"prefix"`
		Surge  string            `json:"surge" number:"a number"`
		Choice choice            `json:"choice"`
		Price  *float64          `pulumi:"price,optional" json:"other"`
		Labels map[string]choice `json:"labels"`
		Any    any               `json:"any"`
		Forced string
		Left   func() `json:"-"`
	}
	got := ofType(reflect.TypeFor[all](), typeOptions{
		types: map[reflect.Type]map[string]any{
			reflect.TypeFor[choice](): {"type": "string", "enum": []string{"a", "b"}},
		},
		field: func(owner reflect.Type, f reflect.StructField, schema map[string]any) bool {
			schema["description"] = owner.Name() + "." + f.Name
			return f.Name == "Forced"
		},
	})
	text, err := json.Marshal(got)
	var value any
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	if err != nil {
		t.Fatal(err)
	}
	var want any
	if err := json.Unmarshal([]byte(`{
		"type": "object", "additionalProperties": false, "required": ["Forced", "list", "name"],
		"properties": {
			"on": {"type": ["boolean", "null"], "description": "below.On"},
			"name": {"type": "string", "minLength": 1, "description": "all.Name"},
			"list": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "description": "all.List"},
			"prefix": {"type": ["string", "null"], "description": "all.Prefix"},
			"surge": {"type": ["string", "integer", "null"], "description": "all.Surge"},
			"choice": {"type": ["string", "null"], "enum": ["a", "b", "", null], "description": "all.Choice"},
			"price": {"type": ["number", "null"], "description": "all.Price"},
			"labels": {"type": ["object", "null"], "description": "all.Labels",
				"additionalProperties": {"type": "string", "enum": ["a", "b"]}},
			"any": {"description": "all.Any"},
			"Forced": {"type": "string", "description": "all.Forced"}
		}
	}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, value); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
