package arm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestTheStateOutlivesTheCloud(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustPut(t, cloud, winID, windowsPool(nil))
	again, err := Open(cloud.dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{groupID, clusterID, winID} {
		if before, after := mustGet(t, cloud, id), mustGet(t, again, id); !same(before, after) {
			t.Errorf("%s was\n%v, and is\n%v", id, before, after)
		}
	}
	// The answer shows that a password is set, even if it is not sent again.
	mustPut(t, again, clusterID, clusterBody(map[string]any{"windowsProfile.adminPassword": nil}))
	info, err := os.Stat(cloud.stateFile())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the state has mode %v: %v", info.Mode(), err)
	}
}

func TestInvalidStateIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "state.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, Options{})
	if want := "read the state of the simulated Azure in " + dir +
		"/state.json: unexpected end of JSON input"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestIDsAreCaseInsensitive(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	for _, id := range []string{
		strings.ToUpper(clusterID), strings.ToLower(clusterID),
		strings.Replace(clusterID, "resourceGroups", "resourcegroups", 1),
	} {
		id = strings.Replace(id, "SUBSCRIPTIONS", "subscriptions", 1)
		wantAt(t, mustGet(t, cloud, id), map[string]any{"id": shownID(clusterID), "name": "shop"})
	}
	wantAt(t, mustPut(t, cloud, strings.ToLower(systemID), linuxPool(map[string]any{"mode": "System", "count": 4})),
		map[string]any{"id": shownID(systemID)})
	wantAt(t, mustGet(t, cloud, systemID), map[string]any{"properties.count": 4.0})
}

