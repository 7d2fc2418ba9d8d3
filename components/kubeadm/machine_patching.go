package kubeadm

import (
	"cmp"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// windowsConfiguration turns off the updates that Windows installs by itself: an unexpected restart
// takes pods with it.
func windowsConfiguration(p plan.Patching) compute.WindowsConfigurationArgs {
	configuration := compute.WindowsConfigurationArgs{
		ProvisionVMAgent:       pulumi.Bool(true),
		EnableAutomaticUpdates: pulumi.Bool(false),
		PatchSettings:          compute.PatchSettingsArgs{PatchMode: pulumi.String("Manual")},
	}
	if p.Mode == plan.AutomaticByPlatform {
		// Azure requires true, and turns off Windows' own updates anyway.
		configuration.EnableAutomaticUpdates = pulumi.Bool(true)
		configuration.PatchSettings = compute.PatchSettingsArgs{
			PatchMode: pulumi.String(p.Mode),
			AutomaticByPlatformSettings: compute.WindowsVMGuestPatchAutomaticByPlatformSettingsArgs{
				RebootSetting: pulumi.String(reboot(p)),
			},
		}
	}
	return configuration
}

// linuxPatchSettings returns nil if the image's own updates are used.
func linuxPatchSettings(p plan.Patching) compute.LinuxPatchSettingsPtrInput {
	if p.Mode != plan.AutomaticByPlatform {
		return nil
	}
	return compute.LinuxPatchSettingsArgs{
		PatchMode: pulumi.String(p.Mode),
		AutomaticByPlatformSettings: compute.LinuxVMGuestPatchAutomaticByPlatformSettingsArgs{
			RebootSetting: pulumi.String(reboot(p)),
		},
	}
}

// reboot returns the reboot setting, Never by default: Azure does not drain nodes.
func reboot(p plan.Patching) plan.RebootSetting { return cmp.Or(p.Reboot, plan.RebootNever) }

// kubeletHealthPort is the port at which the kubelet answers on the machine itself
// (https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/).
const kubeletHealthPort = 10248

// newHealth reports to Azure whether the kubelet of a machine is healthy. Azure patches machines of a
// flexible scale set only if it knows
// (https://learn.microsoft.com/azure/virtual-machines/automatic-vm-guest-patching#requirements-for-enabling-automatic-vm-guest-patching).
// Before the machine has joined there is no kubelet that answers.
func (m machine) newHealth(
	ctx *pulumi.Context, vm *compute.VirtualMachine, joined pulumi.Resource,
) (*compute.VirtualMachineExtension, error) {
	kind := "ApplicationHealthLinux"
	if m.Pool.Platform.IsWindows() {
		kind = "ApplicationHealthWindows"
	}
	return compute.NewVirtualMachineExtension(ctx, m.resource+"-health", &compute.VirtualMachineExtensionArgs{
		ResourceGroupName:       m.group,
		VmName:                  vm.Name,
		VmExtensionName:         pulumi.String("health"),
		Location:                m.location,
		Publisher:               pulumi.String("Microsoft.ManagedServices"),
		Type:                    pulumi.String(kind),
		TypeHandlerVersion:      pulumi.String("1.0"),
		AutoUpgradeMinorVersion: pulumi.Bool(true),
		Settings: pulumi.Map{
			"protocol":    pulumi.String("http"),
			"port":        pulumi.Int(kubeletHealthPort),
			"requestPath": pulumi.String("/healthz"),
		},
		Tags: m.tags,
	}, m.parent, pulumi.DependsOn([]pulumi.Resource{joined}), pulumi.DeletedWith(vm))
}
