package sources

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// resource returns a resource of a state in JSON, below a parent.
func resource(kind, name, parent, more string) string {
	return fmt.Sprintf(`{"urn": "urn:pulumi:s::p::%s::%s", "type": "%[1]s", "custom": true, "parent": %[3]q%[4]s}`,
		kind, name, parent, more)
}

func urnOf(kind, name string) string { return "urn:pulumi:s::p::" + kind + "::" + name }

const aks = "azure-native:containerservice:ManagedCluster"

func stateOf(t *testing.T, resources ...string) *State {
	t.Helper()
	state, err := ReadState([]byte(`{"version": 3, "deployment": {"resources": [`+strings.Join(resources, ",")+"]}}"),
		"state")
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func TestResourcesThatAreEachOthersParentBelongToNoComponent(t *testing.T) {
	t.Parallel()
	const id = `, "id": "/clusters/a", "outputs": {"agentPoolProfiles": [{"name": "p", "osType": "Linux", ` +
		`"osSKU": "Ubuntu", "vmSize": "Standard_D2s_v5", "count": 1, "mode": "System"}]}`
	for name, tt := range map[string]struct {
		resources []string
		want      int
	}{
		"each other's parents": {[]string{
			resource(aks, "a", urnOf("t", "b"), id), resource("t", "b", urnOf("t", "c"), ""),
			resource("t", "c", urnOf("t", "b"), ""),
		}, 1},
		"its own parent":               {[]string{resource(aks, "a", urnOf(aks, "a"), id)}, 1},
		"a parent that does not exist": {[]string{resource(aks, "a", urnOf("t", "b"), id)}, 1},
		"below a component": {[]string{
			resource(aks, "a", urnOf("t", "b"), id), resource("t", "b", urnOf("component", "c"), ""),
			resource("component", "c", urnOf("t", "b"), ""),
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			components := []described{{urn: urnOf("component", "c")}, {urn: ""}}
			if got := len(stateOf(t, tt.resources...).onAKS(components)); got != tt.want {
				t.Errorf("%d clusters, want %d", got, tt.want)
			}
		})
	}
}

func TestEachResourceIsWalkedOverOnce(t *testing.T) {
	t.Parallel()
	const n = 2000
	var resources []string
	for i := range n {
		resources = append(resources, resource("t", strconv.Itoa(i), urnOf("t", strconv.Itoa(i+1)), ""))
	}
	a := stateOf(t, resources...).ancestry(nil)
	if a.isBelow(urnOf("t", "0")) || len(a.below) != n+1 {
		t.Fatalf("%d resources met, want %d", len(a.below), n+1)
	}
	for i := range n + 1 {
		urn := urnOf("t", strconv.Itoa(i))
		if below, known := a.below[urn]; below || !known {
			t.Fatalf("%s: known %t, below %t", urn, known, below)
		}
	}
}

func TestPoolsBelongToTheClusterOfTheirID(t *testing.T) {
	t.Parallel()
	const pool = "azure-native:containerservice:AgentPool"
	clusters := stateOf(t,
		resource(aks, "a", "", `, "id": "/Clusters/A"`), resource(aks, "b", "", `, "id": "/clusters/ab"`),
		resource(pool, "one", "", `, "id": "/clusters/a/agentPools/one"`),
		resource(pool, "two", "", `, "id": "/clusters/ab/agentpools/two"`),
		resource(pool, "none", "", `, "id": "/clusters/a/other/none"`), resource(pool, "no id", "", ""),
		resource("t", "other", "", `, "id": "/clusters/a/agentPools/other"`)).onAKS(nil)
	var got []string
	for _, c := range clusters {
		for _, p := range c.pools {
			got = append(got, c.cluster.ResourceName()+" "+p.ResourceName())
		}
	}
	if text := strings.Join(got, ", "); text != "a one, b two" {
		t.Errorf("got %s", text)
	}
}

// A name that is not a text does not fail the command.
func TestPoolsWithoutAName(t *testing.T) {
	t.Parallel()
	clusters := stateOf(t,
		resource(aks, "a", "", `, "id": "/clusters/a", "outputs": {"agentPoolProfiles": [{"name": {}}]}`),
		resource("azure-native:containerservice:AgentPool", "one", "",
			`, "id": "/clusters/a/agentPools/one", "outputs": {"name": ["one"]}`)).onAKS(nil)
	const want = `state: the AKS cluster a: pools[0].name: Required value: name the pool, for example win22`
	if err := clusters[0].describe().err; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
