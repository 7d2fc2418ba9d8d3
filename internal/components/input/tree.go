package input

import (
	"context"
	"reflect"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Tree builds a plain tree from the arguments of a constructor: a struct of
// arguments of any SDK, or a part of one. An output is unknown, because a
// constructor must not wait for it.
func Tree(in any) any {
	t, _ := Whole(in)
	return t
}

// Whole is Tree, and reports whether the tree is complete: false if the arguments have an output,
// or a value that only the SDK can resolve, such as an input of a type that is not an SDK's.
func Whole(in any) (t any, whole bool) {
	whole = true
	r := reader{
		output: func(pulumi.Output) any { whole = false; return tree.Unknown{} },
		opaque: func() { whole = false },
	}
	return r.read(reflect.ValueOf(in)), whole
}

// Resolved builds a plain tree from the properties that a resource transform
// receives. Their outputs are already resolved, so it reads their values: each
// leaf of a secret stays a secret.
func Resolved(ctx context.Context, in any) any {
	r := reader{opaque: func() {}}
	r.output = func(out pulumi.Output) any {
		result, err := internals.UnsafeAwaitOutput(ctx, out)
		if err != nil || !result.Known {
			return tree.Unknown{}
		}
		v := r.read(reflect.ValueOf(result.Value))
		if result.Secret {
			return tree.Seal(v)
		}
		return v
	}
	return r.read(reflect.ValueOf(in))
}

// reader uses the kinds of values instead of their types: the SDKs have hundreds of types
// for the same few things, some of them not exported.
type reader struct {
	output func(pulumi.Output) any
	opaque func() // is called for each value that its kind does not show
}

var (
	inputType    = reflect.TypeFor[pulumi.Input]()
	outputType   = reflect.TypeFor[pulumi.Output]()
	assetType    = reflect.TypeFor[pulumi.AssetOrArchive]()
	resourceType = reflect.TypeFor[pulumi.Resource]()
)

// class is how the values of a type are read.
type class int

const (
	byKind class = iota
	custom       // an input that may resolve to another value than its kind shows
	output
	withoutForm // not a value of Kubernetes: it exists, but has no plain form
)

// classCache has the classes of types: finding out what a type implements is slow.
var classCache sync.Map

func classOf(t reflect.Type) class {
	if known, ok := classCache.Load(t); ok {
		return known.(class)
	}
	c := byKind
	switch {
	case t.Implements(outputType):
		c = output
	case t.Implements(assetType), t.Implements(resourceType):
		c = withoutForm
	case t.Implements(inputType) && !ofPulumi(t):
		c = custom
	}
	classCache.Store(t, c)
	return c
}

// ofPulumi reports whether a type comes from Pulumi's SDKs, whose inputs resolve to the value that they hold.
func ofPulumi(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer && t.PkgPath() == "" {
		t = t.Elem()
	}
	return strings.HasPrefix(t.PkgPath(), "github.com/pulumi/")
}

func (r reader) read(v reflect.Value) any {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return nil
	}
	switch classOf(v.Type()) {
	case output:
		return r.output(v.Interface().(pulumi.Output))
	case withoutForm:
		r.opaque()
		return tree.Unknown{}
	case custom:
		r.opaque()
		if v.Kind() == reflect.Struct && len(fieldsOf(v.Type())) == 0 {
			return tree.Unknown{} // only its methods know the value
		}
	case byKind:
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return r.read(v.Elem())
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Float32, reflect.Float64:
		return tree.Number(v.Float()) // on the wire, all numbers of Pulumi are floats
	case reflect.Slice, reflect.Array:
		return r.list(v)
	case reflect.Map:
		return r.mapping(v)
	case reflect.Struct:
		return r.fields(v)
	default:
		r.opaque()
		return tree.Unknown{}
	}
}

func (r reader) list(v reflect.Value) any {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return nil
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i] = r.read(v.Index(i))
	}
	return list
}

func (r reader) mapping(v reflect.Value) any {
	if v.IsNil() {
		return nil
	}
	m := make(map[string]any, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		if element := r.read(entries.Value()); element != nil {
			m[entries.Key().String()] = element
		}
	}
	return m
}

// fields reads a struct with its tags, which name the properties.
func (r reader) fields(v reflect.Value) any {
	m := map[string]any{}
	for _, f := range fieldsOf(v.Type()) {
		if element := r.read(v.Field(f.index)); element != nil {
			m[f.name] = element
		}
	}
	return m
}

type taggedField struct {
	index int
	name  string
}

// fieldCache has the tagged fields by type: parsing tags is most of the work.
var fieldCache sync.Map

func fieldsOf(t reflect.Type) []taggedField {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]taggedField)
	}
	tagged := tagsOf(t)
	var fields []taggedField
	for i := range t.NumField() {
		if f, ok := tagged.FieldByName(t.Field(i).Name); ok && f.IsExported() {
			if name, _, _ := strings.Cut(f.Tag.Get("pulumi"), ","); name != "" {
				fields = append(fields, taggedField{i, name})
			}
		}
	}
	fieldCache.Store(t, fields)
	return fields
}

// tagsOf returns the struct that has the tags of t: the arguments of a resource have
// no tags, but name a struct with the same fields that has them.
func tagsOf(t reflect.Type) reflect.Type {
	for f := range t.Fields() {
		if f.Anonymous && (f.Type.Kind() == reflect.Interface || f.Type.Kind() == reflect.Pointer) {
			return t // without a value, its methods panic
		}
	}
	in, ok := reflect.TypeAssert[pulumi.Input](reflect.Zero(t))
	if !ok {
		return t
	}
	element := in.ElementType()
	if element.Kind() == reflect.Pointer {
		element = element.Elem()
	}
	if element.Kind() != reflect.Struct {
		return t
	}
	return element
}
