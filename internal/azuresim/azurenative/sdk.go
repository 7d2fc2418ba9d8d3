//go:build sdk

package azurenative

// The SDK's packages of the supported types. A test reads them.
import (
	_ "github.com/pulumi/pulumi-azure-native-sdk/authorization/v3"
	_ "github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	_ "github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	_ "github.com/pulumi/pulumi-azure-native-sdk/managedidentity/v3"
	_ "github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	_ "github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
)
