package arm

import (
	"maps"
	"slices"
	"strings"
)

// Parts are the elements of lists in a resource's properties that have names and IDs of their own, the rules of a load
// balancer for example.

// partReadOnly are ignored paths in a part. view fills them.
var partReadOnly = []string{
	"id", "type", "etag", "properties.provisioningState", "properties.backendIPConfiguration",
	"properties.backendIPConfigurations",
	"properties.inboundNatPools", "properties.inboundNatRules", "properties.loadBalancingRules",
	"properties.outboundRule",
	"properties.outboundRules", "properties.privateLinkConnectionProperties",
}

// parts returns the parts in a list.
func parts(body Body, list string) []Body { return bodiesAt(body, "properties."+list) }

// takeParts converts the parts of a list to the form in which they are stored.
func (r *request) takeParts(body Body, list string) error {
	defaultAt(body, "properties."+list, []any{})
	values, _ := at(body, "properties."+list).([]any)
	named := map[string]bool{}
	for i, value := range values {
		part, _ := value.(Body)
		name := textAt(part, "name")
		if name == "" {
			return badFormat("Required property 'name' not found in JSON. Path 'properties.%s[%d]'.", list, i)
		}
		if named[keyOf(name)] {
			return badFormat("Resource %s has two child resources with the same name (%s).", r.id.text, name)
		}
		named[keyOf(name)] = true
		for _, path := range partReadOnly {
			removeAt(part, path)
		}
		dropNulls(part)
		defaultAt(part, "properties", Body{})
	}
	return nil
}

// badFormat returns the network provider's answer to a body that it cannot read.
func badFormat(format string, args ...any) *Error {
	return refused("InvalidRequestFormat", "", "Cannot parse the request: "+format, args...)
}

// need checks that a part has the properties that the API requires.
func (r *request) need(list string, i int, part Body, names ...string) error {
	for _, name := range names {
		if at(part, "properties."+name) == nil {
			return badFormat("Required property '%s' not found in JSON. Path 'properties.%s[%d].properties'.", name,
				list, i)
		}
	}
	return nil
}

func partID(owner, list string, part Body) string {
	return owner + "/" + list + "/" + textAt(part, "name")
}

// viewParts adds the properties that the parts of some lists have as resources.
func viewParts(stored *resource, body Body, lists ...string) {
	for _, list := range lists {
		for _, part := range parts(body, list) {
			part["id"], part["type"], part["etag"] = partID(stored.ID, list, part), stored.Kind+"/"+list, body["etag"]
			setAt(part, "properties.provisioningState", at(body, "properties.provisioningState"))
		}
	}
}

// ownerOf returns the ID of the resource that a part belongs to.
func ownerOf(id string) string {
	segments := strings.Split(id, "/")
	return strings.Join(segments[:max(len(segments)-2, 0)], "/")
}

func nameOf(id string) string { return id[strings.LastIndex(id, "/")+1:] }

// part finds a part by its ID.
func (s *state) part(id string) Body {
	owner := s.get(ownerOf(id))
	if owner == nil {
		return nil
	}
	segments := strings.Split(id, "/")
	for _, list := range slices.Sorted(maps.Keys(owner.properties())) {
		if !strings.EqualFold(list, segments[len(segments)-2]) {
			continue
		}
		for _, part := range parts(owner.Body, list) {
			if strings.EqualFold(textAt(part, "name"), nameOf(id)) {
				return part
			}
		}
	}
	return nil
}

// inRange checks an optional number in a part.
func inRange(id string, part Body, name string, low, high float64) error {
	value, ok := at(part, "properties."+name).(float64)
	if !ok || value >= low && value <= high {
		return nil
	}
	return refused("InvalidParameter", name, "The value of %s of %s is %.0f. It must be between %.0f and %.0f.", name,
		id, value, low, high)
}
