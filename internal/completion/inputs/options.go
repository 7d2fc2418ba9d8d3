package inputs

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/completion"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Options returns the options of a resource with the edits of its object, which is as it
// was before them. Where an edit would replace an object in the cluster, what it adds
// stands under IgnoreChanges: an object that exists stays as it is, and one that is
// created, or replaced for another reason, gets the edits.
func Options(opts pulumi.ResourceOptions, object map[string]any, edits []completion.Edit) pulumi.ResourceOptions {
	if completion.EffectOn(object) != completion.Replaces {
		return opts
	}
	opts.IgnoreChanges = slices.Clone(opts.IgnoreChanges)
	for _, e := range edits {
		if path := ignored(object, e.Path).String(); !slices.Contains(opts.IgnoreChanges, path) {
			opts.IgnoreChanges = append(opts.IgnoreChanges, path)
		}
	}
	return opts
}

// ignored is the part of a path that an edit adds: all below a key that the object does
// not have. The engine takes back a key of a map, but no element of a list, so a list is
// ignored as a whole.
func ignored(object map[string]any, path []string) resource.PropertyPath {
	var all resource.PropertyPath
	var at any = object
	for _, key := range path {
		all = append(all, key)
		if at = tree.Map(at)[key]; at == nil {
			break
		}
	}
	return all
}
