package kubeadm

import (
	"encoding/base64"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/provided"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// machine is a virtual machine at a place, while it is being created.
type machine struct {
	plan.Machine
	place

	// resource is the prefix of the names of its resources; parent is their parent.
	resource string
	parent   pulumi.ResourceOption
}

func (m machine) extensionName() string { return m.resource + "-bootstrap" }

// newInterface creates the network interface of a machine. The program chooses the addresses of the
// control plane, because it must know them. Azure chooses the others, so that the address of a
// machine does not depend on which other machines exist.
func (m machine) newInterface(
	ctx *pulumi.Context, subnet pulumi.StringInput, backends []pulumi.StringOutput, opts ...pulumi.ResourceOption,
) (*network.NetworkInterface, error) {
	ip := network.NetworkInterfaceIPConfigurationArgs{
		Name:                      pulumi.String("machine"),
		Primary:                   pulumi.Bool(true),
		PrivateIPAllocationMethod: pulumi.String("Dynamic"),
		Subnet:                    network.SubnetTypeArgs{Id: input.Optional(subnet)},
	}
	if m.ControlPlane {
		ip.PrivateIPAllocationMethod = pulumi.String("Static")
		ip.PrivateIPAddress = pulumi.String(m.Address.String())
	}
	var pools network.BackendAddressPoolArray
	for _, id := range backends {
		pools = append(pools, network.BackendAddressPoolArgs{Id: id})
	}
	if pools != nil {
		ip.LoadBalancerBackendAddressPools = pools
	}
	return network.NewNetworkInterface(ctx, m.resource+"-interface", &network.NetworkInterfaceArgs{
		ResourceGroupName:    m.group,
		NetworkInterfaceName: pulumi.String(m.cluster + "-" + m.Name),
		Location:             m.location,
		EnableIPForwarding:   pulumi.Bool(m.forwards),
		IpConfigurations:     network.NetworkInterfaceIPConfigurationArray{ip},
		Tags:                 m.tags,
	}, append(opts, m.parent)...)
}

// addressOf returns the machine's own address. A preview treats the configuration of a new
// interface as known, but without its address, so the result waits for the ID.
func addressOf(ctx *pulumi.Context, i *network.NetworkInterface) pulumi.StringOutput {
	return pulumi.All(i.ID(), i.IpConfigurations).ApplyT(func(values []any) (string, error) {
		configurations := values[1].([]network.NetworkInterfaceIPConfigurationResponse)
		if len(configurations) == 0 || configurations[0].PrivateIPAddress == nil {
			return "", provided.Missing(ctx, i.PulumiResourceType(), "ipConfigurations[0].privateIPAddress")
		}
		return *configurations[0].PrivateIPAddress, nil
	}).(pulumi.StringOutput)
}

// newVirtualMachine creates the machine itself. Its administrator, customData and image stay as
// they were created, because Azure cannot change them, and its security too, because Azure changes
// it only while the machine is stopped. Besides, its node has joined.
func (m machine) newVirtualMachine(
	ctx *pulumi.Context, group *compute.VirtualMachineScaleSet, nic *network.NetworkInterface,
	customData pulumi.StringOutput,
	opts ...pulumi.ResourceOption,
) (*compute.VirtualMachine, error) {
	args := &compute.VirtualMachineArgs{
		ResourceGroupName: m.group,
		VmName:            pulumi.String(m.cluster + "-" + m.Name),
		Location:          m.location,
		HardwareProfile:   compute.HardwareProfileArgs{VmSize: pulumi.String(m.Pool.Size)},
		StorageProfile: compute.StorageProfileArgs{
			ImageReference: imageReference(m.Image),
			OsDisk:         osDisk(m.Pool),
		},
		OsProfile:       m.osProfile(customData),
		SecurityProfile: securityProfile(m.Security),
		NetworkProfile: compute.NetworkProfileArgs{NetworkInterfaces: compute.NetworkInterfaceReferenceArray{
			compute.NetworkInterfaceReferenceArgs{Id: nic.ID(), Primary: pulumi.Bool(true)},
		}},
		VirtualMachineScaleSet: compute.SubResourceArgs{Id: group.ID()},
		// The serial console needs it, which is the way in because no port is open.
		DiagnosticsProfile: compute.DiagnosticsProfileArgs{
			BootDiagnostics: compute.BootDiagnosticsArgs{Enabled: pulumi.Bool(true)},
		},
		Tags: m.tags,
	}
	if m.Zone != "" {
		args.Zones = pulumi.StringArray{pulumi.String(m.Zone)}
	}
	if m.Pool.Platform.IsWindows() {
		args.LicenseType = input.NonEmpty(m.windows.LicenseType)
	}
	if m.Pool.Spot {
		args.Priority = pulumi.String("Spot")
		args.EvictionPolicy = pulumi.String(evictionPolicy(m.Pool))
		args.BillingProfile = compute.BillingProfileArgs{MaxPrice: pulumi.Float64(vm.SpotMaxPrice(m.Pool.SpotMaxPrice))}
	}
	return compute.NewVirtualMachine(ctx, m.resource, args, append(opts, m.parent,
		pulumi.IgnoreChanges([]string{"osProfile", "securityProfile", "storageProfile.imageReference"}),
		// Two machines cannot have one interface.
		pulumi.DeleteBeforeReplace(true))...)
}

// evictionPolicy returns Delete for an ephemeral disk, because such a machine cannot be deallocated
// (https://learn.microsoft.com/azure/virtual-machines/ephemeral-os-disks).
func evictionPolicy(pool topology.Pool) string {
	if pool.OSDiskType == topology.EphemeralDisk {
		return "Delete"
	}
	return "Deallocate"
}

func imageReference(i plan.Image) compute.ImageReferenceArgs {
	return compute.ImageReferenceArgs{
		Id: input.NonEmpty(i.ID), Publisher: input.NonEmpty(i.Publisher), Offer: input.NonEmpty(i.Offer),
		Sku: input.NonEmpty(i.SKU), Version: input.NonEmpty(i.Version),
	}
}

func osDisk(pool topology.Pool) compute.OSDiskArgs {
	disk := compute.OSDiskArgs{
		CreateOption: pulumi.String("FromImage"),
		// Nothing on it outlives the machine.
		DeleteOption: pulumi.String("Delete"),
		ManagedDisk:  compute.ManagedDiskParametersArgs{StorageAccountType: pulumi.String("Premium_LRS")},
		Caching:      compute.CachingTypesReadWrite,
	}
	if pool.OSDiskSizeGB != 0 {
		disk.DiskSizeGB = pulumi.Int(pool.OSDiskSizeGB)
	}
	if pool.OSDiskType == topology.EphemeralDisk {
		disk.DiffDiskSettings = compute.DiffDiskSettingsArgs{Option: pulumi.String("Local")}
		// An ephemeral disk is a cache itself.
		disk.Caching = compute.CachingTypesReadOnly
		disk.ManagedDisk = compute.ManagedDiskParametersArgs{StorageAccountType: pulumi.String("Standard_LRS")}
	}
	return disk
}

func (m machine) osProfile(customData pulumi.StringOutput) compute.OSProfileArgs {
	encoded := customData.ApplyT(func(text string) string {
		return base64.StdEncoding.EncodeToString([]byte(text))
	}).(pulumi.StringOutput)
	profile := compute.OSProfileArgs{ComputerName: pulumi.String(m.Name), CustomData: encoded}
	if m.Pool.Platform.IsWindows() {
		profile.AdminUsername = pulumi.String(m.windows.Username)
		profile.AdminPassword = input.Optional(m.windows.Password)
		profile.WindowsConfiguration = windowsConfiguration(m.Patching)
		return profile
	}
	profile.AdminUsername = pulumi.String(m.linux.Username)
	profile.LinuxConfiguration = compute.LinuxConfigurationArgs{
		DisablePasswordAuthentication: pulumi.Bool(true),
		ProvisionVMAgent:              pulumi.Bool(true),
		PatchSettings:                 linuxPatchSettings(m.Patching),
		Ssh: compute.SshConfigurationArgs{PublicKeys: compute.SshPublicKeyTypeArray{compute.SshPublicKeyTypeArgs{
			Path:    pulumi.String("/home/" + m.linux.Username + "/.ssh/authorized_keys"),
			KeyData: input.Optional(m.linux.SSHPublicKey),
		}}},
	}
	return profile
}

// newScaleSet creates a group that machines are attached to, so that Azure spreads them over
// different racks; it creates no machines itself
// (https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-orchestration-modes).
func newScaleSet(
	ctx *pulumi.Context, name, role string, at place, zones []string, opts ...pulumi.ResourceOption,
) (*compute.VirtualMachineScaleSet, error) {
	args := &compute.VirtualMachineScaleSetArgs{
		ResourceGroupName:        at.group,
		VmScaleSetName:           pulumi.String(at.cluster + "-" + role),
		Location:                 at.location,
		OrchestrationMode:        pulumi.String("Flexible"),
		PlatformFaultDomainCount: pulumi.Int(1),
		SinglePlacementGroup:     pulumi.Bool(false),
		Tags:                     at.tags,
	}
	if len(zones) > 0 {
		args.Zones = pulumi.ToStringArray(zones)
	}
	return compute.NewVirtualMachineScaleSet(ctx, name+"-machines", args, opts...)
}

// newExtension creates an extension that runs a command or a script on a machine, once. Its
// settings are protected: Azure encrypts them for the machine. The secrets in them are encrypted a
// second time: see the package's documentation.
func (m machine) newExtension(
	ctx *pulumi.Context, vm *compute.VirtualMachine, settings pulumi.Map, opts ...pulumi.ResourceOption,
) (*compute.VirtualMachineExtension, error) {
	args := &compute.VirtualMachineExtensionArgs{
		ResourceGroupName:       m.group,
		VmName:                  vm.Name,
		VmExtensionName:         pulumi.String("bootstrap"),
		Location:                m.location,
		Publisher:               pulumi.String("Microsoft.Azure.Extensions"),
		Type:                    pulumi.String("CustomScript"),
		TypeHandlerVersion:      pulumi.String("2.1"),
		AutoUpgradeMinorVersion: pulumi.Bool(true),
		ProtectedSettings:       settings,
		Tags:                    m.tags,
	}
	if m.Pool.Platform.IsWindows() {
		args.Publisher = pulumi.String("Microsoft.Compute")
		args.Type = pulumi.String("CustomScriptExtension")
		args.TypeHandlerVersion = pulumi.String("1.10")
	}
	// The extension has run: with a new token, or new keys, it would only fail.
	return compute.NewVirtualMachineExtension(ctx, m.extensionName(), args, append(opts, m.parent,
		pulumi.IgnoreChanges([]string{"protectedSettings"}), pulumi.DeletedWith(vm))...)
}
