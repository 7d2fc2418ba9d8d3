package azurenative

import (
	"context"
	"errors"
	"testing"

	p "github.com/pulumi/pulumi-go-provider"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// Source: newResponseError in
// https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/azure/client_azcore.go, and the resulting
// texts for AKS in https://github.com/pulumi/pulumi-azure-native/issues/4206.
func TestErrorsMatchAzureNative(t *testing.T) {
	t.Parallel()
	const pool, network = cluster + "/agentPools/win", group + "/providers/Microsoft.Network/virtualNetworks/net"
	refused := &arm.Error{Status: 400, Code: "BadRequest", Message: `the "name" is wrong`}
	targeted := &arm.Error{Status: 400, Code: "InvalidParameter", Message: "no", Target: "agentPoolProfile.count"}
	for _, x := range []struct {
		name, id string
		err      error
		want     string
	}{
		{
			name: "AKS has no envelope", id: cluster, err: refused,
			want: `Status=400 Code="BadRequest" Message="{
  "code": "BadRequest",
  "details": null,
  "message": "the \"name\" is wrong",
  "subcode": ""
 }"`,
		},
		{
			name: "nor about pools", id: pool, err: targeted,
			want: `Status=400 Code="InvalidParameter" Message="{
  "code": "InvalidParameter",
  "details": null,
  "message": "no",
  "subcode": "",
  "target": "agentPoolProfile.count"
 }"`,
		},
		{
			name: "others have one", id: network, err: refused,
			want: `Status=400 Code="BadRequest" Message="the "name" is wrong"`,
		},
		{
			name: "Azure Resource Manager has one", id: cluster,
			err:  &arm.Error{Status: 404, Code: "ResourceGroupNotFound", Message: "no"},
			want: `Status=404 Code="ResourceGroupNotFound" Message="no"`,
		},
		{
			name: "an operation that failed has one", id: cluster,
			err:  &arm.Error{Status: 200, Code: "InternalOperationError", Message: "no"},
			want: `Status=200 Code="InternalOperationError" Message="no"`,
		},
		{name: "an error that is not Azure's", id: cluster, err: errors.New("no"), want: "no"},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			if have := failure(x.id, x.err).Error(); have != x.want {
				t.Errorf("it says %s, want %s", have, x.want)
			}
		})
	}
}

// silentCloud fails all GET requests.
type silentCloud struct{ *fakeCloud }

func (silentCloud) Get(context.Context, string) (arm.Body, error) {
	return nil, &arm.Error{Status: 500, Code: "InternalServerError", Message: "no"}
}

// Source: CanCreate in the same file.
func TestAResourceThatCannotBeReadIsNotCreated(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	for id, x := range map[string]struct {
		token, body string
		inputs      object
	}{
		group: {
			"azure-native:resources:ResourceGroup", `{"error":{"code":"InternalServerError","message":"no"}}`,
			object{"resourceGroupName": "rg", "location": "westeurope"},
		},
		cluster: {clusterToken, `{
  "code": "InternalServerError",
  "details": null,
  "message": "no",
  "subcode": ""
 }`, object{"resourceGroupName": "rg", "resourceName": "c", "location": "westeurope"}},
	} {
		_, err := newServer(t, silentCloud{cloud}).Create(
			p.CreateRequest{Urn: urnOf(x.token), Properties: props(x.inputs)})
		want := "cannot check existence of resource '" + id + "': status code 500, " + x.body
		if err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
	if len(cloud.puts) > 0 {
		t.Errorf("it was sent: %v", cloud.puts)
	}
}
