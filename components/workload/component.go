package workload

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/advice"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// templatePath is the path of the pod template in most kinds.
var templatePath = field.NewPath("spec", "template")

// common are the arguments that do not depend on the kind. Each kind declares them
// itself, so that a program writes them in one literal with the spec.
type common struct {
	platform       platform.Platform
	metadata       metav1.ObjectMetaPtrInput
	scheduling     Scheduling
	topology       topology.Topology
	user           User
	credentialSpec CredentialSpec
}

// component is a workload that is being created. Its methods are called in the order of this file.
type component struct {
	common

	kind, name string
	errs       field.ErrorList
	// landing is the log message about where the pods can land. It is empty if there is nothing to report.
	landing string
	// options are the options of the component and of its resource.
	options childoptions.Options
	// serviceAccount is the service account of the pods, nil for the default one.
	serviceAccount pulumi.StringPtrInput
}

// newComponent returns a component of a kind, whose resource has a type of its own.
func newComponent(kind, typ, name string, args common, opts []pulumi.ResourceOption) *component {
	if input.Missing(args.credentialSpec) {
		args.credentialSpec = nil
	}
	c := &component{common: args, kind: kind, name: name}
	self := childoptions.Component{
		Token: c.token(), Name: name, Timeouts: args.timeouts(),
		Main: childoptions.Child{Type: typ, Name: c.childName()},
	}
	if args.credentialSpec != nil {
		self.Others = []childoptions.Child{{Type: bindingType, Name: c.bindingName()}}
	}
	var wrong field.ErrorList
	c.options, wrong = self.Split(opts)
	c.errs = slices.Concat(wrong, args.validateCluster(), validateWindowsOnly(args))
	return c
}

// timeouts returns the default timeouts of the resource. Pulumi would prefer them to the object's own annotation, which
// therefore wins if it is a plain value.
func (a common) timeouts() pulumi.CustomTimeouts {
	_, annotated := tree.Map(tree.At(input.Tree(a.metadata), "annotations"))["pulumi.com/timeoutSeconds"]
	if annotated || !a.platform.IsWindows() {
		return pulumi.CustomTimeouts{}
	}
	return childoptions.Start(childoptions.WindowsStart)
}

func (c *component) childName() string { return c.name + "-" + strings.ToLower(c.kind) }

func (c *component) token() string { return "mixedkube:workload:" + c.kind }

// subject names the component in errors.
func (c *component) subject() string { return fmt.Sprintf("%s %q", c.token(), c.name) }

// template resolves a pod template to plain arguments, so that it can be completed.
func (c *component) template(in any, path *field.Path) corev1.PodTemplateSpecArgs {
	template, pods, errs := plainTemplate(in, path)
	c.errs = append(c.errs, errs...)
	c.pods(pods)
	template.Spec = pods
	return template
}

// pods stores the fields of the pods that are needed later.
func (c *component) pods(spec corev1.PodSpecArgs) {
	c.serviceAccount = spec.ServiceAccountName
	if input.Missing(c.serviceAccount) {
		c.serviceAccount = spec.ServiceAccount // the old name of the same field
	}
}

// complete returns the spec of the kind with the fields that its pods need. The error lists all mistakes in the
// arguments, including those in the completed spec.
func complete[Spec any](ctx *pulumi.Context, c *component, spec Spec) (Spec, error) {
	if len(c.errs) > 0 {
		return spec, fielderrors.Join(c.subject(), c.errs)
	}
	x := c.examination(ctx)
	object := map[string]any{"kind": c.kind, "metadata": input.Tree(c.metadata), "spec": input.Tree(spec)}
	workload := pods.ReadObject(object)
	// Fields with a mark are those of a completed manifest. The arguments decide about them again: they need no mark.
	if back := mutate.TakenBack(workload); len(back) > 0 {
		workload = pods.ReadObject(mutate.Apply(workload.Tree, back))
		var err error
		if spec, err = input.Edit(spec, below("spec", back)); err == nil {
			c.metadata, err = input.Edit(c.metadata, below("metadata", back))
		}
		if err != nil {
			return spec, fmt.Errorf("%s: %w", c.subject(), err)
		}
	}
	edits, err := x.examine(workload)
	if err != nil {
		return spec, err
	}
	if ctx.DryRun() && c.topology.IsSet() {
		completed := pods.ReadObject(mutate.Apply(workload.Tree, edits))
		c.landing = advice.Landing(ctx, x.checker, completed, c.childName())
	}
	if spec, err = watch(x, workload, spec); err == nil {
		spec, err = input.Edit(spec, below("spec", edits))
	}
	if err != nil {
		return spec, fmt.Errorf("%s: %w", c.subject(), err)
	}
	return spec, nil
}

// examination finds the mistakes in a workload: first in the known values, and then in values that become known later.
type examination struct {
	*component

	surroundings

	ctx *pulumi.Context
}

// surroundings is the context of the object.
type surroundings struct {
	checker *preflight.Checker
	// context is the context in which the pods are completed: a cluster with the platform, if the arguments have no
	// topology.
	context *pods.Context
}

// withoutTopology has the surroundings of workloads without a topology, by platform: nothing else decides on them, so
// all workloads of a platform share them.
var withoutTopology = func() map[platform.Platform]func() surroundings {
	all := map[platform.Platform]func() surroundings{}
	for _, p := range topology.PoolPlatforms() {
		all[p] = sync.OnceValue(func() surroundings {
			cluster := topology.Topology{Pools: []topology.Pool{{Platform: p}}}.WithDefaults()
			return surroundings{
				preflight.New(preflight.Options{Platform: p}),
				pods.NewContext(cluster, platform.Strict, nil).WithPlatform("", p),
			}
		})
	}
	return all
}()

