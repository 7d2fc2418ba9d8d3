package arm

import (
	"regexp"
	"slices"
	"strings"
)

var (
	uuidFormat = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	roleFormat = regexp.MustCompile(
		`(?i)^(/subscriptions/[^/]+)?/providers/Microsoft\.Authorization/roleDefinitions/[0-9a-f-]{36}$`,
	)
)

func (r *request) putAssignment(body Body) (*resource, error) {
	if !uuidFormat.MatchString(r.id.name()) {
		return nil, refused("InvalidRoleAssignmentId", "",
			"The role assignment ID '%s' is not valid. The role assignment ID must be a GUID.", r.id.name())
	}
	// Some scopes, registries and vaults for example, are not simulated but have roles.
	if scope, err := parseID(r.id.parent); err == nil && scope.kind != kindAssignment &&
		r.state.get(r.id.parent) == nil {
		return nil, noResource(scope)
	}
	principal, role := textAt(body, "properties.principalId"), textAt(body, "properties.roleDefinitionId")
	if !uuidFormat.MatchString(principal) {
		return nil, refused("InvalidPrincipalId", "",
			"The principal ID '%s' is not valid. Principal ID must be a GUID.", principal)
	}
	if !roleFormat.MatchString(role) {
		return nil, refused("InvalidRoleDefinitionId", "", "The role definition ID '%s' is not valid.", role)
	}
	for _, other := range r.state.below(r.id.parent, kindAssignment) {
		if keyOf(other.ID) == r.id.key() || keyOf(textAt(other.Body, "properties.scope")) != keyOf(r.id.parent) {
			continue
		}
		if strings.EqualFold(textAt(other.Body, "properties.principalId"), principal) &&
			strings.EqualFold(textAt(other.Body, "properties.roleDefinitionId"), role) {
			name := other.ID[strings.LastIndex(other.ID, "/")+1:]
			return nil, conflict("RoleAssignmentExists",
				"The role assignment already exists. The ID of the existing role assignment is %s.",
				strings.ReplaceAll(name, "-", ""))
		}
	}
	if old := r.state.get(r.id.text); old != nil {
		if keep(old.Body, body, []string{"properties.principalId", "properties.roleDefinitionId"}) != "" {
			return nil, refused("RoleAssignmentUpdateNotPermitted", "",
				"Tenant ID, application ID, principal ID, and scope are not allowed to be updated.")
		}
	}
	if r.isNew && textAt(body, "properties.principalType") == "" && r.state.hasPrincipal(principal) {
		return nil, refused("PrincipalNotFound", "", "Principal %s does not exist in the directory %s. Check that you "+
			"have the correct principal ID. If you are creating this principal and then immediately assigning a role, "+
			"this error might be related to a replication delay. In this case, set the role assignment principalType "+
			"property to a value, such as ServicePrincipal, User, or Group.  See https://aka.ms/docs-principaltype",
			strings.ReplaceAll(principal, "-", ""), tenant)
	}
	setAt(body, "properties.scope", r.id.parent)
	defaultAt(body, "properties.principalType", "ServicePrincipal")
	return r.state.put(r.id, body), nil
}

// hasPrincipal reports whether a principal belongs to an identity that the cloud has created. Entra ID may take minutes
// to know such a principal, and here it always takes longer than the program.
func (s *state) hasPrincipal(id string) bool {
	return slices.ContainsFunc(s.all(kindIdentity, kindCluster), func(r *resource) bool {
		return slices.ContainsFunc([]string{
			"properties.principalId", "identity.principalId", "properties.identityProfile.kubeletidentity.objectId",
		}, func(path string) bool { return strings.EqualFold(textAt(r.Body, path), id) })
	})
}
