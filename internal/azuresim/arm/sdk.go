//go:build sdk

package arm

// The packages of Azure's SDK whose types the files in bodies have. A test reads them.
import (
	_ "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/authorization/armauthorization/v2"
	_ "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v6"
	_ "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v8"
	_ "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/msi/armmsi"
	_ "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork/v7"
	_ "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/resources/armresources"
)
