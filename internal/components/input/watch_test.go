package input_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// found has the arguments of a call that a watch makes.
type found struct {
	Path  string
	Known any
}

func TestWatch(t *testing.T) {
	t.Parallel()
	text := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	pods := pulumicorev1.PodSpecArgs{
		Os:       pulumicorev1.PodOSPtr(&pulumicorev1.PodOSArgs{Name: text("windows")}),
		NodeName: text("node"),
		NodeSelector: pulumi.StringMap{
			"disk": text("ssd"), "zone": pulumi.String("a"), "none": nil,
			"key": pulumi.ToSecret(text("s3cret")).(pulumi.StringOutput),
		},
		Tolerations: pulumicorev1.TolerationArray{tolerationArgs("a"), tolerationArgs("b").ToTolerationOutput()},
		SecurityContext: pulumicorev1.PodSecurityContextArgs{
			WindowsOptions: pulumicorev1.WindowsSecurityContextOptionsArgs{
				RunAsUserName: pulumi.String("me"), HostProcess: pulumi.Bool(true),
			},
		}.ToPodSecurityContextPtrOutput(),
		RuntimeClassName: pulumi.UnsafeUnknownOutput(nil).
			ApplyT(func(any) *string { return nil }).(pulumi.StringPtrOutput),
		Hostname: pulumi.ToOutput(1).ApplyT(func(int) *string { return nil }).(pulumi.StringPtrOutput),
	}
	options := map[string]any{"runAsUserName": "me", "hostProcess": true}
	tests := []struct {
		name string
		path []string
		want []found
	}{
		{"an output at the path", []string{"os", "name"}, []found{{"os.name", "windows"}}},
		{
			"the outputs below the path, one of them secret",
			[]string{"nodeSelector"},
			[]found{{"nodeSelector.disk", "ssd"}, {"nodeSelector.key", tree.Secret{Value: "s3cret"}}},
		},
		{"one in a list", []string{"tolerations"}, []found{{"tolerations.1", toleration("b")}}},
		{
			"the part of an output above the path",
			[]string{"securityContext", "windowsOptions", "runAsUserName"},
			[]found{{"securityContext.windowsOptions.runAsUserName", "me"}},
		},
		{
			"no value in an output above the path",
			[]string{"securityContext", "runAsUser"},
			[]found{{"securityContext.runAsUser", nil}},
		},
		{"one that resolves to nil", []string{"hostname"}, []found{{"hostname", nil}}},
		{"one that stays unknown", []string{"runtimeClassName"}, nil},
		{"a missing value", []string{"affinity", "nodeAffinity"}, nil},
		{"a plain value", []string{"nodeSelector", "zone"}, nil},
		{"everything", nil, []found{
			{"hostname", nil},
			{"nodeName", "node"},
			{"nodeSelector.disk", "ssd"},
			{"nodeSelector.key", tree.Secret{Value: "s3cret"}},
			{"os.name", "windows"},
			{"securityContext", map[string]any{"windowsOptions": options}},
			{"tolerations.1", toleration("b")},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var got []found
			watched, err := input.Watch(pods, tt.path, func(path []string, known any) error {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, found{strings.Join(path, "."), known})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(input.Resolved(t.Context(), pods), input.Resolved(t.Context(), watched)); diff != "" {
				t.Errorf("the pods (-original +watched):\n%s", diff)
			}
			slices.SortFunc(got, func(a, b found) int { return strings.Compare(a.Path, b.Path) })
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the calls (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a field that does not exist", func(t *testing.T) {
		t.Parallel()
		_, err := input.Watch(pods, []string{"nodeSelectors", "disk"}, func([]string, any) error { return nil })
		if want := "there is no nodeSelectors: v1.PodSpecArgs has no such field"; err == nil || err.Error() != want {
			t.Errorf("the error is %v\nwant %s", err, want)
		}
	})
}

// An error fails the output, even if it is edited later, and shows no secret.
func TestAnErrorOfAWatchFailsTheOutput(t *testing.T) {
	t.Parallel()
	refuse := func(path []string, known any) error {
		return fmt.Errorf("%s: %q contradicts the platform", strings.Join(path, "."), known)
	}
	tests := []struct {
		name string
		os   pulumicorev1.PodOSPtrInput
		want string
	}{
		{
			"a text", pulumicorev1.PodOSArgs{Name: pulumi.String("linux")}.ToPodOSOutput(),
			`os.name: "linux" contradicts the platform`,
		},
		{
			"a secret",
			pulumi.ToSecret(
				pulumicorev1.PodOSArgs{Name: pulumi.String("linux")}.ToPodOSOutput(),
			).(pulumicorev1.PodOSOutput),
			`os.name: "[secret]" contradicts the platform`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pods, err := input.Watch(pulumicorev1.PodSpecArgs{Os: tt.os}, []string{"os", "name"}, refuse)
			if err != nil {
				t.Fatal(err)
			}
			pods, err = input.Edit(pods, []mutate.Edit{{Path: []string{"os", "name"}, Value: "windows"}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = internals.UnsafeAwaitOutput(t.Context(), pods.Os.(pulumi.Output))
			if err == nil || err.Error() != tt.want {
				t.Errorf("the output fails with %v\nwant %s", err, tt.want)
			}
		})
	}
}
