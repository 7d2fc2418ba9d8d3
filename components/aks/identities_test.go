package aks_test

import (
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

const (
	usersIdentity    = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/"
	assignmentType   = "azure-native:authorization:RoleAssignment"
	clusterComponent = "mixedkube:aks:Cluster"
)

// withRoles returns a program with a cluster, and with a role for each of its two identities.
func withRoles(change func(*aks.ClusterArgs)) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		c, err := aks.NewCluster(ctx, "shop", small(change))
		if err != nil {
			return err
		}
		for name, principal := range map[string]pulumi.StringOutput{
			"pull": c.KubeletIdentity.ObjectID, "join": c.IdentityPrincipalID,
		} {
			if err := ctx.RegisterResource(assignmentType, name, pulumi.Map{
				"principalId": principal, "scope": pulumi.String("/subscriptions/s"),
			}, &pulumi.CustomResourceState{}); err != nil {
				return err
			}
		}
		return nil
	}
}

// outputsOf returns the outputs of the component that Azure decides on.
func outputsOf(t *testing.T, graph *mocktest.Graph) map[string]any {
	t.Helper()
	all := mocktest.Plain(graph.MustGet(t, clusterComponent, "shop").Outputs)
	return map[string]any{
		"nodes": all["nodeResourceGroup"], "issuer": all["oidcIssuerURL"], "principal": all["identityPrincipalID"],
		"kubelet": all["kubeletIdentity"],
	}
}

func userAssigned(name string) func(*aks.ClusterArgs) {
	return func(a *aks.ClusterArgs) { a.Identity.UserAssignedID = pulumi.String(usersIdentity + name) }
}

func kubelet(name string) func(*aks.ClusterArgs) {
	return func(a *aks.ClusterArgs) {
		userAssigned("cluster")(a)
		a.Options = &containerservice.ManagedClusterArgs{
			IdentityProfile: containerservice.UserAssignedIdentityMap{
				"kubeletidentity": containerservice.UserAssignedIdentityArgs{
					ResourceId: pulumi.String(usersIdentity + name),
				},
			},
		}
	}
}

// more changes the first pool, which is inline in the cluster: the cluster changes in place.
func more(change func(*aks.ClusterArgs)) func(*aks.ClusterArgs) {
	return func(a *aks.ClusterArgs) {
		if change != nil {
			change(a)
		}
		a.Pools[0].Count = 5
	}
}

// calico replaces the cluster.
func calico(a *aks.ClusterArgs) { a.Network.Policy = aks.Calico }

func TestTheIdentitiesOfAClusterAreOutputs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args     func(*aks.ClusterArgs)
		identity string // in the outputs of azure-native
		resource string
	}{
		"its own": {
			nil, "",
			"/subscriptions/s/resourcegroups/MC_shop/providers/Microsoft.ManagedIdentity/userAssignedIdentities/" +
				"shop-agentpool",
		},
		"the user's": {
			userAssigned("cluster"), usersIdentity + "cluster",
			"/subscriptions/s/resourcegroups/MC_shop/providers/Microsoft.ManagedIdentity/userAssignedIdentities/" +
				"shop-agentpool",
		},
		"the user's, of the nodes too": {kubelet("nodes"), usersIdentity + "cluster", usersIdentity + "nodes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const unknown = mocktest.UnknownValue
			first := mocktest.MustRun(t, withRoles(tt.args), mocktest.Preview(), akstest.Azure())
			equal(t, "outputs before the cluster exists", map[string]any{
				"nodes": unknown, "issuer": unknown, "principal": unknown,
				"kubelet": map[string]any{"clientID": unknown, "objectID": unknown, "resourceID": unknown},
			}, outputsOf(t, first))

			earlier := mocktest.MustRun(t, withRoles(tt.args), akstest.Azure())
			want := akstest.Outputs(earlier.MustGet(t, clusterType, "shop-cluster")).Mappable()
			identity, profile := want["identity"].(map[string]any), want["identityProfile"].(map[string]any)
			if tt.identity != "" {
				identity = identity["userAssignedIdentities"].(map[string]any)[tt.identity].(map[string]any)
			}
			of := profile["kubeletidentity"].(map[string]any)
			outputs := map[string]any{
				"nodes": "MC_shop", "issuer": "https://oidc.example.com/shop", "principal": identity["principalId"],
				"kubelet": map[string]any{
					"clientID": of["clientId"], "objectID": of["objectId"], "resourceID": tt.resource,
				},
			}
			equal(t, "outputs", outputs, outputsOf(t, earlier))
			equal(t, "who pulls", of["objectId"], earlier.MustGet(t, assignmentType, "pull").Plain()["principalId"])
			equal(t, "who "+
				"joins", identity["principalId"], earlier.MustGet(t, assignmentType, "join").Plain()["principalId"])

			azure := akstest.Azure(akstest.Made(earlier)...)
			again := mocktest.MustRun(t, withRoles(tt.args), mocktest.Preview(), mocktest.After(earlier), azure)
			equal(t, "changes if nothing changes", "", again.Changes().String())
			equal(t, "outputs if nothing changes", outputs, outputsOf(t, again))

			// azure-native returns no identities in a preview of a change.
			changed := mocktest.MustRun(t, withRoles(more(tt.args)), mocktest.Preview(), mocktest.After(earlier), azure)
			equal(t, "changes if the first pool changes",
				"~ azure-native:containerservice:ManagedCluster \"shop-cluster\": update\n"+
					"    agentPoolProfiles[0].count: 3 → 5\n",
				changed.Changes().String())
			equal(t, "outputs if the first pool changes", outputs, outputsOf(t, changed))
		})
	}
}

