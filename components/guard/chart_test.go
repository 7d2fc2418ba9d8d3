package guard_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/report"
)

const (
	releaseToken = "kubernetes:helm.sh/v3:Release"
	chartToken   = "kubernetes:helm.sh/v4:Chart"
)

const releaseMK581 = "warning shop: the objects that a Release deploys, including hooks, are not checked: " +
	"check it with `"

func TestAHelmReleaseIsReportedAsUnseen(t *testing.T) {
	t.Parallel()
	// Plain properties, because the package with the typed arguments of a Release takes long to compile.
	for command, args := range map[string]pulumi.Input{
		"helm template shop CHART | mixedkube check --topology CLUSTER.yaml -": &corev1.NamespaceArgs{},
		"mixedkube check --topology CLUSTER.yaml --release-name shop ./shop": pulumi.Map{
			"chart": pulumi.String("./shop"),
		},
		"helm template shop CHART --version 1.0.0 | mixedkube check --topology CLUSTER.yaml -": pulumi.Map{
			"chart": pulumi.ToSecret(pulumi.String("secret")), "version": pulumi.String("1.0.0"),
		},
	} {
		program := guarded(guard.Args{}, func(ctx *pulumi.Context) error {
			return ctx.RegisterResource(releaseToken, "shop", args, &pulumi.CustomResourceState{})
		})
		diffLogs(t, mocktest.MustRun(t, program, mocktest.Preview()), releaseMK581+command+"` (MK581)")
		diffLogs(t, mocktest.MustRun(t, program), releaseMK581+command+"` (MK581)")
	}
}

// helmChart registers a helm.v4.Chart in the same way as its SDK.
func helmChart(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) error {
	args := pulumi.Map{"chart": pulumi.String("./shop"), "namespace": pulumi.String("legacy")}
	return ctx.RegisterRemoteComponentResource(chartToken, name, args, &pulumi.ResourceState{}, opts...)
}

func TestTheHooksOfAChartAreReportedAsMissing(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{}, func(ctx *pulumi.Context) error { return helmChart(ctx, "shop") })
	const want = "info shop: the hooks of the chart, if it has any, are neither deployed nor checked: " +
		"see what they are with `mixedkube check --topology CLUSTER.yaml --release-name shop " +
		"--namespace legacy ./shop` (MK580)"
	diffLogs(t, mocktest.MustRun(t, program, mocktest.Preview()), want)
	diffLogs(t, mocktest.MustRun(t, program), want)
}

// webhook is a component of that type.
type webhook struct{ pulumi.ResourceState }

// The library knows the charts of its own components.
func TestTheChartOfAComponentHasNoHooks(t *testing.T) {
	t.Parallel()
	diffLogs(t, mocktest.MustRun(t, guarded(guard.Args{}, func(ctx *pulumi.Context) error {
		parent := &webhook{}
		if err := ctx.RegisterComponentResource("mixedkube:gmsa:Webhook", "webhook", parent); err != nil {
			return err
		}
		return helmChart(ctx, "webhook-chart", pulumi.Parent(parent))
	}), mocktest.Preview()))
}

func TestUnseenPartsOfChartsCanBeIgnored(t *testing.T) {
	t.Parallel()
	args := guard.Args{Ignore: []guard.Ignore{
		{Rules: []string{"MK580"}, Namespaces: []string{"legacy"}, Reason: "looked at"},
		{Rules: []string{"MK581"}, Resources: []string{"sh*"}},
	}}
	found, err := reported(t, args, func(ctx *pulumi.Context) error {
		if err := ctx.RegisterResource(releaseToken, "shop", nil, &pulumi.CustomResourceState{}); err != nil {
			return err
		}
		return helmChart(ctx, "web")
	}, mocktest.Preview())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found.Findings {
		got = append(got, f.Rule+" "+string(f.SuppressedBy)+" "+f.Resource)
	}
	want := []string{"MK581 ignore " + urns + releaseToken + "::shop", "MK580 ignore " + urns + chartToken + "::web"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	notChecked := []report.NotChecked{
		{Resource: urns + releaseToken + "::shop", Reason: "the objects that a Release deploys are not checked"},
	}
	if diff := cmp.Diff(notChecked, found.NotChecked); diff != "" || found.Objects != 0 {
		t.Errorf("%d objects, not checked (-want +got):\n%s", found.Objects, diff)
	}
}
