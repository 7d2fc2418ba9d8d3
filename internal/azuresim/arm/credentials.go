package arm

import (
	"encoding/base64"
	"strings"
)

// credentials does the actions of a cluster.
func (r *request) credentials(found *resource, action string) (Body, error) {
	name := ""
	switch {
	case found.Kind != kindCluster:
	case strings.EqualFold(action, "listClusterUserCredential"):
		name = "clusterUser"
	case strings.EqualFold(action, "listClusterAdminCredential"):
		name = "clusterAdmin"
	}
	if name == "" {
		return nil, notFound("InvalidResourceType", "The action '%s' of the type '%s' could not be found.", action,
			found.Kind)
	}
	isStatic := name == "clusterAdmin" || !found.hasEntraID()
	if isStatic && at(found.Body, "properties.disableLocalAccounts") == true {
		return nil, refused("BadRequest", "",
			"Getting static credential is not allowed because this cluster is set to disable local accounts.")
	}
	if r.cloud.options.Kubeconfig == nil {
		return nil, broken("InternalServerError", "The cluster has no kubeconfig.")
	}
	kubeconfig, err := r.cloud.options.Kubeconfig()
	if err != nil {
		return nil, broken("InternalServerError", "The kubeconfig could not be read: %v", err)
	}
	if name == "clusterUser" && found.hasEntraID() {
		if kubeconfig, err = r.withKubelogin(found, kubeconfig); err != nil {
			return nil, broken("InternalServerError", "The kubeconfig could not be read: %v", err)
		}
	}
	return Body{"kubeconfigs": []any{Body{"name": name, "value": base64.StdEncoding.EncodeToString(kubeconfig)}}}, nil
}
