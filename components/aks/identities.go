package aks

import (
	"strings"
	"sync"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/components/stackstate"
)

// KubeletIdentity is the managed identity that the nodes of a cluster act as. Azure creates it with the cluster, unless
// the identityProfile of [ClusterArgs.Options] names one of yours
// (https://learn.microsoft.com/azure/aks/use-managed-identity#summary-of-managed-identities-used-by-aks).
//
// It is not known before the cluster exists. A preview of a change of the cluster knows it from the state of the stack,
// so role assignments stay.
type KubeletIdentity struct {
	// ClientID is the ID with which a program on a node selects the identity.
	ClientID pulumi.StringOutput `pulumi:"clientID"`
	// ObjectID is the ID of the identity in Microsoft Entra ID: the principal of a role assignment.
	ObjectID pulumi.StringOutput `pulumi:"objectID"`
	// ResourceID is the resource ID of the identity.
	ResourceID pulumi.StringOutput `pulumi:"resourceID"`
}

// setIdentities sets the outputs that Azure decides on.
func (c construction) setIdentities() {
	made, s := c.cluster.Cluster, stable{construction: c, read: sync.OnceValue(c.inState)}
	always := func(plan.InAzure, string) bool { return true }
	c.cluster.NodeResourceGroup = s.output(made.NodeResourceGroup.Elem(), nil, always, plan.InAzure.NodeResourceGroup)
	c.cluster.OIDCIssuerURL = s.output(made.OidcIssuerProfile.IssuerURL().Elem(), nil, always,
		plan.InAzure.OIDCIssuerURL)

	principal := made.Identity.ApplyT(func(i *containerservice.ManagedClusterIdentityResponse) string {
		return plan.InAzure{Properties: map[string]any{"identity": object(i)}}.IdentityPrincipalID()
	}).(pulumi.StringOutput)
	if c.ctx.RunningWithMocks() {
		principal = unlessRejected(c.ctx, principal)
	}
	c.cluster.IdentityPrincipalID = s.output(principal, c.Identity.UserAssignedID,
		func(a plan.InAzure, id string) bool {
			return c.identity() == nil || strings.EqualFold(a.UserAssignedID(), id)
		}, plan.InAzure.IdentityPrincipalID)

	kubelet := made.IdentityProfile.MapIndex(pulumi.String(plan.Kubelet))
	identity := func(now pulumi.StringPtrOutput, property string) pulumi.StringOutput {
		return s.output(now.Elem(), c.kubeletID(), func(a plan.InAzure, id string) bool {
			return id == "" || strings.EqualFold(a.KubeletIdentity("resourceId"), id)
		}, func(a plan.InAzure) string { return a.KubeletIdentity(property) })
	}
	c.cluster.KubeletIdentity = KubeletIdentity{
		ClientID:   identity(kubelet.ClientId(), "clientId"),
		ObjectID:   identity(kubelet.ObjectId(), "objectId"),
		ResourceID: identity(kubelet.ResourceId(), "resourceId"),
	}
}

// unlessRejected returns an output, or an empty string if the mocks of a test return something that is not one: mocks
// that return inputs return the user's identities as a list, and azure-native a map.
func unlessRejected(ctx *pulumi.Context, output pulumi.StringOutput) pulumi.StringOutput {
	none := pulumi.String("").ToStringOutput()
	return none.ApplyT(func(string) pulumi.StringOutput {
		if _, err := internals.UnsafeAwaitOutput(ctx.Context(), output); err != nil {
			return none
		}
		return output
	}).(pulumi.StringOutput)
}

// kubeletID returns the resource ID of the identity that the options set for the nodes; nil if they set none.
func (c construction) kubeletID() pulumi.StringInput {
	if c.Options == nil || c.Options.IdentityProfile == nil {
		return nil
	}
	return c.Options.IdentityProfile.ToUserAssignedIdentityMapOutput().ApplyT(
		func(profile map[string]containerservice.UserAssignedIdentity) string {
			if id := profile[plan.Kubelet].ResourceId; id != nil {
				return *id
			}
			return ""
		}).(pulumi.StringOutput)
}

// stable are outputs that a change of the cluster in place does not change. azure-native returns none of them in a
// preview of such a change. They would be unknown, and Pulumi would show that it replaces the role assignments that
// use them.
type stable struct {
	construction

	// read reads the cluster in the state, once.
	read func() map[string]properties
}

// properties are those outputs of a resource in the state that [plan.InAzure] reads here.
type properties struct {
	Identity          any `pulumi:"identity"`
	IdentityProfile   any `pulumi:"identityProfile"`
	NodeResourceGroup any `pulumi:"nodeResourceGroup"`
	OIDCIssuerProfile any `pulumi:"oidcIssuerProfile"`
}

// inState returns the resources in the state of the stack, by URN. There are none if the state cannot be read: then
// the outputs are unknown, as azure-native's are.
func (c construction) inState() map[string]properties {
	state, err := stackstate.Read[properties](c.ctx)
	if err != nil {
		return nil
	}
	return state
}

// output returns an output of the cluster. If it is not known in a preview, and the cluster is not created or replaced,
// the output is what the state has, as long as the argument that decides on it stays. The argument is nil if none does.
func (s stable) output(
	now pulumi.StringOutput, argument pulumi.StringInput, stays func(plan.InAzure, string) bool,
	had func(plan.InAzure) string,
) pulumi.StringOutput {
	if !s.ctx.DryRun() || s.ctx.RunningWithMocks() {
		return now
	}
	if argument == nil {
		argument = pulumi.String("")
	}
	made := s.cluster.Cluster
	// The ID is not known if the cluster is created or replaced.
	before := pulumi.All(made.URN(), argument, made.ID()).ApplyT(func(values []any) pulumi.StringOutput {
		p := s.read()[string(values[0].(pulumi.URN))]
		a := plan.InAzure{Properties: map[string]any{
			"identity": p.Identity, "identityProfile": p.IdentityProfile,
			"nodeResourceGroup": p.NodeResourceGroup, "oidcIssuerProfile": p.OIDCIssuerProfile,
		}}
		if text := had(a); text != "" && stays(a, values[1].(string)) {
			return pulumi.String(text).ToStringOutput()
		}
		return now
	}).(pulumi.StringOutput)
	return pulumi.String("").ToStringOutput().ApplyT(func(string) (pulumi.StringOutput, error) {
		result, err := internals.UnsafeAwaitOutput(s.ctx.Context(), now)
		if err != nil || result.Known || result.Secret {
			return now, err
		}
		return before, nil
	}).(pulumi.StringOutput)
}
