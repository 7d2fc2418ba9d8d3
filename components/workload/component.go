package workload

import (
	"fmt"
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// templatePath is where most kinds have the template of their pods.
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

// component is a workload on its way from arguments to resources. Its methods are
// called in the order of this file.
type component struct {
	common

	kind, name string
	completion completion
	errs       field.ErrorList
	// completed says that the pods were complete enough to be checked by rules.
	completed bool
	// serviceAccount is that of the pods, nil for the default one.
	serviceAccount pulumi.StringPtrInput
}

func newComponent(kind, name string, args common) *component {
	if input.Missing(args.credentialSpec) {
		args.credentialSpec = nil
	}
	c := &component{common: args, kind: kind, name: name}
	var needs requirements
	needs, c.errs = require(args.platform, args.scheduling, args.topology)
	c.errs = append(c.errs, validateWindowsOnly(args)...)
	c.completion = completion{c.subject(), args.platform, needs, windowsOptionsOf(args)}
	return c
}

func (c *component) token() string { return "mixedkube:workload:" + c.kind }

// subject is what errors are about.
func (c *component) subject() string { return fmt.Sprintf("%s %q", c.token(), c.name) }

// template completes the pods of a template.
func (c *component) template(in any, path *field.Path) corev1.PodTemplateSpecArgs {
	template, pods, errs := plainTemplate(in, path)
	c.errs = append(c.errs, errs...)
	template.Spec = c.pods(pods, path.Child("spec"))
	return template
}

// pods completes pods, unless something is wrong already.
func (c *component) pods(spec corev1.PodSpecArgs, path *field.Path) corev1.PodSpecArgs {
	if len(c.errs) > 0 {
		return spec
	}
	c.completed = true
	c.errs = c.completion.complete(&spec, path)
	c.serviceAccount = spec.ServiceAccountName
	if input.Missing(c.serviceAccount) {
		c.serviceAccount = spec.ServiceAccount // the old name of the same field
	}
	return spec
}

// check returns all that is wrong with the arguments, the completed spec included.
func (c *component) check(ctx *pulumi.Context, spec any) error {
	var refused []fielderrors.At
	if c.completed {
		options := preflight.Options{Topology: c.topology, Platform: c.platform}
		refused = refusal.Of(ctx, options, c.kind, c.metadata, spec, c.errs)
	}
	return fielderrors.Join(c.subject(), c.errs, refused...)
}

// register registers the component, and what the Kubernetes resource waits for. It
// returns the name and the options of that resource.
func (c *component) register(ctx *pulumi.Context, self pulumi.ComponentResource, opts []pulumi.ResourceOption) (string, []pulumi.ResourceOption, error) {
	if err := ctx.RegisterComponentResource(c.token(), c.name, self, opts...); err != nil {
		return "", nil, err
	}
	options := []pulumi.ResourceOption{pulumi.Parent(self)}
	if c.credentialSpec != nil {
		allowed, err := c.allow(ctx, self)
		if err != nil {
			return "", nil, err
		}
		options = append(options, allowed)
	}
	return c.name + "-" + strings.ToLower(c.kind), options, nil
}
