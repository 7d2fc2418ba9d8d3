package kubeadm

import (
	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/kubeadm/pki"
)

// replaceTimeout is how long a machine may take to restart its components one after the other,
// in seconds: each may take five minutes.
const replaceTimeout = 40 * 60

// newKeyReplacement tells a machine of the control plane which keys are in use. It runs whenever
// these change, and does nothing where the machine has them
// (https://learn.microsoft.com/azure/virtual-machines/linux/run-command-managed). What is told is
// encrypted for the machine, as the settings of an extension are.
func (m machine) newKeyReplacement(
	ctx *pulumi.Context, vm *compute.VirtualMachine, payload pulumi.StringOutput, opts ...pulumi.ResourceOption,
) (pulumi.CustomResource, error) {
	return compute.NewVirtualMachineRunCommandByVirtualMachine(ctx, m.resource+"-keys",
		&compute.VirtualMachineRunCommandByVirtualMachineArgs{
			ResourceGroupName: m.group,
			VmName:            vm.Name,
			RunCommandName:    pulumi.String("replace-keys"),
			Location:          m.location,
			Source: compute.VirtualMachineRunCommandScriptSourceArgs{
				Script: pulumi.String(bootstrap.KeysScript()),
			},
			ProtectedParameters: compute.RunCommandInputParameterArray{compute.RunCommandInputParameterArgs{
				Name: pulumi.String(bootstrap.KeysParameter), Value: payload,
			}},
			TimeoutInSeconds: pulumi.Int(replaceTimeout),
			// Else a script that has failed would be a success.
			TreatFailureAsDeploymentFailure: pulumi.Bool(true),
			Tags:                            m.tags,
		}, append(opts, m.parent, pulumi.DeletedWith(vm),
			pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "60m", Update: "60m"}))...)
}

// replacement is what a machine of the control plane is told of the keys in use, for its Run
// Command.
func (k keys) replacement(m machine, options bootstrap.APIServerOptions) pulumi.StringOutput {
	return from(k, func(k pki.Keys) (string, error) {
		certificates, err := k.Certificates()
		if err != nil {
			return "", err
		}
		key := bootstrap.NewPayloadKey(k.PayloadKey(m.Name, m.ControlPlane))
		return bootstrap.KeysPayload(options, certificates, k.EncryptionKeys(), key)
	}).(pulumi.StringOutput)
}
