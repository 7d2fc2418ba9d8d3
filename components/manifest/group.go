package manifest

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

const groupToken = "mixedkube:manifest:Group"

// GroupArgs are the arguments of [NewGroup].
type GroupArgs struct {
	// Files are files, directories (*.yaml, *.yml and *.json in them and below), patterns ("deploy/*.yaml", see
	// [path/filepath.Match]) and addresses that begin with https://. Relative paths begin in the program's directory.
	//
	// Anyone who can change the content at an address deploys into the cluster. An address that ends with #sha256= and
	// the SHA-256 of its content, 64 hexadecimal digits, is refused if the content differs. Redirects are followed if
	// they stay with https://. Addresses that begin with http:// are read only from this machine; link-local addresses
	// and those of a cloud's metadata are refused.
	Files []string `pulumi:"files,optional"`

	// YAML is the text of manifests, in addition to Files or instead of them.
	YAML string `pulumi:"yaml,optional"`

	// Options are the options for the cluster for which the objects are completed. The topology is required.
	Options

	// Images is the path of a lock file with facts about images, as looked up in their registries: see [images.Lock].
	// The component itself sends no request to a registry. The platform of an image that is not in the file follows
	// from the image's name. A relative path begins in the program's directory. The default is mixedkube.images.yaml,
	// if there is such a file.
	Images string `pulumi:"images,optional"`
}

// Group has the objects of manifests, completed for a mixed cluster.
type Group struct {
	pulumi.ResourceState

	// Resources are the objects, in the order of the files.
	Resources []*Resource
	// Findings are all findings, including the questions.
	Findings []Finding
}

// Resource returns the object with a name in the form of [Object.Key]: "shop/Deployment/web", or "Deployment/web"
// without a namespace. It returns nil if the group has none.
func (g *Group) Resource(key string) *Resource {
	for _, r := range g.Resources {
		if r.Object.Key() == key {
			return r
		}
	}
	return nil
}

// NewGroup registers each object of manifests as a resource of its own type, such as kubernetes:apps/v1:Deployment,
// with the name "<group>:<namespace>/<name>", or "<group>:<name>" for an object without a namespace.
// (kubernetes.yaml.v2 names them in the same way, but first sets the provider's default namespace in objects without
// one: there such a ConfigMap a is "<group>:default/a".) Two objects are the same only if both have the same namespace,
// or neither has one. The contents of a Secret are secret, including the copy that kubectl stores in an annotation.
//
// An object waits for the CustomResourceDefinition of its kind, for its Namespace, for the RuntimeClass of its pods,
// and for the objects of its annotation config.kubernetes.io/depends-on, if those are in the group.
//
// An alias of the type kubernetes:yaml/v2:ConfigGroup applies to the component, which then has the objects of that
// group. An alias of an object's type applies to the object with its name: the full name, the name without the group's,
// or the name of the object alone. See docs/moving.md of the project. [pulumi.Timeouts] are for each object; without
// them, objects with pods on Windows have 30 minutes, as in package workload. Other options for a single resource have
// no effect: set them in a transform.
//
// The error lists all mistakes: in the options, in the files (each document must be an object, with apiVersion and
// kind, or empty), and all errors of package preflight about the objects, with file, line and path; nothing is
// registered then. Under package guard, guard reports the latter. Other findings are logged at the group.
func NewGroup(ctx *pulumi.Context, name string, args *GroupArgs, opts ...pulumi.ResourceOption) (*Group, error) {
	if args == nil {
		args = &GroupArgs{}
	}
	subject := fmt.Sprintf("%s %q", groupToken, name)
	result, errs := args.convert(ctx)
	split, wrong := options(name, result.Objects).Split(opts)
	if err := fielderrors.Join(subject, wrong, at(errs)...); err != nil {
		return nil, err
	}
	guarded := refusal.Enforced(ctx)
	if !guarded {
		errs = blocking(result.Findings)
	}
	order, orderErrs := ordered(result.Objects)
	if err := fielderrors.Join(subject, nil, at(append(errs, orderErrs...))...); err != nil {
		return nil, err
	}

	g := &Group{Findings: result.Findings, Resources: make([]*Resource, len(result.Objects))}
	if err := ctx.RegisterComponentResource(groupToken, name, g, split.Component...); err != nil {
		return nil, err
	}
	if err := report(ctx, g, result.Findings, guarded); err != nil {
		return nil, err
	}
	for _, node := range order {
		var needs []pulumi.Resource
		for _, need := range node.needs {
			needs = append(needs, g.Resources[need])
		}
		o := node.object
		own := []pulumi.ResourceOption{
			pulumi.Parent(g), pulumi.DependsOn(needs), pulumi.IgnoreChanges(o.IgnoreChanges),
			pulumi.Timeouts(new(childoptions.Over(split.Timeouts, timeoutsOf(o)))),
		}
		r, err := register(ctx, name, o, split.For(token(o), resourceName(name, o), own...)...)
		if err != nil {
			return nil, err
		}
		g.Resources[node.index] = r
	}
	return g, ctx.RegisterResourceOutputs(g, pulumi.Map{})
}

// convert reads and completes all manifests.
func (a *GroupArgs) convert(ctx *pulumi.Context) (Result, []error) {
	if errs := a.Validate(nil); len(errs) > 0 {
		return conversion.Convert(nil, a.Options)
	}
	if len(a.Files) == 0 && a.YAML == "" {
		return Result{}, []error{field.Required(field.NewPath("files"),
			"name files, directories or addresses, or give yaml")}
	}
	var access disk.Access
	if err := access.Name(a.Files...); err != nil {
		return Result{}, []error{err}
	}
	read, errs := userfiles.Read(ctx.Context(), &access, a.Files, userfiles.Skips{})
	var files []File
	for _, f := range read {
		files = append(files, File{Name: f.Name, Text: f.Text})
	}
	if a.YAML != "" {
		files = append(files, File{Name: "yaml", Text: []byte(a.YAML)})
	}
	lock, err := userfiles.Find(a.Images, images.DefaultFile, images.Decode)
	if err != nil {
		errs = append(errs, imagesError(err))
	}
	result, problems := conversion.ConvertObjects(files, a.WithImages(lock))
	if errs = append(errs, problems...); len(errs) == 0 && len(result.Objects) == 0 {
		errs = []error{errors.New("no Kubernetes object: each needs apiVersion and kind")}
	}
	return result, errs
}

// imagesError returns an error about the lock file of images.
func imagesError(err error) error { return fmt.Errorf("images: %w", err) }

// blocking returns the findings that must not be deployed, as errors.
func blocking(findings []Finding) []error {
	var errs []error
	for _, f := range findings {
		if f.Blocks() {
			errs = append(errs, &FindingError{f})
		}
	}
	return errs
}

// report logs findings at their component. Under package guard it logs only questions: the other findings show at the
// objects.
func report(ctx *pulumi.Context, component pulumi.Resource, findings []Finding, guarded bool) error {
	args := &pulumi.LogArgs{Resource: component}
	var errs []error
	for _, f := range findings {
		switch {
		case guarded && !f.Question:
		case f.Suppressed:
			errs = append(errs, ctx.Log.Info(escape.Lines("ignored: "+f.String()), args))
		case f.Severity == preflight.Info:
			errs = append(errs, ctx.Log.Info(escape.Lines(f.String()), args))
		default:
			errs = append(errs, ctx.Log.Warn(escape.Lines(f.String()), args))
		}
	}
	return errors.Join(errs...)
}
