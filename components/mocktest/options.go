package mocktest

import (
	"maps"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
)

// Option changes how [Run] runs a program. If an option is repeated, the last one counts, except for [Config], which
// adds.
type Option func(*settings)

type settings struct {
	project, stack string
	preview        bool
	config         map[string]string
	pulumiVersion  string
	outputs        func(Resource) resource.PropertyMap
	calls          func(Call) (resource.PropertyMap, error)
	construct      Construct // of Plugin
	earlier        *Graph    // of After
}

func newSettings(options []Option) settings {
	s := settings{project: "project", stack: "stack", config: map[string]string{}}
	for _, option := range options {
		option(&s)
	}
	return s
}

// All combines several options into one.
func All(options ...Option) Option {
	return func(s *settings) {
		for _, option := range options {
			option(s)
		}
	}
}

// Preview runs the program as `pulumi preview` does. The default is an update.
func Preview() Option {
	return func(s *settings) { s.preview = true }
}

// Project sets the names of the project and the stack. The defaults are
// "project" and "stack".
func Project(project, stack string) Option {
	return func(s *settings) { s.project, s.stack = project, stack }
}

// Config sets configuration values, with keys such as "aws:region". A key without a namespace gets the project's, as
// with `pulumi config set`. The environment of the test contributes no configuration.
func Config(values map[string]string) Option {
	return func(s *settings) { maps.Copy(s.config, values) }
}

// PulumiVersion sets the version of Pulumi that runs the program, for example "3.216.0". The default is a version that
// satisfies each program and has all features. There are no error hooks before 3.217.0, and no hooks at all before
// 3.182.0. The SDK then does not register the resources that have one, without an error.
func PulumiVersion(version string) Option {
	return func(s *settings) { s.pulumiVersion = version }
}

// runsErrorHooks reports whether this Pulumi runs error hooks (https://github.com/pulumi/pulumi/releases/tag/v3.217.0).
func (s settings) runsErrorHooks() bool {
	return plugin.ValidatePulumiVersionRange(">=3.217.0", s.pulumiVersion) == nil
}

// runsHooks reports whether this Pulumi runs hooks around operations
// (https://github.com/pulumi/pulumi/releases/tag/v3.182.0).
func (s settings) runsHooks() bool {
	return plugin.ValidatePulumiVersionRange(">=3.182.0", s.pulumiVersion) == nil
}

// Outputs sets what a provider adds to the inputs of a resource, such as the status of a Kubernetes Service. The result
// is merged into the inputs, object by object, and overrides them; nil adds nothing. A string under the key "id"
// becomes the resource's ID.
//
// It is called for custom resources, remote components and reads, never for local components. In a preview it is called
// only for reads, and for [pulumi.Stash], whose output the engine knows in a preview too: the first value that the
// stash received. If it returns nothing, the output is the stash's input, as in the first run of a program. Calls do
// not overlap. A panic in it makes the run fail.
func Outputs(outputs func(Resource) resource.PropertyMap) Option {
	return func(s *settings) { s.outputs = outputs }
}

// Calls sets the function that answers invokes and method calls. An error from it reaches the program as the failure of
// that call. Calls do not overlap. A panic in it makes the run fail.
func Calls(calls func(Call) (resource.PropertyMap, error)) Option {
	return func(s *settings) { s.calls = calls }
}
