package stackconfig

// AKS says how the stack makes its cluster on AKS. Its words are Azure's, and
// components/aks checks them.
type AKS struct {
	// ResourceGroupName is the group of the cluster. Empty for one of its own.
	ResourceGroupName string
	// ClusterName is the cluster's name in Azure. Empty for the stack's.
	ClusterName string
	// Location is the region. Empty for that of the provider's configuration.
	Location string
	// Network is the cluster's.
	Network Network
	// WindowsAdmin is the administrator of the Windows nodes, whose password is a
	// value of its own, [KeyWindowsPassword].
	WindowsAdmin WindowsAdmin
	// AzureCLI lets the program run az.
	AzureCLI bool
	// Unprotected lets Pulumi delete the cluster.
	Unprotected bool
}

// Network is the network of a cluster. What is empty has the default of
// components/aks.
type Network struct {
	Mode, Policy, OutboundType string
	NodeSubnetID, PodSubnetID  string
}

// WindowsAdmin is the administrator of the Windows nodes, but for the password.
type WindowsAdmin struct {
	Username, LicenseType string
}

func decodeAKS(v value) *AKS {
	object, ok := v.object()
	if !ok {
		return nil
	}
	a := &AKS{
		ResourceGroupName: object.text("resourceGroupName"),
		ClusterName:       object.text("clusterName"),
		Location:          object.text("location"),
		AzureCLI:          object.boolean("azureCLI"),
		Unprotected:       object.boolean("unprotected"),
	}
	if v, ok := object.get("network"); ok {
		a.Network = decodeNetwork(v)
	}
	if v, ok := object.get("windowsAdmin"); ok {
		a.WindowsAdmin = decodeWindowsAdmin(v)
	}
	object.finish()
	return a
}

func decodeNetwork(v value) Network {
	object, ok := v.object()
	if !ok {
		return Network{}
	}
	n := Network{
		Mode:         object.text("mode"),
		Policy:       object.text("policy"),
		OutboundType: object.text("outboundType"),
		NodeSubnetID: object.text("nodeSubnetID"),
		PodSubnetID:  object.text("podSubnetID"),
	}
	object.finish()
	return n
}

func decodeWindowsAdmin(v value) WindowsAdmin {
	object, ok := v.object()
	if !ok {
		return WindowsAdmin{}
	}
	admin := WindowsAdmin{Username: object.text("username"), LicenseType: object.text("licenseType")}
	object.finish()
	return admin
}