// Another identity, or another cluster, has other IDs: a preview does not know them.
func TestAnotherIdentityIsNotKnownBeforeTheUpdate(t *testing.T) {
	t.Parallel()
	const unknown = mocktest.UnknownValue
	for name, tt := range map[string]struct {
		before, after      func(*aks.ClusterArgs)
		principal, kubelet bool // are known
	}{
		"of the cluster, from its own one":  {nil, userAssigned("cluster"), false, true},
		"of the cluster, to its own one":    {userAssigned("cluster"), nil, false, true},
		"of the cluster, another one":       {userAssigned("cluster"), userAssigned("other"), false, true},
		"of the cluster, in another case":   {userAssigned("cluster"), more(userAssigned("CLUSTER")), true, true},
		"of the nodes":                      {kubelet("nodes"), kubelet("others"), true, false},
		"of the nodes, from that of Azure":  {userAssigned("cluster"), kubelet("nodes"), true, false},
		"of a cluster in place of this one": {nil, calico, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unprotected := func(change func(*aks.ClusterArgs)) pulumi.RunFunc {
				return withRoles(func(a *aks.ClusterArgs) {
					a.Unprotected = true
					if change != nil {
						change(a)
					}
				})
			}
			earlier := mocktest.MustRun(t, unprotected(tt.before), akstest.Azure())
			graph := mocktest.MustRun(t, unprotected(tt.after), mocktest.Preview(), mocktest.After(earlier),
				akstest.Azure(akstest.Made(earlier)...))
			outputs := outputsOf(t, graph)
			of := outputs["kubelet"].(map[string]any)["objectID"]
			equal(t, "the principal is known", tt.principal, outputs["principal"] != any(unknown))
			equal(t, "the identity of the nodes is known", tt.kubelet, of != any(unknown))
		})
	}
}

func TestTheIdentityOfAnExistingClusterIsAnOutput(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		identity any
		want     string
	}{
		"its own": {map[string]any{"type": "SystemAssigned", "principalId": "p", "tenantId": "t"}, "p"},
		"the user's": {map[string]any{"type": "UserAssigned", "userAssignedIdentities": map[string]any{
			usersIdentity + "a": map[string]any{"principalId": "q", "clientId": "c"},
		}}, "q"},
		"a service principal": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, inExisting(nil), mocktest.Preview(),
				akstest.Azure(unmanaged(func(p map[string]any) { p["identity"] = tt.identity })))
			existing := graph.MustGet(t, "mixedkube:aks:ExistingCluster", "shop")
			equal(t, "the principal", tt.want, mocktest.Plain(existing.Outputs)["identityPrincipalID"])
		})
	}
}
