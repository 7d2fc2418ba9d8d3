package aks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// changeWindowsAdmin makes the changes of the Windows profile that azure-native would
// replace the cluster for: with a command of the Azure CLI, or by saying which
// command to run. What the cluster was made with is remembered in the stack's state.
// It returns what pools have to wait for.
func changeWindowsAdmin(
	ctx *pulumi.Context, name string, s clusterSpec, cluster *containerservice.ManagedCluster, group pulumi.StringInput,
	clusterArgs pulumi.Output, parent pulumi.ResourceOption,
) ([]pulumi.Resource, error) {
	now := pulumi.ToSecret(pulumi.Map{
		"adminPassword": s.password(),
		"settings":      pulumi.String(settings(s.WindowsAdmin)),
	}).(pulumi.MapOutput)
	began, err := pulumi.NewStash(ctx, name+"-windows-admin", &pulumi.StashArgs{Input: now}, parent,
		pulumi.IgnoreChanges([]string{"input"}))
	if err != nil {
		return nil, err
	}
	changed := pulumi.Unsecret(pulumi.All(began.Output, now).ApplyT(func(values []any) []string {
		return changes(values[0], values[1])
	})).(pulumi.StringArrayOutput)

	update := pulumi.Sprintf(`az aks update --resource-group "%s" --name "%s" --windows-admin-password @- %s --yes --output none`,
		group, s.ClusterName, settings(s.WindowsAdmin))
	if !s.AzureCLI {
		if ctx.DryRun() {
			pulumi.All(changed, update).ApplyT(func(values []any) error {
				changed, command := values[0].([]string), values[1].(string)
				if len(changed) == 0 {
					return nil
				}
				return ctx.Log.Warn(fmt.Sprintf("windowsAdmin: %s changed since the cluster was made, which Pulumi could only do by replacing it: "+
					"run printf %%s \"$WINDOWS_PASSWORD\" | %s, again after each later change of the cluster; "+
					"or set azureCLI, and the program does it", strings.Join(changed, " and "), command), &pulumi.LogArgs{Resource: cluster})
			})
		}
		return nil, nil
	}

	// Nothing to do as long as the cluster is as it was made. After that, each
	// change of the cluster sends what it was made with again.
	create := pulumi.All(changed, update).ApplyT(func(values []any) string {
		if len(values[0].([]string)) == 0 {
			return doNothing
		}
		return values[1].(string)
	}).(pulumi.StringOutput)
	after := pulumi.All(changed, clusterArgs).ApplyT(func(values []any) (string, error) {
		if len(values[0].([]string)) == 0 {
			return "", nil
		}
		text, err := json.Marshal(values[1])
		sum := sha256.Sum256(text)
		return hex.EncodeToString(sum[:8]), err
	}).(pulumi.StringOutput)
	command, err := local.NewCommand(ctx, name+"-windows-admin-update", &local.CommandArgs{
		Create:      create,
		Update:      update,
		Stdin:       s.password().ToStringPtrOutput(),
		Environment: pulumi.StringMap{"MIXEDKUBE_AFTER": after},
	}, parent, pulumi.DependsOn([]pulumi.Resource{cluster}))
	if err != nil {
		return nil, err
	}
	return []pulumi.Resource{command}, nil
}

// settings are the flags of the Azure CLI for all but the password. The rules let
// nothing through that a shell would take for more than text.
func settings(admin WindowsAdmin) string {
	flags := "--disable-ahub"
	if admin.LicenseType == WindowsServerLicense {
		flags = "--enable-ahub"
	}
	gmsa := admin.GMSA
	if !gmsa.Enabled {
		return flags + " --disable-windows-gmsa"
	}
	flags += " --enable-windows-gmsa"
	if gmsa.DNSServer != "" {
		flags += fmt.Sprintf(" --gmsa-dns-server %s --gmsa-root-domain-name %s", gmsa.DNSServer, gmsa.RootDomainName)
	}
	return flags
}

// changes says what differs, without showing any of it.
func changes(began, now any) []string {
	before, ok := began.(map[string]any)
	after, known := now.(map[string]any)
	if !ok || !known {
		return nil
	}
	var changed []string
	if before["adminPassword"] != after["adminPassword"] {
		changed = append(changed, "the password")
	}
	if before["settings"] != after["settings"] {
		changed = append(changed, "licence or gMSA")
	}
	return changed
}
