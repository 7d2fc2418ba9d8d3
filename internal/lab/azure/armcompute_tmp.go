package azure

import _ "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v6"
