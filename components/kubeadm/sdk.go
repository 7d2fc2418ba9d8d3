package kubeadm

import (
	_ "github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	_ "github.com/pulumi/pulumi-azure-native-sdk/network/v3"
)
