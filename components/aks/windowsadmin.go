package aks

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
)

// changeWindowsAdmin makes the changes of the Windows profile for which azure-native would replace the cluster: with a
// command of the Azure CLI, or with a finding that names the command to run. Azure does not return the password, so
// the stack's state has a digest of the password that the cluster was created with. It returns the resources that
// pools have to wait for.
func (c construction) changeWindowsAdmin(clusterArgs pulumi.Output) ([]pulumi.Resource, error) {
	admin := c.WindowsAdmin.plain()
	now := pulumi.ToSecret(pulumi.Map{
		adminPasswordDigest: c.password().ApplyT(func(password string) (string, error) {
			return passwordDigest(c.ClusterName, password)
		}).(pulumi.StringOutput),
		"settings": pulumi.String(plan.UpdateFlags(admin)),
	}).(pulumi.MapOutput)
	afterCluster := pulumi.DependsOn([]pulumi.Resource{c.cluster.Cluster})
	began, err := pulumi.NewStash(c.ctx, c.name+"-windows-admin", &pulumi.StashArgs{Input: now}, c.parent(),
		afterCluster,
		pulumi.IgnoreChanges([]string{"input"}), pulumi.Protect(!c.Unprotected))
	if err != nil {
		return nil, err
	}
	if c.existing.found && !c.existing.HasWindowsProfile() {
		return nil, nil
	}
	if !c.AzureCLI {
		rotated := pulumi.Unsecret(pulumi.All(began.Output, now).ApplyT(func(values []any) bool {
			return differ(values[0], values[1], adminPasswordDigest)
		}))
		pulumi.All(rotated, c.cluster.ResourceGroupName).ApplyT(func(values []any) error {
			if rotated := values[0].(bool); !rotated {
				return nil
			}
			place := plan.Place{ResourceGroup: values[1].(string), Cluster: c.ClusterName}
			return refusal.Log(c.ctx, c.cluster.Cluster, c.suppressed(plan.CheckPasswordInAzure(admin, place)))
		})
		return nil, nil
	}

	// There is nothing to do as long as the profile has its first settings. After that, each change of the cluster
	// sends the first settings again.
	changed := pulumi.Unsecret(pulumi.All(began.Output, now).ApplyT(func(values []any) bool {
		return differ(values[0], values[1], adminPasswordDigest) || differ(values[0], values[1], "settings")
	})).(pulumi.BoolOutput)
	update, environment := run(plan.UpdateCommand(admin, c.place()), plan.GroupVariable, c.cluster.ResourceGroupName)
	create := changed.ApplyT(func(changed bool) string {
		// A cluster that is taken over in this run has the password already: the program sets it, and it cannot be
		// read from Azure.
		if (!c.existing.found || c.existing.IsUnmanaged()) && !changed {
			return string(doNothing)
		}
		return string(update)
	}).(pulumi.StringOutput)
	environment[afterVariable] = pulumi.All(changed, clusterArgs).ApplyT(func(values []any) (string, error) {
		if !values[0].(bool) {
			return "", nil
		}
		text, err := json.Marshal(values[1])
		sum := sha256.Sum256(text)
		return hex.EncodeToString(sum[:8]), err
	}).(pulumi.StringOutput)
	command, err := local.NewCommand(c.ctx, c.name+"-windows-admin-update", &local.CommandArgs{
		Create:      create,
		Update:      update,
		Stdin:       c.password().ToStringPtrOutput(),
		Environment: environment,
	}, c.parent(), afterCluster, onlyOnceCreated, c.retried())
	if err != nil {
		return nil, err
	}
	return []pulumi.Resource{command}, nil
}

// adminPasswordDigest is the key of the password's digest in the state.
const adminPasswordDigest = "adminPasswordDigest"

// digestIterations makes each guess cost milliseconds. A database of passwords would need more iterations, but the
// state is encrypted, the password has at least 14 characters, and each run of the program computes a digest.
const digestIterations = 50_000

// passwordDigest distinguishes passwords of a cluster without revealing them: anyone who decrypts the state still has
// to guess. Its salt is the name of the cluster, so that each run computes the same digest.
func passwordDigest(cluster, password string) (string, error) {
	salt := []byte("mixedkube windows administrator of " + cluster)
	key, err := pbkdf2.Key(sha256.New, password, salt, digestIterations, sha256.Size)
	return hex.EncodeToString(key), err
}

// differ reports whether a value differs from the one in the state. It returns false if either is unknown.
func differ(began, now any, key string) bool {
	before, ok := began.(map[string]any)
	after, known := now.(map[string]any)
	return ok && known && before[key] != after[key]
}
