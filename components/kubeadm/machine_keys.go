package kubeadm

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// replaceTimeout is how long a machine may take to restart its components one after the other, in
// seconds: each may take five minutes.
const replaceTimeout = 40 * 60

// keyReplacement is the name of the Run Command in Azure.
const keyReplacement = "replace-keys"

// newKeyReplacement gives a machine of the control plane the keys in use. It runs whenever these
// change, and does nothing if the machine has them already
// (https://learn.microsoft.com/azure/virtual-machines/linux/run-command-managed). The keys are
// encrypted for the machine like the settings of an extension.
//
// Azure never runs the same command again, not even one that has failed
// (https://github.com/Azure/run-command-handler-linux). So the number of the attempt is a
// parameter.
func (m machine) newKeyReplacement(
	ctx *pulumi.Context, vm *compute.VirtualMachine, payload pulumi.StringOutput, parent pulumi.ResourceOrInvokeOption,
	opts ...pulumi.ResourceOption,
) (pulumi.CustomResource, error) {
	attempt := pulumi.All(m.group, vm.Name).ApplyT(func(values []any) (string, error) {
		return m.attempt(ctx, values[0].(string), values[1].(string), parent)
	}).(pulumi.StringOutput)
	return compute.NewVirtualMachineRunCommandByVirtualMachine(ctx, m.resource+"-keys",
		&compute.VirtualMachineRunCommandByVirtualMachineArgs{
			ResourceGroupName: m.group,
			VmName:            vm.Name,
			RunCommandName:    pulumi.String(keyReplacement),
			Location:          m.location,
			Source: compute.VirtualMachineRunCommandScriptSourceArgs{
				Script: pulumi.String(bootstrap.KeysScript()),
			},
			Parameters: compute.RunCommandInputParameterArray{compute.RunCommandInputParameterArgs{
				Name: pulumi.String("MIXEDKUBE_ATTEMPT"), Value: attempt,
			}},
			ProtectedParameters: compute.RunCommandInputParameterArray{compute.RunCommandInputParameterArgs{
				Name: pulumi.String(bootstrap.KeysParameter), Value: payload,
			}},
			TimeoutInSeconds: pulumi.Int(replaceTimeout),
			// By default a script that fails would count as a success.
			TreatFailureAsDeploymentFailure: pulumi.Bool(true),
			Tags:                            m.tags,
		}, append(opts, parent, pulumi.DeletedWith(vm), pulumi.ReplaceWith([]pulumi.Resource{vm}),
			pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "60m", Update: "60m"}))...)
}

// attempt returns the number of the attempt. It is a new number if Azure has run the command and it
// has failed.
func (m machine) attempt(ctx *pulumi.Context, group, name string, parent pulumi.InvokeOption) (string, error) {
	found, err := compute.LookupVirtualMachineRunCommandByVirtualMachine(ctx,
		&compute.LookupVirtualMachineRunCommandByVirtualMachineArgs{
			ResourceGroupName: group, VmName: name, RunCommandName: keyReplacement,
		}, parent)
	switch {
	case err != nil && strings.Contains(err.Error(), "NotFound"):
		return plan.NextAttempt("", ""), nil
	case err != nil:
		return "", fmt.Errorf("looking for the Run Command %s of %s in Azure: %w", keyReplacement, name, err)
	}
	last := ""
	for _, parameter := range found.Parameters {
		last = parameter.Value
	}
	return plan.NextAttempt(last, found.ProvisioningState), nil
}

// replacement returns the keys in use, as the payload of a control plane machine's Run Command.
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
