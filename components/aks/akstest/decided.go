package akstest

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"
)

// decided returns what Azure decides on for a cluster with some inputs of azure-native: its node resource group, its
// issuer of tokens, and its identities.
func decided(in map[string]any) map[string]any {
	name := text(in["resourceName"])
	group := text(in["nodeResourceGroup"])
	if group == "" {
		group = "MC_" + name
	}
	outputs := map[string]any{"nodeResourceGroup": group}
	if issuer, _ := in["oidcIssuerProfile"].(map[string]any); issuer["enabled"] == true {
		outputs["oidcIssuerProfile"] = map[string]any{
			"enabled": true, "issuerURL": "https://oidc.example.com/" + name,
		}
	}
	outputs["identity"] = actsAs(name, in["identity"])
	kubelet := identity("kubelet", name)
	kubelet["objectId"] = kubelet["principalId"]
	delete(kubelet, "principalId")
	kubelet["resourceId"] = "/subscriptions/s/resourcegroups/" + group +
		"/providers/Microsoft.ManagedIdentity/userAssignedIdentities/" + name + "-agentpool"
	profile, _ := in["identityProfile"].(map[string]any)
	if own, ok := profile["kubeletidentity"].(map[string]any); ok {
		users := identity(text(own["resourceId"]))
		maps.Copy(kubelet, map[string]any{"clientId": users["clientId"], "objectId": users["principalId"]})
		maps.Copy(kubelet, own)
	}
	outputs["identityProfile"] = map[string]any{"kubeletidentity": kubelet}
	return outputs
}

// actsAs returns the identity of a cluster: its own one, or those that the input lists.
func actsAs(name string, input any) map[string]any {
	in, _ := input.(map[string]any)
	users, _ := in["userAssignedIdentities"].([]any)
	if len(users) == 0 {
		return map[string]any{
			"type": "SystemAssigned", "principalId": guid("cluster", name), "tenantId": guid("tenant"),
		}
	}
	assigned := map[string]any{}
	for _, id := range users {
		assigned[text(id)] = identity(text(id))
	}
	return map[string]any{"type": in["type"], "userAssignedIdentities": assigned}
}

// identity returns the IDs of a managed identity.
func identity(of ...string) map[string]any {
	return map[string]any{
		"clientId":    guid(append([]string{"client"}, of...)...),
		"principalId": guid(append([]string{"object"}, of...)...),
	}
}

// guid returns an ID that differs for other names.
func guid(of ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(of, " ")))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80 // a random one by its form (RFC 9562, version 4)
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
