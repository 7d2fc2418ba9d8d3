package provider

import (
	"encoding"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	inputType    = reflect.TypeFor[pulumi.Input]()
	outputType   = reflect.TypeFor[pulumi.Output]()
	topologyType = reflect.TypeFor[topology.Topology]()
	specType     = reflect.TypeFor[workload.CredentialSpec]()
)

// texts are the types that are written as text, in addition to those that implement [encoding.TextUnmarshaler].
var texts = map[reflect.Type]bool{
	reflect.TypeFor[corev1.Taint]():      true,
	reflect.TypeFor[resource.Quantity](): true,
	reflect.TypeFor[netip.Prefix]():      true,
	reflect.TypeFor[netip.Addr]():        true,
	reflect.TypeFor[time.Duration]():     true,
	reflect.TypeFor[uint64]():            true, // a mask
}

// isText reports whether values of a type are written as text.
func isText(t reflect.Type) bool {
	unmarshals := reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	return texts[t] || t.Kind() == reflect.Struct && unmarshals
}

// isComponentOutput reports whether values of a type come from other components, and can be outputs for that reason.
func isComponentOutput(t reflect.Type) bool { return t == topologyType || t == specType }

// below returns the type that a pointer type points to, or the type itself.
func below(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// isInput reports whether Pulumi's SDK reads a type: an input, or arguments that Pulumi's generator made an input.
func isInput(t reflect.Type) bool {
	return below(t).Implements(inputType) && !isResourceArgs(below(t))
}

// isResourceArgs reports whether a type is the arguments of a resource of another package. It has no
// tags: those are on the type of its elements, whose fields have the same names.
func isResourceArgs(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || !t.Implements(inputType) || t.Implements(outputType) || t.NumField() == 0 {
		return false
	}
	_, tagged := t.Field(0).Tag.Lookup("pulumi")
	return !tagged
}

// keyed returns the type whose tags have the keys of the fields of a struct.
func keyed(t reflect.Type) reflect.Type {
	if isResourceArgs(t) {
		return reflect.Zero(t).Interface().(pulumi.Input).ElementType()
	}
	return t
}

// fields returns the fields of a struct by their keys.
func fields(t reflect.Type) map[string]reflect.StructField {
	named := keyed(t)
	found := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		tagged := f
		if named != t {
			tagged, _ = named.FieldByName(f.Name)
		}
		if key := tree.Key(tagged); key != "" {
			found[key] = f
		}
	}
	return found
}

// elementOf returns the plain type of an input, nil for an input that takes any value.
func elementOf(t reflect.Type) reflect.Type {
	t = below(t)
	if t.Implements(outputType) || t.Kind() == reflect.Struct {
		return below(reflect.Zero(t).Interface().(pulumi.Input).ElementType())
	}
	to, found := t.MethodByName("To" + strings.TrimSuffix(t.Name(), "Input") + "Output")
	if !found {
		return nil
	}
	return below(reflect.Zero(to.Type.Out(0)).Interface().(pulumi.Output).ElementType())
}
