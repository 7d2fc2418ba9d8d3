package guard_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
)

// The guard takes the effect of Place into account, and adds nothing: a test sees the inputs of the program.
func TestUnderTheSDKsMocksPlaceIsTakenIntoAccount(t *testing.T) {
	t.Parallel()
	program := onePod("web", corev1.PodSpecArgs{
		Os: corev1.PodOSArgs{Name: pulumi.String("windows")}, Containers: container("shop.example/web:ltsc2022"),
	})
	found, mocks, err := mockedReport(guard.Args{Topology: mixed, Place: true}, program)
	if err != nil || len(found.Landings) != 1 || found.Landings[0].Text != "win22 (2 nodes)" {
		t.Errorf("placed: %v, %v", found.Landings, err)
	}
	if spec := mocks.inputs["web"]["spec"].ObjectValue(); spec["nodeSelector"].HasValue() {
		t.Errorf("the mocks have got %v", spec)
	}
	if _, _, err = mockedReport(guard.Args{Topology: mixed}, program); err == nil {
		t.Error("without Place the Pod passes")
	}
}

func TestUnderTheSDKsMocksClustersAreIdentifiedByTheirProviders(t *testing.T) {
	t.Parallel()
	other := mixed
	other.Pools = mixed.Pools[:2]
	args := guard.Args{Topology: mixed, Clusters: []guard.Cluster{{Provider: "old", Topology: other}}}
	found, _, err := mockedReport(args, func(ctx *pulumi.Context) error {
		provider := &pulumi.ProviderResourceState{}
		if err := ctx.RegisterResource("pulumi:providers:kubernetes", "old", nil, provider); err != nil {
			return err
		}
		b, err := newBox(ctx, "box", pulumi.Providers(provider))
		if err != nil {
			return err
		}
		if _, err := pod(ctx, "here", windows(nil)); err != nil {
			return err
		}
		_, err = pod(ctx, "there", windows(nil), pulumi.Parent(b))
		return err
	})
	if _, ok := errors.AsType[*guard.Error](err); !ok || len(found.Blocking()) == 0 {
		t.Fatalf("the error is %v", err)
	}
	for _, f := range found.Blocking() {
		if f.Cluster != "old" || nameIn(f.Resource) != "there" {
			t.Errorf("%s: %s in the cluster %q", f.Resource, f, f.Cluster)
		}
	}
}

func TestUnderTheSDKsMocksSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	_, _, err := mockedReport(guard.Args{}, onePod("web", windows(func(s *corev1.PodSpecArgs) {
		s.SecurityContext = corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
			RunAsUserName: pulumi.ToSecret(pulumi.String(`hunter2\a\b`)).(pulumi.StringOutput),
		}}
	})))
	if err == nil || strings.Contains(err.Error(), "hunter2") ||
		!strings.Contains(err.Error(), `runAsUserName: Invalid value: "[secret]"`) {
		t.Errorf("the error is %v", err)
	}
}

func TestUnderTheSDKsMocksAdvisoryStopsNothing(t *testing.T) {
	t.Parallel()
	args := guard.Args{EnforcementLevel: guard.Advisory, Ignore: []guard.Ignore{{Rules: []string{"MK102"}}}}
	found, _, err := mockedReport(args, twoMistakes)
	if err != nil || len(found.Blocking()) != 2 {
		t.Errorf("wrapped: %v, %d findings", err, len(found.Blocking()))
	}
	if diff := cmp.Diff(args.Ignore, found.UnusedIgnores); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
	if _, err := mocked(enforcing(args, twoMistakes)); err != nil {
		t.Errorf("not wrapped: %v", err)
	}
}

func TestUnderTheSDKsMocksEnforceRefusesInvalidArguments(t *testing.T) {
	t.Parallel()
	_, err := mocked(enforcing(guard.Args{KubernetesVersion: "latest"}, twoMistakes))
	if err == nil || !strings.Contains(err.Error(), `kubernetesVersion: Invalid value: "latest"`) {
		t.Errorf("the error is %v", err)
	}
	if _, isFinding := errors.AsType[*guard.Error](err); isFinding {
		t.Errorf("%v is the error of findings", err)
	}
}
