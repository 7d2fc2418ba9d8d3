package kubeadm

import (
	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// securityProfile returns nil to leave the choice to Azure. A subscription that has not registered
// for encryption at host may not even set it to false
// (https://github.com/Azure/bicep-registry-modules/issues/2374).
func securityProfile(s plan.Security) compute.SecurityProfilePtrInput {
	if s.Type != plan.TrustedLaunch && !s.EncryptionAtHost {
		return nil
	}
	profile := compute.SecurityProfileArgs{}
	if s.Type == plan.TrustedLaunch {
		profile.SecurityType = pulumi.String(s.Type)
		profile.UefiSettings = compute.UefiSettingsArgs{
			SecureBootEnabled: pulumi.Bool(!s.DisableSecureBoot),
			VTpmEnabled:       pulumi.Bool(true),
		}
	}
	if s.EncryptionAtHost {
		profile.EncryptionAtHost = pulumi.Bool(true)
	}
	return profile
}
