package guard_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kubernetes "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// rendering is a component of pulumi-kubernetes' SDK that gets its objects from the provider. This one does the same,
// because the packages of the SDK take minutes to compile.
type rendering struct {
	typ, call string
	// late delays an output
	late bool
}

var (
	configGroup = rendering{"kubernetes:yaml:ConfigGroup", "kubernetes:yaml:decode", false}
	configFile  = rendering{"kubernetes:yaml:ConfigFile", "kubernetes:yaml:decode", false}
	chartV3     = rendering{"kubernetes:helm.sh/v3:Chart", "kubernetes:helm:template", true}
	directory   = rendering{"kubernetes:kustomize:Directory", "kubernetes:kustomize:directory", true}
)

func (r rendering) register(ctx *pulumi.Context, name string) error {
	component := &pulumi.ResourceState{}
	if err := ctx.RegisterComponentResource(r.typ, name, component); err != nil {
		return err
	}
	if !r.late {
		return r.expand(ctx, name, component)
	}
	resources := pulumi.String(name).ToStringOutput().ApplyT(func(string) (int, error) {
		time.Sleep(100 * time.Millisecond) // until the guard has checked the program
		return 0, r.expand(ctx, name, component)
	})
	return ctx.RegisterResourceOutputs(component, pulumi.Map{"resources": resources})
}

func (r rendering) expand(ctx *pulumi.Context, name string, component pulumi.Resource) error {
	var answer struct {
		Result []map[string]any `pulumi:"result"`
	}
	text := struct {
		Text string `pulumi:"text"`
	}{name}
	if err := ctx.Invoke(r.call, &text, &answer, pulumi.Parent(component)); err != nil {
		return err
	}
	for _, object := range answer.Result {
		version, _ := object["apiVersion"].(string)
		if !strings.Contains(version, "/") {
			version = "core/" + version
		}
		kind, _ := object["kind"].(string)
		metadata, _ := object["metadata"].(map[string]any)
		child, _ := metadata["name"].(string)
		if err := ctx.RegisterResource("kubernetes:"+version+":"+kind, child, kubernetes.UntypedArgs(object),
			&pulumi.CustomResourceState{}, pulumi.Parent(component)); err != nil {
			return err
		}
	}
	return nil
}

func noObjects(call string) string {
	return "nothing is registered below it: the mock of " + call + ` must give the objects as "result"`
}

func TestUnderTheSDKsMocksObjectsThatNoMockRendersAreReported(t *testing.T) {
	t.Parallel()
	for mode, options := range map[string][]pulumi.RunOption{"an update": nil, "a preview": {dryRun}} {
		var found guard.Report
		_, err := mocked(guard.Program(func(ctx *pulumi.Context) error {
			if err := configGroup.register(ctx, "early"); err != nil {
				return err
			}
			if err := guard.Enforce(ctx, guard.Args{}); err != nil {
				return err
			}
			return errors.Join(configGroup.register(ctx, "group"), configFile.register(ctx, "file"),
				chartV3.register(ctx, "chart"), directory.register(ctx, "directory"))
		}, guard.ReportTo(&found)), options...)
		if err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		got := notChecked(found)
		slices.Sort(got)
		if diff := cmp.Diff([]string{
			"chart: " + noObjects(chartV3.call), "directory: " + noObjects(directory.call),
			"early: was registered before guard.Enforce",
			"file: " + noObjects(configFile.call), "group: " + noObjects(configGroup.call),
		}, got); diff != "" {
			t.Errorf("%s: not checked (-want +got):\n%s", mode, diff)
		}
		if len(found.Problems) != 1 || found.Problems[0].Error() != partly {
			t.Errorf("%s: problems: %v", mode, found.Problems)
		}
	}
}

func TestUnderTheSDKsMocksRenderedObjectsAreChecked(t *testing.T) {
	t.Parallel()
	// The last ones of many are still checked when the program has nothing else to wait for.
	const each = 50
	var want []string
	answer := func(name string) resource.PropertyMap {
		var pods []any
		for i := range each {
			numbered := fmt.Sprintf("%s-%d", name, i)
			want = append(want, numbered+": "+hostPID)
			pods = append(pods, map[string]any{
				"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": numbered},
				"spec": map[string]any{
					"os": map[string]any{"name": "windows"}, "hostPID": true,
					"nodeSelector": map[string]any{"kubernetes.io/os": "windows"},
					"containers":   []any{map[string]any{"name": "main", "image": "shop.example/web:1"}},
				},
			})
		}
		return resource.NewPropertyMapFromMap(map[string]any{"result": pods})
	}
	answers := map[string]resource.PropertyMap{
		configGroup.call: answer("of-group"), chartV3.call: answer("of-chart"),
	}
	slices.Sort(want)
	for mode, options := range map[string][]pulumi.RunOption{"an update": nil, "a preview": {dryRun}} {
		var found guard.Report
		mocks := pulumi.WithMocks("project", "stack", &echo{answers: answers})
		err := pulumi.RunErr(guard.Program(enforcing(guard.Args{}, func(ctx *pulumi.Context) error {
			return errors.Join(configGroup.register(ctx, "group"), chartV3.register(ctx, "chart"))
		}), guard.ReportTo(&found)), append(options, mocks)...)
		if _, ok := errors.AsType[*guard.Error](err); !ok {
			t.Errorf("%s: the error is %v", mode, err)
		}
		got := findings(found)
		slices.Sort(got)
		if diff := cmp.Diff(want, got, golden.AnySentence); diff != "" {
			t.Errorf("%s: found (-want +got):\n%s", mode, diff)
		}
		// The chart was registered before its objects, and the report is from the end.
		if len(found.NotChecked) > 0 || len(found.Problems) > 0 {
			t.Errorf("%s: not checked: %v, problems: %v", mode, found.NotChecked, found.Problems)
		}
	}
}