func TestMalformedIDs(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	sub := "/subscriptions/" + subscription
	malformed := func(id string) *Error {
		return bad400("InvalidResourceId", "", "The resource ID '"+id+"' is invalid.")
	}
	for id, want := range map[string]*Error{
		"":                         malformed(""),
		"shop":                     malformed("shop"),
		"/":                        malformed("/"),
		sub:                        malformed(sub),
		groupID + "/":              malformed(groupID + "/"),
		groupID + "/providers":     malformed(groupID + "/providers"),
		groupID + "/providers/A/b": malformed(groupID + "/providers/A/b"),
		clusterID + "/agentPools":  malformed(clusterID + "/agentPools"),
		"/subscriptions/1/resourceGroups/rg": {
			Status: 404, Code: "SubscriptionNotFound",
			Message: "The subscription '1' could not be found.",
		},
		groupID + "/providers/Microsoft.Compute/disks/d": {
			Status: 404, Code: "InvalidResourceType",
			Message: "The resource type 'disks' could not be found in the namespace 'Microsoft.Compute'.",
		},
		clusterID + "/machines/m": {
			Status: 404, Code: "InvalidResourceType",
			Message: "The resource type 'managedClusters/machines' could not be found in the namespace " +
				"'Microsoft.ContainerService'.",
		},
		sub + "/providers/Microsoft.ContainerService/managedClusters/c": {
			Status: 404, Code: "InvalidResourceType",
			Message: "The resource type 'managedClusters' could not be found in the namespace " +
				"'Microsoft.ContainerService'.",
		},
	} {
		_, err := cloud.Get(t.Context(), id)
		wantError(t, err, want)
		_, err = cloud.Put(t.Context(), id, Body{})
		wantError(t, err, want)
		wantError(t, cloud.Delete(t.Context(), id), want)
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	wantAt(t, mustGet(t, cloud, groupID),
		map[string]any{
			"name": "rg", "type": "Microsoft.Resources/resourceGroups",
			"properties": Body{"provisioningState": "Succeeded"},
		})
	_, err := cloud.Put(t.Context(), groupID, Body{"location": "northeurope"})
	wantError(t, err, &Error{
		Status: 409, Code: "InvalidResourceGroupLocation",
		Message: "Invalid resource group location 'northeurope'. The Resource group already exists in location " +
			"'westeurope'.",
	})
	_, err = cloud.Get(t.Context(), groupID+"2")
	wantError(t, err, &Error{
		Status: 404, Code: "ResourceGroupNotFound",
		Message: "Resource group 'rg2' could not be found.",
	})
	wantError(t, cloud.Delete(t.Context(), groupID+"2"), &Error{
		Status: 404, Code: "ResourceGroupNotFound",
		Message: "Resource group 'rg2' could not be found.",
	})
	mustDelete(t, cloud, networkID)
}

func TestRoleAssignments(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	const role = "/subscriptions/" + subscription +
		"/providers/Microsoft.Authorization/roleDefinitions/4d97b98b-1d4f-4787-a291-c67834d212e7"
	principal := textAt(mustGet(t, cloud, clusterID), "identity.principalId")
	one, two := "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
	at := func(scope, name string) string {
		return scope + "/providers/Microsoft.Authorization/roleAssignments/" + name
	}
	body := func(principal, role string) Body {
		return Body{"properties": Body{
			"principalId": principal, "roleDefinitionId": role, "principalType": "ServicePrincipal",
		}}
	}
	answer := mustPut(t, cloud, at(groupID, one), body(principal, role))
	wantAt(t, answer, map[string]any{
		"name": one, "properties.scope": groupID,
		"type": "Microsoft.Authorization/roleAssignments",
	})
	mustPut(t, cloud, at(groupID, one), body(principal, role))
	mustPut(t, cloud, at(clusterID, two), body(principal, role))
	mustPut(t, cloud, at("/subscriptions/"+subscription, two), body(principal, role))
	mustPut(t, cloud, at(groupID+"/providers/Microsoft.ContainerRegistry/registries/r", two), body(principal, role))
	for name, c := range map[string]struct {
		id   string
		body Body
		want *Error
	}{
		"the same again": {
			at(groupID, two), body(principal, role),
			&Error{
				Status: 409, Code: "RoleAssignmentExists",
				Message: "The role assignment already exists. The ID of the existing role assignment is " +
					strings.ReplaceAll(one, "-", "") + ".",
			},
		},
		"another principal": {
			at(groupID, one), body(two, role),
			bad400("RoleAssignmentUpdateNotPermitted", "",
				"Tenant ID, application ID, principal ID, and scope are not allowed to be updated."),
		},
		"no GUID": {
			at(groupID, "mine"), body(principal, role),
			bad400("InvalidRoleAssignmentId", "",
				"The role assignment ID 'mine' is not valid. The role assignment ID must be a GUID."),
		},
		"no principal": {
			at(groupID, two), body("me", role),
			bad400("InvalidPrincipalId", "", "The principal ID 'me' is not valid. Principal ID must be a GUID."),
		},
		"no role": {
			at(groupID, two), body(principal, "Reader"),
			bad400("InvalidRoleDefinitionId", "", "The role definition ID 'Reader' is not valid."),
		},
		"a missing cluster": {
			at(clusterID+"2", two), body(principal, role),
			noCluster("shop2"),
		},
	} {
		t.Log(name)
		_, err := cloud.Put(t.Context(), c.id, c.body)
		wantError(t, err, c.want)
	}
	mustDelete(t, cloud, clusterID)
	_, err := cloud.Get(t.Context(), at(clusterID, two))
	wantError(t, err, &Error{
		Status: 404, Code: "RoleAssignmentNotFound",
		Message: "The role assignment '" + two + "' is not found.",
	})
}

// Microsoft Entra ID may take minutes to know a new identity: the cloud refuses what works in Azure only later.
func TestARoleOfANewIdentityNeedsThePrincipalType(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	identity := mustPut(t, cloud, groupID+"/providers/Microsoft.ManagedIdentity/userAssignedIdentities/me",
		Body{"location": "westeurope"})
	cluster := mustGet(t, cloud, clusterID)
	number := 0
	assign := func(principal string, more Body) (Body, error) {
		number++
		properties := Body{"principalId": principal, "roleDefinitionId": "/subscriptions/" + subscription +
			"/providers/Microsoft.Authorization/roleDefinitions/4d97b98b-1d4f-4787-a291-c67834d212e7"}
		apply(properties, more)
		return cloud.Put(t.Context(), fmt.Sprintf(
			"%s/providers/Microsoft.Authorization/roleAssignments/11111111-1111-4111-8111-%012d", groupID, number),
			Body{"properties": properties})
	}
	for _, principal := range []string{
		textAt(identity, "properties.principalId"), textAt(cluster, "identity.principalId"),
		textAt(cluster, "properties.identityProfile.kubeletidentity.objectId"),
	} {
		_, err := assign(principal, nil)
		wantError(t, err,
			bad400("PrincipalNotFound", "", "Principal "+strings.ReplaceAll(principal, "-", "")+" does not "+
				"exist in the directory "+tenant+". Check that you have the correct principal ID. If you are creating "+
				"this principal and then immediately assigning a role, this error might be related to a replication "+
				"delay. In this case, set the role assignment principalType property to a value, such as "+
				"ServicePrincipal, User, or Group.  See https://aka.ms/docs-principaltype"))
		if _, err := assign(principal, Body{"principalType": "ServicePrincipal"}); err != nil {
			t.Error(err)
		}
	}
	answer, err := assign("33333333-3333-4333-8333-333333333333", nil) // of another program
	if err != nil {
		t.Fatal(err)
	}
	wantAt(t, answer, map[string]any{"properties.principalType": "ServicePrincipal"})
}

// The ID and the tags are as in a recording of the Azure CLI, test_identity_management.yaml.
func TestIdentitiesHaveTheFieldsThatAzureAdds(t *testing.T) {
	t.Parallel()
	const rest = "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/me"
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, groupID+rest, Body{"location": "westeurope"})
	answer := mustGet(t, cloud, groupID+rest)
	wantAt(t, answer, map[string]any{
		"id":   "/subscriptions/" + subscription + "/resourcegroups/rg" + rest,
		"tags": Body{},
	})
	body := clusterBody(nil)
	body["identity"] = Body{"type": "UserAssigned", "userAssignedIdentities": Body{textAt(answer, "id"): Body{}}}
	mustPut(t, cloud, clusterID, body)
}

