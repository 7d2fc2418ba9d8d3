package connectivity

import (
	"fmt"
	"slices"
	"time"

	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/parts"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

const suiteToken = "mixedkube:connectivity:Suite"

// Suite has the checks of a cluster, all of them passed.
type Suite struct {
	pulumi.ResourceState

	// Pods are the web servers that receive the requests, by their platform.
	Pods map[platform.Platform]*corev1.Pod
	// Services are in front of them.
	Services map[platform.Platform]*corev1.Service
	// Jobs are the checks, by pair: "linux-to-windows-2022" from a pod, "linux-node-to-windows-2022" from a node,
	// "linux-to-outside". Let a resource depend on them if it must not be deployed before the checks have passed.
	Jobs map[string]*batchv1.Job

	// Matrix has the results: the pair, as in Jobs, or the platform of a pod, then the check, then "ok". It is not
	// known before all checks have passed.
	Matrix pulumi.StringMapMapOutput `pulumi:"matrix"`
	// Table is the same as a text with several lines: export it, and show it with `pulumi stack output table`.
	Table pulumi.StringOutput `pulumi:"table"`
}

// NewSuite checks the connectivity of a mixed cluster, within the update that creates it: `pulumi up` fails with the
// pair and the check that failed, and succeeds when all have passed. The documentation of the package lists the checks.
// Pods and Services are named after the suite and the platform, Jobs after the suite and the pair.
//
// [pulumi.Timeouts] apply to each of them. By default they have 30 minutes, in which nodes pull the images, and
// args.TimeoutSeconds.
//
// The error lists all mistakes in the arguments, with field paths; nothing is registered then.
func NewSuite(ctx *pulumi.Context, name string, args *SuiteArgs, opts ...pulumi.ResourceOption) (*Suite, error) {
	if args == nil {
		args = &SuiteArgs{}
	}
	s := &suite{name: name, args: args.withDefaults()}
	subject := fmt.Sprintf("%s %q", suiteToken, name)
	split, errs := childoptions.Component{
		Token: suiteToken, Name: name, PassesTimeouts: true,
		// The checks begin once pods have started.
		Timeouts: childoptions.Start(childoptions.WindowsStart + time.Duration(s.args.TimeoutSeconds)*time.Second),
	}.Split(opts)
	s.timeouts = pulumi.Timeouts(&split.Timeouts)
	errs = slices.Concat(errs, checkName(name, field.NewPath("name")), s.args.check(), s.args.inputs(subject))
	if err := fielderrors.Join(subject, errs); err != nil {
		return nil, err
	}

	s.component = &Suite{
		Pods: map[platform.Platform]*corev1.Pod{}, Services: map[platform.Platform]*corev1.Service{},
		Jobs: map[string]*batchv1.Job{},
	}
	if err := ctx.RegisterComponentResource(suiteToken, name, s.component, split.Component...); err != nil {
		return nil, err
	}
	images, platforms := s.args.Images, inUse(s.args.Topology)
	if err := refusal.LogFacts(ctx, s.component, map[string]bool{
		"BusyBoxImage":     images.Linux == "" && slices.Contains(platforms, platform.Linux),
		"HostProcessImage": images.HostProcess == "" && slices.ContainsFunc(platforms, platform.Platform.IsWindows),
	}); err != nil {
		return nil, err
	}
	return s.component, s.newChildren(parts.Of(ctx))
}

// suite is a [Suite] that is being created.
type suite struct {
	name      string
	args      defaultedArgs
	timeouts  pulumi.ResourceOption
	component *Suite
}

func (s *suite) newChildren(ctx *pulumi.Context) error {
	platforms := inUse(s.args.Topology)
	pairs := plan(platforms, s.args.Skip, s.args.RemotePodsFromWindowsNodes)
	if note := leftOut(pairs); note != "" {
		if err := ctx.Log.Info(escape.Lines(note), &pulumi.LogArgs{Resource: s.component}); err != nil {
			return err
		}
	}
	targets := map[platform.Platform]target{}
	var done []any
	for _, p := range platforms {
		t, err := s.newTarget(ctx, p)
		if err != nil {
			return err
		}
		targets[p] = t
		s.component.Pods[p], s.component.Services[p] = t.pod, t.service
		done = append(done, t.pod.ID(), t.service.ID())
	}
	for _, p := range pairs {
		job, err := s.newJob(ctx, p, targets[p.target])
		if err != nil {
			return err
		}
		s.component.Jobs[p.name()] = job
		done = append(done, job.ID())
	}
	all := pulumi.All(done...)
	s.component.Matrix = all.ApplyT(func([]any) map[string]map[string]string {
		return matrix(platforms,
			pairs)
	}).(pulumi.StringMapMapOutput)
	s.component.Table = all.ApplyT(func([]any) string { return table(platforms, pairs) }).(pulumi.StringOutput)
	return ctx.RegisterResourceOutputs(s.component,
		pulumi.Map{"matrix": s.component.Matrix, "table": s.component.Table})
}
