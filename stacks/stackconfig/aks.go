package stackconfig

import "github.com/mixedkube/mixedkube/components/aks/plan"

// AKS says how the stack makes its cluster on AKS. Its words are Azure's, and
// components/aks checks them.
type AKS struct {
	// ResourceGroupName is the group of the cluster. Empty for one of its own.
	ResourceGroupName string `json:"resourceGroupName"`
	// ClusterName is the cluster's name in Azure. Empty for the stack's.
	ClusterName string `json:"clusterName"`
	// Location is the region. Empty for that of the provider's configuration.
	Location string `json:"location"`
	// Network is the cluster's.
	Network plan.Network `json:"network"`
	// WindowsAdmin is the administrator of the Windows nodes, whose password is a
	// value of its own, [KeyWindowsPassword].
	WindowsAdmin plan.WindowsAdmin `json:"windowsAdmin"`
	// EntraID is Microsoft Entra ID, which users of the cluster sign in with. nil for none.
	EntraID *EntraID `json:"entraID"`
	// Login says how Pulumi signs in.
	Login plan.Login `json:"login"`
	// AzureCLI lets the program run az.
	AzureCLI bool `json:"azureCLI"`
	// Unprotected lets Pulumi delete the cluster.
	Unprotected bool `json:"unprotected"`
	// RetryBackoffSeconds is the wait before the first retry where Azure is busy. 0 for the
	// component's.
	RetryBackoffSeconds float64 `json:"retryBackoffSeconds"`
}

// EntraID is Microsoft Entra ID as AKS manages it
// (https://learn.microsoft.com/azure/aks/enable-authentication-microsoft-entra-id).
type EntraID struct {
	// AdminGroupObjectIDs are the groups whose members are administrators of the cluster.
	AdminGroupObjectIDs []string `json:"adminGroupObjectIDs"`
	// AzureRBAC lets role assignments of Azure say what users may do.
	AzureRBAC bool `json:"azureRBAC"`
	// DisableLocalAccounts leaves no other way to sign in.
	DisableLocalAccounts bool `json:"disableLocalAccounts"`
}
