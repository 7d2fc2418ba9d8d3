package mocktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// format is the format of a graph in a file.
const format = "mixedkube.mocktest/v1"

// file is a graph in a file.
type file struct {
	Format    string         `json:"format"`
	Title     string         `json:"title"`
	Resources []fileResource `json:"resources"`
	Exports   any            `json:"exports,omitempty"`
}

// fileResource is a resource with the state that a run leaves of it. The properties replace those in the resource.
type fileResource struct {
	Resource

	Inputs  any `json:"inputs,omitempty"`
	Outputs any `json:"outputs,omitempty"`
	// Ignoring are the inputs after IgnoreChanges, if they differ from Inputs.
	Ignoring any `json:"kept,omitempty"`
	State    any `json:"state,omitempty"`
	Trigger  any `json:"replacementTrigger,omitempty"`
}

// MarshalJSON encodes the graph of an update, so that a file can store it for [After]: its resources with their
// options, inputs and outputs, and the exports. A mark replaces each secret. Calls and the log are left out. The format
// belongs to this package, and has a version.
func (g *Graph) MarshalJSON() ([]byte, error) {
	if g.preview {
		return nil, errors.New("mocktest: only the graph of an update can be stored: this one is from a preview")
	}
	f := file{Format: format, Title: g.title, Exports: written(resource.NewProperty(g.exports))}
	for _, r := range g.resources {
		left := g.remains[r.URN]
		r.Aliases = slices.DeleteFunc(slices.Clone(r.Aliases), func(a Alias) bool { return isOtherVersion(a, r.Type) })
		encoded := fileResource{
			Resource: r,
			Inputs:   written(resource.NewProperty(r.hidden(r.Inputs))),
			State:    written(resource.NewProperty(left.state)),
			Trigger:  written(left.trigger),
		}
		if r.Outputs != nil {
			encoded.Outputs = written(resource.NewProperty(r.hidden(r.Outputs)))
		}
		if !left.inputs.DeepEquals(r.Inputs) {
			encoded.Ignoring = written(resource.NewProperty(r.hidden(left.inputs)))
		}
		f.Resources = append(f.Resources, encoded)
	}
	return json.Marshal(f)
}

// UnmarshalJSON decodes the result of [Graph.MarshalJSON]. The values of secrets are unknown.
func (g *Graph) UnmarshalJSON(data []byte) error {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("mocktest: not a graph: %w", err)
	}
	if f.Format != format {
		return fmt.Errorf("mocktest: format: %q: the graph has another version: want %q: run the earlier program "+
			"again", f.Format, format)
	}
	read := reader{}
	*g = Graph{
		title: f.Title, fromFile: true, remains: map[resource.URN]remains{},
		exports: read.object("exports", f.Exports),
	}
	for _, r := range f.Resources {
		at := string(r.URN)
		r.Resource.Inputs = read.object(at, r.Inputs)
		if r.Outputs != nil {
			r.Resource.Outputs = read.object(at, r.Outputs)
		}
		left := remains{
			inputs: r.Resource.Inputs, state: read.object(at, r.State), trigger: read.value(at, r.Trigger),
		}
		if r.Ignoring != nil {
			left.inputs = read.object(at, r.Ignoring)
		}
		g.resources, g.remains[r.URN] = append(g.resources, r.Resource), left
	}
	g.index()
	return read.err
}

// These are the keys of objects with one key that represent values without a form in JSON.
const (
	secretKey   = "$secret"
	unknownKey  = "$unknown"
	resourceKey = "$resource"
	assetKey    = "$asset"
	archiveKey  = "$archive"
	objectKey   = "$object" // an object that has one key, which begins with $
)

// written returns a value for JSON, without the contents of secrets.
func written(v resource.PropertyValue) any {
	switch {
	case v.IsSecret():
		return map[string]any{secretKey: true}
	case v.IsComputed():
		return map[string]any{unknownKey: true}
	case v.IsOutput():
		if v.OutputValue().Secret {
			return map[string]any{secretKey: true}
		}
		return written(v.OutputValue().Element)
	case v.IsResourceReference():
		return map[string]any{resourceKey: v.ResourceReferenceValue().URN}
	case v.IsAsset():
		asset := *v.AssetValue()
		_ = asset.EnsureHash() // If there is no such file, it fails: then the asset differs from every other.
		return map[string]any{assetKey: asset.Hash}
	case v.IsArchive():
		archive := *v.ArchiveValue()
		_ = archive.EnsureHash()
		return map[string]any{archiveKey: archive.Hash}
	case v.IsArray():
		list := []any{}
		for _, e := range v.ArrayValue() {
			list = append(list, written(e))
		}
		return list
	case v.IsObject():
		object := map[string]any{}
		for key, e := range v.ObjectValue() {
			object[string(key)] = written(e)
		}
		if len(object) == 1 && strings.HasPrefix(sortedKeys(object)[0], "$") {
			return map[string]any{objectKey: object}
		}
		return object
	default:
		return v.V
	}
}

// reader decodes the values that written encodes, and remembers the first mistake.
type reader struct{ err error }

func (r *reader) object(at string, v any) resource.PropertyMap {
	read := r.value(at, v)
	if v != nil && !read.IsObject() && r.err == nil {
		r.err = fmt.Errorf("mocktest: %s: the properties are not an object", at)
	}
	if !read.IsObject() {
		return resource.PropertyMap{}
	}
	return read.ObjectValue()
}

func (r *reader) value(at string, v any) resource.PropertyValue {
	switch v := v.(type) {
	case []any:
		list := []resource.PropertyValue{}
		for _, e := range v {
			list = append(list, r.value(at, e))
		}
		return resource.NewProperty(list)
	case map[string]any:
		if len(v) == 1 {
			if key := sortedKeys(v)[0]; strings.HasPrefix(key, "$") {
				return r.marked(at, key, v[key])
			}
		}
		return resource.NewProperty(r.properties(at, v))
	default:
		return resource.NewPropertyValue(v)
	}
}

func (r *reader) properties(at string, v map[string]any) resource.PropertyMap {
	object := resource.PropertyMap{}
	for key, e := range v {
		object[resource.PropertyKey(key)] = r.value(at, e)
	}
	return object
}

// marked returns the value that a key that begins with $ represents.
func (r *reader) marked(at, key string, v any) resource.PropertyValue {
	text, _ := v.(string)
	switch key {
	case secretKey:
		return resource.MakeSecret(resource.MakeComputed(resource.NewProperty("")))
	case unknownKey:
		return resource.MakeComputed(resource.NewProperty(""))
	case resourceKey:
		return resource.NewProperty(resource.ResourceReference{URN: resource.URN(text)})
	case assetKey:
		return resource.NewProperty(&resource.Asset{Sig: resource.AssetSig, Hash: text})
	case archiveKey:
		return resource.NewProperty(&resource.Archive{Sig: resource.ArchiveSig, Hash: text})
	case objectKey:
		if inner, ok := v.(map[string]any); ok {
			return resource.NewProperty(r.properties(at, inner))
		}
	}
	if r.err == nil {
		r.err = fmt.Errorf("mocktest: %s: %q is not a valid key in a graph of the format %s: run the earlier program "+
			"again", at, key, format)
	}
	return resource.PropertyValue{}
}
