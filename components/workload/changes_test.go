package workload_test

import (
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

// The changes that docs/moving.md describes, and other changes of a workload.
func TestEffectsOfWorkloadChanges(t *testing.T) {
	t.Parallel()
	const (
		urn  = "urn:pulumi:stack::project::"
		nano = "mcr.microsoft.com/windows/nanoserver:"
	)
	spec := func(app, image string) appsv1.DeploymentSpecArgs {
		labels := pulumi.StringMap{"app": pulumi.String(app)}
		return appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{
					Os:               corev1.PodOSArgs{Name: pulumi.String("windows")},
					RuntimeClassName: pulumi.String("windows-2022"),
					Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name:  pulumi.String("web"),
						Image: pulumi.String(nano + image),
					}},
				},
			},
		}
	}
	plain := func(options ...pulumi.ResourceOption) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := appsv1.NewDeployment(ctx, "web",
				&appsv1.DeploymentArgs{Spec: spec("web", "ltsc2022")}, options...)
			return err
		}
	}
	component := func(app, image string, options ...pulumi.ResourceOption) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
				Platform: platform.WindowsServer2022, Spec: spec(app, image),
			}, options...)
			return err
		}
	}
	below := pulumi.Aliases([]pulumi.Alias{{
		Name: pulumi.String("web-deployment"), ParentURN: pulumi.URN(urn + "mixedkube:workload:Deployment::web"),
	}})
	moved := pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("kubernetes:apps/v1:Deployment")}})
	for name, x := range map[string]struct {
		before, after pulumi.RunFunc
		want          string
	}{
		"in": {
			plain(), component("web", "ltsc2022", moved),
			`  kubernetes:apps/v1:Deployment "web-deployment": same, was ` + urn +
				`kubernetes:apps/v1:Deployment::web
+ mixedkube:workload:Deployment "web": create
`,
		},
		"out": {component("web", "ltsc2022"), plain(below), `  kubernetes:apps/v1:Deployment "web": same, was ` + urn +
			`mixedkube:workload:Deployment$kubernetes:apps/v1:Deployment::web-deployment
- mixedkube:workload:Deployment "web": delete
`},
		"another image": {
			component("web", "ltsc2022"), component("web", "ltsc2022-amd64"),
			`~ kubernetes:apps/v1:Deployment "web-deployment": update
    spec.template.spec.containers[0].image: "` + nano + `ltsc2022" → "` + nano + `ltsc2022-amd64"
`,
		},
		"another selector": {
			component("web", "ltsc2022"), component("api", "ltsc2022"),
			`± kubernetes:apps/v1:Deployment "web-deployment": replace, the new one comes first
    spec.selector.matchLabels.app: "web" → "api"
    spec.template.metadata.labels.app: "web" → "api"
    because spec.selector.matchLabels.app: kubernetes replaces it for a change of spec.selector
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := mocktest.MustRun(t, x.before)
			graph := mocktest.MustRun(t, x.after, mocktest.Preview(), mocktest.After(earlier))
			if got := graph.Changes().String(); got != x.want {
				t.Errorf("changes\n%swant\n%s", got, x.want)
			}
		})
	}
}
