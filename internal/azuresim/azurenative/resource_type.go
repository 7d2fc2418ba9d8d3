package azurenative

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/azuretypes"
)

// resourceType is how azure-native makes requests of a type.
type resourceType struct {
	azuretypes.Type

	token string
	// namedUUID says that the name is a UUID instead of the resource's with digits.
	namedUUID bool
	// location says that there is one, by default the resource group's.
	location bool
	// top are the inputs that are at the top of the body; the others are below
	// properties. nil is for a type where all are at the top.
	top []string
	// nested are the properties whose objects have properties of their own.
	nested []string
	// nestedBelow are what such objects have below properties though others have it at
	// their top.
	nestedBelow map[string][]string
	// maintained are lists of what can be resources of its own: an update without
	// them leaves them alone.
	maintained []string
	// secrets are properties that Azure is told, and does not tell. A path goes through
	// the elements of lists.
	secrets []string
	// apiVersion is that of the requests.
	apiVersion string
	tree       *node
}

func (t *resourceType) name() string { return t.token[strings.LastIndex(t.token, ":")+1:] }

// id is the ID of the resource with the inputs.
func (t *resourceType) id(inputs map[string]any) (string, error) {
	id := t.Path
	for _, name := range t.InPath() {
		value, ok := inputs[name].(string)
		if !ok {
			return "", fmt.Errorf("expected string value for path parameter '%s', got %T", name, inputs[name])
		}
		// A scope is an ID: it comes with a slash of its own.
		id = strings.ReplaceAll(id, "{"+name+"}", strings.Trim(value, "/"))
	}
	return strings.ReplaceAll(id, "SUBSCRIPTION", armclient.SubscriptionID), nil
}

// parse finds the inputs that are in an ID.
func (t *resourceType) parse(id string) (map[string]any, error) {
	wrong := fmt.Errorf("failed to parse '%s' against the path '%s'", id, t.Path)
	parts, pattern := strings.Split(id, "/"), strings.Split(t.Path, "/")
	inputs := map[string]any{}
	// A scope takes what is left.
	if extra := len(parts) - len(pattern); extra != 0 {
		at := slices.Index(pattern, "{scope}")
		if at < 0 || extra < 0 {
			return nil, wrong
		}
		scope := strings.Join(parts[at:at+extra+1], "/")
		parts = slices.Concat(parts[:at], []string{scope}, parts[at+extra+1:])
	}
	for i, part := range pattern {
		name, ok := strings.CutPrefix(part, "{")
		switch {
		case ok:
			inputs[strings.TrimSuffix(name, "}")] = parts[i]
		case part == "SUBSCRIPTION":
		case !strings.EqualFold(part, parts[i]):
			return nil, wrong
		}
	}
	return inputs, nil
}
