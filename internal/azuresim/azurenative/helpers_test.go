package azurenative

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/blang/semver"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/integration"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// fakeCloud stores the bodies of requests, except passwords, and adds what Azure adds.
type fakeCloud struct {
	mutex     sync.Mutex
	resources map[string]arm.Body
	puts      []arm.Body
	// refuse, if it returns an error, answers a PUT instead of the cloud. keep reports whether the resource exists
	// anyway.
	refuse func(id string, body arm.Body) (keep bool, err error)
	posted []string
}

func (c *fakeCloud) Put(_ context.Context, id string, body arm.Body) (arm.Body, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.puts = append(c.puts, body)
	keep, refusal := true, error(nil)
	if c.refuse != nil {
		keep, refusal = c.refuse(id, body)
	}
	if refusal != nil && !keep {
		return nil, refusal
	}
	stored := maps.Clone(body)
	stored["id"] = id
	parts := strings.Split(id, "/")
	stored["name"] = parts[len(parts)-1]
	stored["type"] = "Microsoft.Test/" + parts[len(parts)-2]
	below, _ := body["properties"].(map[string]any)
	below = maps.Clone(below)
	if below == nil {
		below = map[string]any{}
	}
	below["provisioningState"] = "Succeeded"
	if refusal != nil {
		below["provisioningState"] = "Failed"
	}
	if profile, ok := below["windowsProfile"].(map[string]any); ok {
		profile = maps.Clone(profile)
		delete(profile, "adminPassword")
		below["windowsProfile"] = profile
	}
	stored["properties"] = below
	c.resources[id] = stored
	return stored, refusal
}

func (c *fakeCloud) Get(_ context.Context, id string) (arm.Body, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if body, ok := c.resources[id]; ok {
		return body, nil
	}
	return nil, &arm.Error{Status: 404, Code: "ResourceNotFound", Message: "The Resource '" + id + "' was not found."}
}

func (c *fakeCloud) Delete(_ context.Context, id string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if _, ok := c.resources[id]; !ok {
		return &arm.Error{Status: 404, Code: "ResourceNotFound", Message: "gone"}
	}
	delete(c.resources, id)
	return nil
}

func (c *fakeCloud) Post(_ context.Context, id, action string, _ arm.Body) (arm.Body, error) {
	c.posted = append(c.posted, id+" "+action)
	return arm.Body{"kubeconfigs": []any{map[string]any{"name": "clusterUser", "value": "a3ViZQ=="}}}, nil
}

func newCloud() *fakeCloud {
	return &fakeCloud{resources: map[string]arm.Body{
		group: {"id": group, "name": "rg", "location": "westeurope"},
	}}
}

const (
	group   = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg"
	cluster = group + "/providers/Microsoft.ContainerService/managedClusters/c"
)

func newServer(t *testing.T, cloud armclient.Cloud) integration.Server {
	t.Helper()
	server, err := integration.NewServer(t.Context(), "azure-native", semver.MustParse(Version),
		integration.WithProvider(
			New(func() (*armclient.Client, error) { return armclient.New(cloud, 0), nil })))
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func urnOf(token string) urn.URN {
	return urn.URN("urn:pulumi:dev::project::" + token + "::web")
}

// props converts a Go map to inputs.
func props(object map[string]any) property.Map { return valueMap(object) }

// some returns the values of some keys, plain: unknown ones are "?", and secret ones have a mark.
func some(m property.Map, keys ...string) map[string]any {
	if len(keys) == 0 {
		for key := range m.All {
			keys = append(keys, key)
		}
	}
	shown := map[string]any{}
	for _, key := range keys {
		if v, ok := m.GetOk(key); ok {
			shown[key] = show(v)
		}
	}
	return shown
}

func show(v property.Value) any {
	switch {
	case v.IsComputed():
		return "?"
	case v.Secret():
		return map[string]any{"secret": show(v.WithSecret(false))}
	case v.IsMap():
		return some(v.AsMap())
	case v.IsArray():
		list := []any{}
		for _, e := range v.AsArray().All {
			list = append(list, show(e))
		}
		return list
	default:
		return plain(v)
	}
}

func reasons(failures []p.CheckFailure) []string {
	var all []string
	for _, f := range failures {
		all = append(all, f.Reason)
	}
	slices.Sort(all)
	return all
}