func TestRecreatedIdentityHasANewPrincipal(t *testing.T) {
	t.Parallel()
	cloud, id := emptyCloud(t, Options{}), groupID+"/providers/Microsoft.ManagedIdentity/userAssignedIdentities/me"
	first := mustPut(t, cloud, id, Body{"location": "westeurope"})
	wantAt(t, mustPut(t, cloud, id, Body{"location": "westeurope", "tags": Body{"a": "b"}}),
		map[string]any{"properties": first["properties"]})
	mustDelete(t, cloud, id)
	if again := mustPut(t, cloud, id, Body{"location": "westeurope"}); same(first["properties"], again["properties"]) {
		t.Errorf("the same principal: %v", again)
	}
}

func TestRequestsAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	other, err := Open(cloud.dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			use := []*Cloud{cloud, other}[i%2]
			id := fmt.Sprintf("%s/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id%d", groupID, i)
			if _, err := use.Put(t.Context(), id, Body{"location": "westeurope"}); err != nil {
				t.Error(err)
			}
			if i%3 == 0 {
				if err := use.Delete(t.Context(), id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for i := range 60 {
		_, err := cloud.Get(t.Context(),
			fmt.Sprintf("%s/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id%d", groupID, i))
		if (err != nil) != (i%3 == 0) {
			t.Errorf("id%d: %v", i, err)
		}
	}
	wantFiles(t, cloud.dir)
}

// otherProcess is the environment variable that makes this test binary the other process.
const otherProcess = "AZURE_TEST_DIRECTORY"

func TestProcessesAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	id := func(process, i int) string {
		return fmt.Sprintf("%s/providers/Microsoft.ManagedIdentity/userAssignedIdentities/p%d-%d", groupID, process, i)
	}
	if dir := os.Getenv(otherProcess); dir != "" {
		cloud, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			mustPut(t, cloud, id(os.Getpid(), i), Body{"location": "westeurope"})
		}
		return
	}
	cloud := emptyCloud(t, Options{})
	var all sync.WaitGroup
	var pids sync.Map
	for range 4 {
		all.Go(func() {
			process := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
			process.Env = append(os.Environ(), otherProcess+"="+cloud.dir)
			if out, err := process.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
				return
			}
			pids.Store(process.Process.Pid, true)
		})
	}
	all.Wait()
	pids.Range(func(pid, _ any) bool {
		for i := range 20 {
			mustGet(t, cloud, id(pid.(int), i))
		}
		return true
	})
}

func TestRequestsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	err := locked(cloud.dir, func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		_, err := cloud.Get(ctx, groupID)
		return err
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	mustGet(t, cloud, groupID)
}

func TestSecretsAreNotStored(t *testing.T) {
	t.Parallel()
	var seen []string
	cloud := emptyCloud(t, Options{Nodes: func(_ context.Context, pools []Pool) error {
		seen = append(seen, fmt.Sprintf("%+v", pools))
		return nil
	}})
	body := clusterBody(map[string]any{
		"servicePrincipalProfile": Body{"clientId": "11111111-1111-4111-8111-111111111111", "secret": password + "-sp"},
		"aadProfile":              Body{"managed": true, "serverAppSecret": password + "-aad"},
	})
	delete(body, "identity")
	answers := []any{
		mustPut(t, cloud, clusterID, body), mustPut(t, cloud, clusterID, body),
		mustGet(t, cloud, clusterID), mustPut(t, cloud, winID, windowsPool(nil)),
	}
	body["properties"].(Body)["dnsPrefix"] = "other"
	_, err := cloud.Put(t.Context(), clusterID, body)
	seen = append(seen, fmt.Sprint(answers...), err.Error())
	_, err = cloud.Put(t.Context(), clusterID,
		clusterBody(map[string]any{"windowsProfile.adminPassword": strings.ToLower(password[:13])}))
	seen = append(seen, err.Error())
	for _, file := range wantFiles(t, cloud.dir) {
		data, err := os.ReadFile(filepath.Join(cloud.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, string(data))
	}
	for _, text := range seen {
		if strings.Contains(strings.ToLower(text), strings.ToLower(password[:13])) {
			t.Errorf("a secret is in %s", text)
		}
	}
}

// wantFiles fails if a temporary file is left, and returns the names of the files.
func wantFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if strings.Join(names, " ") != "lock state.json" {
		t.Errorf("the directory has %v", names)
	}
	return names
}
