package arm

import "strings"

func (r *request) putGroup(body Body) (*resource, error) {
	if err := needLocation(body); err != nil {
		return nil, err
	}
	if old := r.state.get(r.id.text); old != nil && old.Body["location"] != body["location"] {
		return nil, conflict("InvalidResourceGroupLocation",
			"Invalid resource group location '%s'. The Resource group already exists in location '%s'.",
			body["location"], old.Body["location"])
	}
	setAt(body, "properties.provisioningState", "Succeeded")
	return r.state.put(r.id, body), nil
}

// needLocation gives a location the form in which Azure shows it.
func needLocation(body Body) error {
	location := strings.ToLower(strings.ReplaceAll(textAt(body, "location"), " ", ""))
	if location == "" {
		return refused("LocationRequired", "", "The location property is required for this definition.")
	}
	body["location"] = location
	return nil
}

// placed checks that a resource has a location, and that the location does not change.
func (r *request) placed(body Body) error {
	if err := needLocation(body); err != nil {
		return err
	}
	old := r.state.get(r.id.text)
	if old == nil || old.Body["location"] == body["location"] {
		return nil
	}
	return conflict("InvalidResourceLocation",
		"The resource '%s' already exists in location '%s' in resource group '%s'. A resource with the same name "+
			"cannot be created in location '%s'. Please select a new resource name.",
		r.id.name(), old.Body["location"], r.id.group, body["location"])
}
