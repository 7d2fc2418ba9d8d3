package runtimeclass_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	nodev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Resources that depend on the classes wait for them, even if a platform has lost its last pool.
func TestReadyCanBeDependedOn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pools     []topology.Pool
		platforms []platform.Platform
		want      []resource.URN
	}{
		"all": {mixed, nil, []resource.URN{
			classURN + "windows-windows-2019", classURN + "windows-windows-2022", classURN + "windows-windows-2025",
		}},
		"some": {mixed, []platform.Platform{platform.WindowsServer2025, platform.WindowsServer2019}, []resource.URN{
			classURN + "windows-windows-2019", classURN + "windows-windows-2025",
		}},
		"a platform without pools": {
			[]topology.Pool{linux, mixed[0]},
			[]platform.Platform{platform.WindowsServer2022, platform.WindowsServer2025},
			[]resource.URN{classURN + "windows-windows-2025"},
		},
		"only platforms without pools": {
			[]topology.Pool{linux}, []platform.Platform{platform.WindowsServer2022}, nil,
		},
		"no Windows": {[]topology.Pool{linux}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				set, err := runtimeclass.NewSet(ctx, "windows", ofPools(tt.pools...))
				if err != nil {
					return err
				}
				_, err = nodev1.NewRuntimeClass(ctx, "after", &nodev1.RuntimeClassArgs{Handler: pulumi.String("a")},
					pulumi.DependsOn(set.Ready(tt.platforms...)))
				return err
			})
			after, err := graph.Get(classType, "after")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, after.Dependencies); diff != "" {
				t.Errorf("what waits for the classes depends on (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAClassIsRetainedWithoutPools(t *testing.T) {
	t.Parallel()
	args := ofPools(linux, topology.Pool{
		Name: "win25", Platform: platform.WindowsServer2025, Untainted: true,
		Labels: map[string]string{topology.LabelPlatform: "windows-2025"},
	})
	args.ScaleFromZero = true
	args.Keep = []platform.Platform{platform.WindowsServer2025, platform.WindowsServer2022}
	got := map[string]any{}
	for _, class := range mocktest.MustRun(t, newSet(args)).ByType(classType) {
		got[class.Name] = class.Plain()["scheduling"]
	}
	want := map[string]any{
		// The pools of the platform decide, if there are any.
		"windows-windows-2025": map[string]any{"nodeSelector": map[string]any{
			"kubernetes.io/arch": "amd64", "kubernetes.io/os": "windows", "mixedkube.dev/platform": "windows-2025",
		}},
		"windows-windows-2022": map[string]any{
			"nodeSelector": selector("10.0.20348"),
			"tolerations":  []any{toleration("os", "windows", "NoSchedule")},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scheduling (-want +got):\n%s", diff)
	}
}

func TestKeepAcceptsOnlyWindowsPlatforms(t *testing.T) {
	t.Parallel()
	args := ofPools(linux)
	args.Keep = []platform.Platform{platform.WindowsServer2022, platform.Linux, platform.WindowsServer2016}
	_, err := mocktest.Run(newSet(args))
	const has = "has no class: remove it, or write the platform of Windows pools, such as windows-2022"
	want := `mixedkube:runtimeclass:Set "windows":
  keep[1]: Invalid value: "linux": ` + has + `
  keep[2]: Invalid value: "windows-2016": ` + has
	if err == nil {
		t.Fatalf("no error, want:\n%s", want)
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("the error (-want +got):\n%s", diff)
	}
}

func TestClassReplacesAnother(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newSet(ofPools(mixed...), pulumi.Aliases([]pulumi.Alias{
		{Type: pulumi.String(classType), Name: pulumi.String("windows-2022")},
	}), pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1m"})))
	got := map[string][]mocktest.Alias{}
	for _, class := range graph.ByType(classType) {
		for _, alias := range class.Aliases {
			if alias.Name != "" { // the SDK adds the others, for older versions
				got[class.Name] = append(got[class.Name], alias)
			}
		}
		if class.CustomTimeouts.Create != "1m" {
			t.Errorf("%s is created within %q, want 1m", class.Name, class.CustomTimeouts.Create)
		}
	}
	want := map[string][]mocktest.Alias{
		"windows-windows-2022": {{Name: "windows-2022", Type: classType, NoParent: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("aliases (-want +got):\n%s", diff)
	}
}
