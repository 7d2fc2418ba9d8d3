package conversion

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/images"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/mutate"
)

// Options say for which cluster manifests are completed, and how.
type Options struct {
	// Topology is the cluster's. It needs pools.
	Topology topology.Topology `pulumi:"topology"`

	// AssumeLinux takes pods for Linux of which nothing is known, as most manifests
	// are. Without it a finding asks, and so it does where something hints at Windows,
	// a toleration or the name of an image for example, where the pods name a
	// RuntimeClass, and where no Linux pool takes them.
	AssumeLinux bool `pulumi:"assumeLinux,optional"`

	// Platforms says what the pods of objects are for of which the manifest does not
	// tell: "Deployment/web", or "shop/Deployment/web" for the one in a namespace.
	// Each must match an object. An error names the place, with file and line, of what
	// contradicts an answer, and of what keeps it from being followed: nodeName, an
	// annotation that is wrong, or a field of a wrong type. Images are compared with the
	// answer by preflight.
	Platforms map[string]platform.Platform `pulumi:"platforms,optional"`

	// RuntimeClasses names the RuntimeClass of the pods' Windows release, as package
	// runtimeclass makes it, in place of node selector and tolerations. DaemonSets
	// and pods whose release is not known, or that select Windows nodes, get the latter
	// all the same: the DaemonSet controller does not look at RuntimeClasses.
	RuntimeClasses bool `pulumi:"runtimeClasses,optional"`

	// Matching is how well an image's Windows release must match its host's. The
	// default is the topology's, and [platform.Strict] where that says nothing.
	Matching platform.Matching `pulumi:"matching,optional"`

	images *images.Lock
}

// WithImages are the options with what registries have said about images. The default is nothing:
// then the name of an image says what it is for.
func (o Options) WithImages(lock *images.Lock) Options {
	o.images = lock
	return o
}

// Validate returns what is wrong with the options, with paths below path (nil for
// the root).
func (o Options) Validate(path *field.Path) field.ErrorList {
	if len(o.Topology.Pools) == 0 {
		return field.ErrorList{field.Required(path.Child("topology"),
			"manifests are completed for the pools of a cluster")}
	}
	errs := preflight.Options{Topology: o.Topology, Matching: o.Matching}.Validate(path)
	for _, key := range slices.Sorted(maps.Keys(o.Platforms)) {
		at, p := path.Child("platforms").Key(key), o.Platforms[key]
		if invalid := topology.ValidatePlatform(p, at); len(invalid) > 0 {
			errs = append(errs, invalid...)
		} else if len(o.Topology.PoolsOf(p)) == 0 {
			errs = append(errs, field.Invalid(at, p.String(),
				"no pool of the topology runs it: add a pool, or use another platform"))
		}
		if parts := strings.Split(key, "/"); len(parts) < 2 || len(parts) > 3 || slices.Contains(parts, "") {
			errs = append(errs, field.Invalid(at, key, "names no object: write Kind/name or namespace/Kind/name"))
		}
	}
	return errs
}

func (o Options) checker() *preflight.Checker {
	return preflight.New(preflight.Options{Topology: o.Topology, Matching: o.Matching, Images: o.images})
}

func (o Options) policy() mutate.Policy {
	return mutate.Policy{AssumeLinux: o.AssumeLinux, RuntimeClasses: o.RuntimeClasses}
}

// invalidAnswer is what is wrong with an answer only together with the objects.
func invalidAnswer(key string, value any, format string, args ...any) *field.Error {
	return field.Invalid(field.NewPath("platforms").Key(key), value, fmt.Sprintf(format, args...))
}
