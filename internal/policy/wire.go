package policy

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Pulumi's values without an equivalent in JSON have these keys and signatures on the wire:
// https://github.com/pulumi/pulumi/blob/sdk/v3.255.0/sdk/go/common/resource/sig/sig.go.
const (
	signature = "4dabf18193072939515e22adb298388d" // the key that marks a map as another kind of value
	secret    = "1b47061264138c4ac30d75fd1eb44270"
	held      = "value" // the key of a secret's value
)

// unknownText is read as an unknown value by the engine.
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"

// unknowns are the texts for unknown values, one for each type:
// https://github.com/pulumi/pulumi/blob/sdk/v3.255.0/sdk/go/common/resource/plugin/rpc.go.
var unknowns = []string{
	unknownText,
	"1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
	"6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", "030794c1-ac77-496b-92df-f27374a8bd58",
	"e48ece36-62e2-4504-bad9-02848725956a", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
}

// properties returns the properties of a resource as a plain tree.
func properties(s *structpb.Struct) map[string]any {
	out := make(map[string]any, len(s.GetFields()))
	for key, v := range s.GetFields() {
		if plain := read(v); plain != nil {
			out[key] = plain
		}
	}
	return out
}

// read returns a value as a plain tree. In a secret, each leaf becomes a secret. A value without a plain form, such as
// a file, is unknown.
func read(v *structpb.Value) any {
	switch kind := v.GetKind().(type) {
	case *structpb.Value_BoolValue:
		return kind.BoolValue
	case *structpb.Value_NumberValue:
		return tree.Number(kind.NumberValue)
	case *structpb.Value_StringValue:
		if slices.Contains(unknowns, kind.StringValue) {
			return tree.Unknown{}
		}
		return kind.StringValue
	case *structpb.Value_ListValue:
		list := make([]any, len(kind.ListValue.GetValues()))
		for i, element := range kind.ListValue.GetValues() {
			list[i] = read(element)
		}
		return list
	case *structpb.Value_StructValue:
		switch sign(kind.StructValue) {
		case "":
			return properties(kind.StructValue)
		case secret:
			return tree.Seal(read(kind.StructValue.GetFields()[held]))
		default:
			return tree.Unknown{}
		}
	default:
		return nil
	}
}

// sign returns the signature of a map, "" for a plain one.
func sign(s *structpb.Struct) string { return s.GetFields()[signature].GetStringValue() }

// set returns a copy of a map with another value at a key.
func set(in *structpb.Struct, key string, value *structpb.Value) *structpb.Value {
	fields := maps.Clone(in.GetFields())
	if fields == nil {
		fields = map[string]*structpb.Value{}
	}
	fields[key] = value
	return structpb.NewStructValue(&structpb.Struct{Fields: fields})
}

// withoutAnnotations returns a copy of properties whose annotations are unknown.
func withoutAnnotations(in *structpb.Struct) *structpb.Struct {
	return hide(structpb.NewStructValue(in), "metadata", "annotations").GetStructValue()
}

// hide returns a copy of a value that is unknown at a path.
func hide(in *structpb.Value, path ...string) *structpb.Value {
	of := in.GetStructValue()
	switch {
	case len(path) == 0 || in.GetStringValue() != "":
		return structpb.NewStringValue(unknownText)
	case sign(of) == secret:
		return set(of, held, hide(of.GetFields()[held], path...))
	default:
		return set(of, path[0], hide(of.GetFields()[path[0]], path[1:]...))
	}
}
