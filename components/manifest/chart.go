package manifest

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

const (
	chartToken = "mixedkube:manifest:Chart"
	helmType   = helmchart.ChartType
)

// ChartArgs are the arguments of [NewChart].
type ChartArgs struct {
	// Chart are the arguments of helm.v4.Chart, as usual. The field Chart in them is required. Name, the name of the
	// release, is the name of the component by default.
	Chart helmv4.ChartArgs `pulumi:"chart"`

	// Options are the options for the cluster for which the chart's objects are completed. The topology is required.
	Options

	// Images is the path of a lock file with facts about images, as looked up in their registries: see [images.Lock].
	// The component itself sends no request to a registry. The platform of an image that is not in the file follows
	// from the image's name. A relative path begins in the program's directory. The default is mixedkube.images.yaml,
	// if there is such a file.
	Images string `pulumi:"images,optional"`
}

// Chart is a Helm chart, completed for a mixed cluster.
type Chart struct {
	pulumi.ResourceState

	// Chart is the helm.v4.Chart.
	Chart *helmv4.Chart
	// Resources are the resources of the chart. The output fails if an object cannot be deployed, see [NewChart].
	Resources pulumi.ArrayOutput `pulumi:"resources"`
}

// NewChart deploys a Helm chart as helm.v4.Chart does, and completes each object that
// it renders before it is registered.
//
// The constructor returns the mistakes in the options as an error. Mistakes in the objects are known only when the
// provider has rendered them: Platforms that contradict an object, and the errors of package preflight about single
// objects. An object with such an error is not deployed, and the component's output Resources fails with all of these
// errors. This fails the preview; an update without a preview ends with the first such object, whose error the provider
// wraps. The output also fails for Platforms that match nothing. Under package guard, only guard reports the errors of
// package preflight: it shows each at its resource. Questions are logged at the chart.
//
// An alias of the type kubernetes:helm.sh/v4:Chart applies to the chart below the component, and so to all of the
// chart's objects: see docs/moving.md of the project. [pulumi.Timeouts] are for each object; without them, objects with
// pods on Windows have 30 minutes, as in package workload. Other options for a single resource have no effect: set them
// in a transform.
//
// The provider's own errors, for example about a chart that does not exist, are the same as for helm.v4.Chart. It
// deploys no hooks, and does not report that: NewChart, or package guard, reports it at the chart, with the command
// that shows them (rule MK580). A preview in which the chart's arguments are not known yet sees no objects.
func NewChart(ctx *pulumi.Context, name string, args *ChartArgs, opts ...pulumi.ResourceOption) (*Chart, error) {
	if args == nil {
		args = &ChartArgs{}
	}
	subject := fmt.Sprintf("%s %q", chartToken, name)
	split, errs := childoptions.Component{
		Token: chartToken, Name: name, PassesTimeouts: true,
		Others: []childoptions.Child{{Type: helmType, Name: name + "-chart", Component: true}},
	}.Split(opts)
	errs = append(errs, args.Validate(nil)...)
	if args.Chart.Chart == nil {
		errs = append(errs, field.Required(field.NewPath("chart", "chart"), "name the chart"))
	}
	lock, err := userfiles.Find(args.Images, images.DefaultFile, images.Decode)
	var others []fielderrors.At
	if err != nil {
		others = append(others, fielderrors.At{Path: "images", Err: imagesError(err)})
	}
	if err := fielderrors.Join(subject, errs, others...); err != nil {
		return nil, err
	}

	c := &Chart{}
	if err := ctx.RegisterComponentResource(chartToken, name, c, split.Component...); err != nil {
		return nil, err
	}
	if args.Chart.Name == nil {
		chart := args.Chart
		chart.Name = pulumi.String(name)
		args = &ChartArgs{Chart: chart, Options: args.Options}
	}
	if !refusal.Enforced(ctx) {
		properties, _ := input.Tree(args.Chart).(map[string]any)
		if err := noteHooks(ctx, c, helmchart.Check(helmType, name, properties, userfiles.Chart)); err != nil {
			return nil, err
		}
	}
	w := newWatcher(ctx, c, args.WithImages(lock), refusal.Enforced(ctx))
	w.timeouts = split.Timeouts
	chart, err := helmv4.NewChart(ctx, name+"-chart", &args.Chart, split.For(helmType, name+"-chart", pulumi.Parent(c),
		pulumi.Transforms([]pulumi.ResourceTransform{w.transform}))...)
	if err != nil {
		return nil, err
	}
	c.Chart = chart
	c.Resources = chart.Resources.ApplyT(func(resources []any) ([]any, error) {
		return resources, w.failure(subject)
	}).(pulumi.ArrayOutput)
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{"resources": c.Resources})
}

// noteHooks logs at the chart that its hooks are not deployed.
func noteHooks(ctx *pulumi.Context, chart pulumi.Resource, findings []rule.Finding) error {
	for _, f := range findings {
		if err := ctx.Log.Info(escape.Lines(f.String()), &pulumi.LogArgs{Resource: chart}); err != nil {
			return err
		}
	}
	return nil
}

// watched is the result of watching the objects of a chart.
type watched struct {
	mu sync.Mutex
	// keys are the keys of the objects with pods.
	keys     []string
	used     map[string]bool
	findings []Finding
	errs     []error
}

// failure returns all errors and blocking findings, or nil if there are none.
func (w *watcher) failure(subject string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []fielderrors.At
	for _, err := range slices.Concat(w.errs, blocking(w.findings)) {
		// The objects come in any order.
		all = append(all, fielderrors.At{Path: err.Error(), Err: err})
	}
	slices.Sort(w.keys)
	var missing field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(w.options.Platforms)) {
		if !w.used[key] {
			missing = append(missing, conversion.NoSuchObject(key, w.keys))
		}
	}
	return fielderrors.Join(subject, missing, all...)
}