// examination begins the examination of a component whose platform is valid.
func (c *component) examination(ctx *pulumi.Context) examination {
	x := examination{component: c, ctx: ctx}
	if c.topology.IsSet() {
		x.checker = preflight.New(preflight.Options{Topology: c.topology, Platform: c.platform})
		x.context = x.checker.Context()
	} else {
		x.surroundings = withoutTopology[c.platform]()
	}
	return x
}

// examine returns the edits that add the missing fields to the pods, or all mistakes.
func (x examination) examine(workload *pods.Object) ([]mutate.Edit, error) {
	decision := x.decide(workload)
	edits, conflicts := x.missing(workload, decision)
	errs := contradictions(conflicts)
	completed := mutate.Apply(mutate.Fix(workload.Pods, workload.Tree, conflicts), edits)
	refused := refusal.Of(x.ctx, x.checker, pods.ReadObject(completed))
	if len(refused) == 0 && len(errs) == 0 {
		errs = append(x.misled(workload.Pods, decision), x.mislabeled(workload.Pods)...)
	}
	return edits, fielderrors.Join(x.subject(), errs, refused...)
}

// missing returns the edits that add the missing fields to the pods, and the options that contradict the arguments. It
// adds nothing to pods for another platform: preflight reports these.
func (c *component) missing(o *pods.Object, d mutate.Decision) ([]mutate.Edit, []mutate.Conflict) {
	edits, conflicts := mutate.Require(o.Pods, c.windowsOptions())
	// An unknown value may still be the same.
	conflicts = slices.DeleteFunc(conflicts, func(c mutate.Conflict) bool { return tree.IsUnknown(c.Have) })
	if d.Against != nil && len(d.Edits) == 0 {
		return nil, conflicts
	}
	return append(d.Edits, edits...), conflicts
}

func (x examination) decide(o *pods.Object) mutate.Decision {
	return mutate.Decide(o, x.context, mutate.Policy{Explicit: true, RuntimeClasses: x.scheduling != BySelector})
}

// misled returns what keeps the pods from the platform although no rule reports it: a DaemonSet that selects other
// nodes has no pods, and does not fail; and a rule may be ignored.
func (c *component) misled(p *pods.Pods, d mutate.Decision) field.ErrorList {
	if d.Against == nil {
		return nil
	}
	at, what := d.Against.Path, d.Against.Text+" contradicts"
	if at == "" {
		at, what = p.Path("nodeSelector"), "selects no node of"
		if !pods.IsSet(p.Spec, "nodeSelector") {
			at = p.Path("affinity")
		}
	}
	return field.ErrorList{field.Forbidden(field.NewPath(at),
		fmt.Sprintf("%s the platform %s: remove it, or change the platform", what, c.platform))}
}

// mislabeled returns labels of the node selector that no node of the platform has, if they do not belong to another
// platform either: rules check them only if the topology is known.
func (c *component) mislabeled(p *pods.Pods) field.ErrorList {
	if c.topology.IsSet() {
		return nil
	}
	var errs field.ErrorList
	selector, needed := tree.Map(p.Spec["nodeSelector"]), topology.NodeSelector(c.platform)
	for _, label := range []string{k8score.LabelOSStable, topology.LabelWindowsBuild} {
		want, have := needed[label], selector[label]
		name, known := tree.Text(have)
		if !known || want == "" || name == want {
			continue
		}
		if secret, ok := have.(tree.Secret); ok {
			have = secret.String()
		}
		path := field.NewPath(p.Path("nodeSelector", pods.Key(label)))
		detail := fmt.Sprintf("no node of the platform %s has it: write %q, or remove it", c.platform, want)
		errs = append(errs, field.Invalid(path, have, detail))
	}
	return errs
}

// decisive are the fields of the pod spec that indicate what pods are for, or that the arguments decide on.
var decisive = [...]string{"os", "runtimeClassName", "nodeSelector", "affinity", "securityContext"}

// watch makes outputs in decisive fields fail if their values turn out to be wrong.
func watch[Spec any](x examination, workload *pods.Object, spec Spec) (Spec, error) {
	found := func(path []string, known any) error {
		later := tree.Map(tree.With(workload.Tree, append([]string{"spec"}, path...), known))
		_, err := x.examine(pods.ReadObject(later))
		return err
	}
	within := workload.Pods.SpecPath()[1:]
	var err error
	for _, key := range decisive {
		if !pods.IsSet(workload.Pods.Spec, key) {
			continue
		}
		if spec, err = input.Watch(spec, append(slices.Clip(within), key), found); err != nil {
			return spec, err
		}
	}
	return spec, nil
}

// below returns the edits below a key of an object, as edits of the value of that key.
func below(key string, edits []mutate.Edit) []mutate.Edit {
	var in []mutate.Edit
	for _, e := range edits {
		if e.Path[0] == key {
			e.Path = e.Path[1:]
			in = append(in, e)
		}
	}
	return in
}

// register registers the component, and the resources that the Kubernetes resource waits for. It returns the options of
// that resource.
func (c *component) register(ctx *pulumi.Context, self pulumi.ComponentResource) ([]pulumi.ResourceOption, error) {
	if err := ctx.RegisterComponentResource(c.token(), c.name, self, c.options.Component...); err != nil {
		return nil, err
	}
	path := field.NewPath("platform")
	if err := advice.LogWithoutHost(ctx, self, c.topology, c.platform, path); err != nil {
		return nil, err
	}
	if err := advice.LogLanding(ctx, self, c.landing); err != nil {
		return nil, err
	}
	options := []pulumi.ResourceOption{pulumi.Parent(self)}
	if c.credentialSpec != nil {
		allowed, err := c.allow(ctx, self)
		if err != nil {
			return nil, err
		}
		options = append(options, allowed)
	}
	return c.options.Main(options...), nil
}
