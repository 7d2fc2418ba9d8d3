package stackconfig

import "github.com/mixedkube/mixedkube/core/aks/plan"

// AKS describes how the stack creates its cluster on AKS. Its keys and values are Azure's,
// and components/aks checks them.
type AKS struct {
	// ResourceGroupName is the group of the cluster. If empty, the cluster gets a new group.
	ResourceGroupName string `json:"resourceGroupName"`
	// ClusterName is the cluster's name in Azure. If empty, it is the stack's name.
	ClusterName string `json:"clusterName"`
	// Location is the region. If empty, it is the region of the provider's configuration.
	Location string `json:"location"`
	// Network is the network of the cluster.
	Network plan.Network `json:"network"`
	// WindowsAdmin is the administrator of the Windows nodes. The password is a separate
	// value, [KeyWindowsPassword].
	WindowsAdmin plan.WindowsAdmin `json:"windowsAdmin"`
	// EntraID is Microsoft Entra ID, which users of the cluster sign in with. nil if they do not.
	EntraID *EntraID `json:"entraID"`
	// Login describes how Pulumi signs in.
	Login plan.Login `json:"login"`
	// AzureCLI lets the program run az.
	AzureCLI bool `json:"azureCLI"`
	// Unprotected lets Pulumi delete the cluster.
	Unprotected bool `json:"unprotected"`
	// RetryBackoffSeconds is the wait before the first retry if Azure is busy. 0 means the
	// component's default.
	RetryBackoffSeconds float64 `json:"retryBackoffSeconds"`
}

// EntraID is Microsoft Entra ID as AKS manages it
// (https://learn.microsoft.com/azure/aks/enable-authentication-microsoft-entra-id).
type EntraID struct {
	// AdminGroupObjectIDs are the groups whose members are administrators of the cluster.
	AdminGroupObjectIDs []string `json:"adminGroupObjectIDs"`
	// AzureRBAC uses role assignments of Azure to authorize users.
	AzureRBAC bool `json:"azureRBAC"`
	// DisableLocalAccounts makes Microsoft Entra ID the only way to sign in.
	DisableLocalAccounts bool `json:"disableLocalAccounts"`
}
