package azurenative

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
)

// resourceType describes how azure-native makes requests for a type.
type resourceType struct {
	azuretypes.Type

	token string
	// namedUUID is true if the default name is a UUID instead of the resource's name with digits.
	namedUUID bool
	// location is true if the type has a location, by default the resource group's.
	location bool
	// top are the inputs that are at the top of the body. The others are below properties. nil means that all are at
	// the top.
	top []string
	// nested are the properties whose objects have properties of their own.
	nested []string
	// nestedBelow are properties of such objects that are below properties, although other types have them at the top.
	nestedBelow map[string][]string
	// maintained are lists of elements that can be resources of their own: an update that does not set them does not
	// change them.
	maintained []string
	// secrets are properties that Azure accepts and does not return. A path goes through the elements of lists.
	secrets []string
	// apiVersion is the API version of the requests.
	apiVersion string
	tree       *node
}

func (t *resourceType) name() string { return t.token[strings.LastIndex(t.token, ":")+1:] }

// id returns the ID of the resource with the inputs.
func (t *resourceType) id(inputs map[string]any) (string, error) {
	id := t.Path
	for _, name := range t.InPath() {
		value, ok := inputs[name].(string)
		if !ok {
			return "", fmt.Errorf("expected string value for path parameter '%s', got %T", name, inputs[name])
		}
		// A scope is an ID: it begins with a slash of its own.
		id = strings.ReplaceAll(id, "{"+name+"}", strings.Trim(value, "/"))
	}
	return strings.ReplaceAll(id, "SUBSCRIPTION", armclient.SubscriptionID), nil
}

// parse returns the inputs that are in an ID.
func (t *resourceType) parse(id string) (map[string]any, error) {
	wrong := fmt.Errorf("failed to parse '%s' against the path '%s'", id, t.Path)
	parts, pattern := strings.Split(id, "/"), strings.Split(t.Path, "/")
	inputs := map[string]any{}
	// The scope takes the remaining segments.
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
