package conversion

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Options are the cluster for which manifests are completed, and how.
type Options struct {
	// Topology is the cluster's. It must have pools.
	Topology topology.Topology `pulumi:"topology"`

	// AssumeLinux treats pods as Linux pods if nothing indicates their operating system, as in most manifests. Without
	// it a finding asks. A finding also asks if something hints at Windows, for example a toleration or the name of an
	// image, if the pods name a RuntimeClass, or if no Linux pool accepts them.
	AssumeLinux bool `pulumi:"assumeLinux,optional"`

	// Platforms are the platforms of pods whose manifests do not indicate them, by object: "Deployment/web", or
	// "shop/Deployment/web" for the one in a namespace. Each must match an object. If something contradicts an answer,
	// or keeps it from being followed, an error names the place with file and line: nodeName, an invalid annotation, or
	// a field with a wrong type. Package preflight compares the images with the answer.
	Platforms map[string]platform.Platform `pulumi:"platforms,optional"`

	// RuntimeClasses makes pods name the RuntimeClass of their Windows release, as package runtimeclass creates it,
	// instead of node selector and tolerations. DaemonSets, and pods whose release is not known or that select Windows
	// nodes, get the latter anyway: the DaemonSet controller does not look at RuntimeClasses.
	RuntimeClasses bool `pulumi:"runtimeClasses,optional"`

	// MovePins moves node selectors for the build of Windows that the cluster no longer has, or that exclude nodes which
	// run the images, although they have no mark: the whole selector must be one that earlier versions of mixedkube
	// wrote for these images. A finding asks about all others that no pool matches. Selectors with a mark (annotation
	// mixedkube.dev/placed) move anyway. The default is that unmarked selectors stay.
	MovePins bool `pulumi:"movePins,optional"`

	// Matching is how well an image's Windows release must match its host's. The default is the topology's, or
	// [platform.Strict] if the topology does not set it.
	Matching platform.Matching `pulumi:"matching,optional"`

	images     *images.Lock
	repository *repository.Repository
}

// WithImages returns the options with the facts from registries about images. Without them, the name of an image
// indicates its platform.
func (o Options) WithImages(lock *images.Lock) Options {
	o.images = lock
	return o
}

// WithRepository returns the options for the files of a repository, which has other documents than manifests: they stay
// unchanged, and so do the images that kustomize replaces. Without it, each document with apiVersion and kind is a
// manifest.
func (o Options) WithRepository(r *repository.Repository) Options {
	o.repository = r
	return o
}

// kindOf returns what a document is.
func (o Options) kindOf(file string, doc manifests.Document) (kind repository.Kind, by string) {
	switch {
	case o.repository != nil:
		return o.repository.KindOf(file, doc)
	case len(absent(tree.Map(doc.Value))) > 0:
		return repository.Other, ""
	}
	return repository.Manifest, ""
}

// Validate returns the mistakes in the options, with paths below path (nil for the root).
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
		} else if lacks := o.cluster().LacksHosts(p); lacks != "" && !o.Topology.Partial {
			errs = append(errs, field.Invalid(at, p.String(), lacks+": add a pool, or use one of these"))
		}
		if parts := strings.Split(key, "/"); len(parts) < 2 || len(parts) > 3 || slices.Contains(parts, "") {
			errs = append(errs, field.Invalid(at, key, "names no object: write Kind/name or namespace/Kind/name"))
		}
	}
	return errs
}

// cluster returns the topology with the matching for its nodes.
func (o Options) cluster() topology.Topology {
	t := o.Topology
	t.Matching = cmp.Or(o.Matching, t.Matching)
	return t
}

func (o Options) checker() *preflight.Checker {
	return preflight.New(preflight.Options{Topology: o.Topology, Matching: o.Matching, Images: o.images})
}

func (o Options) policy() mutate.Policy {
	return mutate.Policy{AssumeLinux: o.AssumeLinux, RuntimeClasses: o.RuntimeClasses, MovePins: o.MovePins}
}

// invalidAnswer returns an error about an answer that is wrong only together with the objects.
func invalidAnswer(key string, value any, format string, args ...any) *field.Error {
	return field.Invalid(field.NewPath("platforms").Key(key), value, fmt.Sprintf(format, args...))
}
