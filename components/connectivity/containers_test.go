package connectivity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// recorded are the containers of a suite, for tests of another module, which run their commands.
type recorded struct {
	// Commands are different ones.
	Commands   [][]string
	Containers []recordedContainer
}

type recordedContainer struct {
	Pod, Name, Platform string
	// Command is the index of one of the commands.
	Command int
	Env     map[string]string
}

// onLoopback sets all addresses of a cluster to loopback addresses, which are available everywhere: platform number i
// has the pod 127.1.0.i on the node 127.2.0.i, behind the virtual address 127.3.0.i and the node port 30000+i.
func onLoopback(r mocktest.Resource) resource.PropertyMap {
	i := 1 + slices.IndexFunc(topology.PoolPlatforms(),
		func(p platform.Platform) bool { return strings.HasPrefix(r.Name, "net-"+p.String()) })
	address := func(kind int) string { return fmt.Sprintf("127.%d.0.%d", kind, i) }
	switch r.Type {
	case podType:
		return resource.NewPropertyMapFromMap(map[string]any{"status": map[string]any{
			"podIP":  address(1),
			"hostIP": address(2),
		}})
	case serviceType:
		return resource.NewPropertyMapFromMap(map[string]any{"spec": map[string]any{
			"clusterIP": address(3), "ports": []any{map[string]any{"port": 80, "nodePort": 30000 + i}},
		}})
	default:
		return nil
	}
}

// podSpec returns the spec of a Pod, or of the template of a Job.
func podSpec(r mocktest.Resource) map[string]any {
	spec := r.Plain()["spec"].(map[string]any)
	if template, ok := spec["template"].(map[string]any); ok {
		return template["spec"].(map[string]any)
	}
	return spec
}

func platformOf(spec map[string]any) string {
	selector := spec["nodeSelector"].(map[string]any)
	if build, ok := selector[topology.LabelWindowsBuild].(string); ok {
		p, _ := platform.ByBuild(build)
		return p.String()
	}
	return platform.Linux.String()
}

func TestTheContainers(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t,
		newSuite(&connectivity.SuiteArgs{
			Topology: four, Namespace: pulumi.String("shop"),
			RemotePodsFromWindowsNodes: true,
		}), mocktest.Outputs(onLoopback))
	var all recorded
	for _, r := range slices.Concat(graph.ByType(podType), graph.ByType(jobType)) {
		spec := podSpec(r)
		for _, c := range spec["containers"].([]any) {
			c := c.(map[string]any)
			var command []string
			for _, word := range c["command"].([]any) {
				command = append(command, word.(string))
			}
			number := slices.IndexFunc(all.Commands, func(other []string) bool { return slices.Equal(other, command) })
			if number < 0 {
				number = len(all.Commands)
				all.Commands = append(all.Commands, command)
			}
			one := recordedContainer{
				Pod: r.Name[:strings.LastIndexByte(r.Name, '-')], Name: c["name"].(string), Platform: platformOf(spec),
				Command: number, Env: map[string]string{},
			}
			for _, v := range c["env"].([]any) {
				v := v.(map[string]any)
				one.Env[v["name"].(string)] = v["value"].(string)
			}
			all.Containers = append(all.Containers, one)
		}
	}
	if len(all.Commands) != 4 {
		t.Errorf("%d different commands, want a server and a check for each system", len(all.Commands))
	}
	golden.Equal(t, "testdata/containers.json", all.text(t))
}

// text returns one command or container a line.
func (r recorded) text(t *testing.T) string {
	t.Helper()
	return "{\n\"Commands\": [\n" + lines(t, r.Commands) + "],\n\"Containers\": [\n" + lines(t, r.Containers) + "]\n}\n"
}

func lines[T any](t *testing.T, values []T) string {
	t.Helper()
	var all []string
	for _, value := range values {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimSuffix(text.String(), "\n"))
	}
	return strings.Join(all, ",\n") + "\n"
}
