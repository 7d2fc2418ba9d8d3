package arm

import "strings"

const tenant = "00000000-0000-0000-0000-0000000000aa"

func (r *request) putIdentity(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	// An identity that is created again is another principal.
	created := r.createdAs()
	setAt(body, "properties.principalId", uuidOf("principal", r.id.key(), created))
	setAt(body, "properties.clientId", uuidOf("client", r.id.key(), created))
	setAt(body, "properties.tenantId", tenant)
	defaultAt(body, "tags", Body{})
	return r.state.put(r.id, body), nil
}

// viewIdentity writes the ID as its resource provider does, with resourcegroups in lower case
// (test_identity_management.yaml, a recording of Azure/azure-cli).
func viewIdentity(_ *state, identity *resource, body Body) {
	segments := strings.Split(identity.ID, "/")
	segments[3] = "resourcegroups"
	body["id"] = strings.Join(segments, "/")
}

// createdAs returns the serial with which the resource of the request was created, or will be.
func (r *request) createdAs() int {
	if old := r.state.get(r.id.text); old != nil {
		return old.Created
	}
	return r.state.Serial + 1
}
