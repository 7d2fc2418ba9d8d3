package mocktest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Marker replaces a value without a plain form in a plain view. Its type distinguishes it from a string with the same
// text.
type Marker string

const (
	// SecretValue represents a secret, known or not.
	SecretValue Marker = "secret"
	// UnknownValue represents a value that is not known yet.
	UnknownValue Marker = "unknown"
)

// Plain returns the properties as maps, slices, strings, bools and numbers, to compare all of them at once. A whole
// number is an int, any other number a float64. Secrets become [SecretValue] and unknown values [UnknownValue]. A
// reference to a resource becomes Marker("resource <URN>"), an asset or archive Marker("asset <hash>") or
// Marker("archive <hash>").
func Plain(properties resource.PropertyMap) map[string]any {
	plain := make(map[string]any, len(properties))
	for key, value := range properties {
		plain[string(key)] = plainValue(value)
	}
	return plain
}

func plainValue(v resource.PropertyValue) any {
	switch {
	case v.IsSecret():
		return SecretValue
	case v.IsComputed():
		return UnknownValue
	case v.IsObject():
		return Plain(v.ObjectValue())
	case v.IsArray():
		plain := make([]any, 0, len(v.ArrayValue()))
		for _, element := range v.ArrayValue() {
			plain = append(plain, plainValue(element))
		}
		return plain
	case v.IsNumber():
		if n, whole := tree.Number(v.NumberValue()).(int64); whole {
			return int(n)
		}
		return v.NumberValue()
	case v.IsResourceReference():
		return Marker("resource " + v.ResourceReferenceValue().URN)
	case v.IsAsset():
		return Marker("asset " + v.AssetValue().Hash)
	case v.IsArchive():
		return Marker("archive " + v.ArchiveValue().Hash)
	default: // null, bool, string
		return v.V
	}
}

// Revealed is [Plain] with the values of secrets in clear, for tests of what must, or must not, be in a secret.
func Revealed(properties resource.PropertyMap) map[string]any {
	return Plain(revealed(resource.NewProperty(properties)).ObjectValue())
}

func revealed(v resource.PropertyValue) resource.PropertyValue {
	switch {
	case v.IsSecret():
		return revealed(v.SecretValue().Element)
	case v.IsObject():
		object := make(resource.PropertyMap, len(v.ObjectValue()))
		for key, element := range v.ObjectValue() {
			object[key] = revealed(element)
		}
		return resource.NewProperty(object)
	case v.IsArray():
		list := make([]resource.PropertyValue, 0, len(v.ArrayValue()))
		for _, element := range v.ArrayValue() {
			list = append(list, revealed(element))
		}
		return resource.NewProperty(list)
	default:
		return v
	}
}

// Secrets returns the paths of the secrets, sorted, such as `spec.containers[0].env[1].value` or `data["tls.key"]`.
// Secrets inside of a secret are not listed.
func Secrets(properties resource.PropertyMap) []string {
	return paths(properties, func(v resource.PropertyValue) (found, descend bool) {
		return v.IsSecret(), !v.IsSecret()
	})
}

// Unknowns returns the paths of the values that are not known yet, sorted, including those inside of secrets.
func Unknowns(properties resource.PropertyMap) []string {
	return paths(properties, func(v resource.PropertyValue) (found, descend bool) {
		return v.IsComputed(), true
	})
}

func paths(properties resource.PropertyMap, visit func(resource.PropertyValue) (found, descend bool)) []string {
	var result []string
	var walk func(path resource.PropertyPath, v resource.PropertyValue)
	walk = func(path resource.PropertyPath, v resource.PropertyValue) {
		found, descend := visit(v)
		if found {
			result = append(result, path.String())
		}
		switch {
		case !descend:
		case v.IsSecret():
			walk(path, v.SecretValue().Element)
		case v.IsObject():
			for key, element := range v.ObjectValue() {
				walk(append(slices.Clip(path), string(key)), element)
			}
		case v.IsArray():
			for i, element := range v.ArrayValue() {
				walk(append(slices.Clip(path), i), element)
			}
		}
	}
	walk(nil, resource.NewProperty(properties))
	slices.Sort(result)
	return result
}

// merged returns base with additions merged into it, object by object.
func merged(base, additions resource.PropertyMap) resource.PropertyMap {
	result := make(resource.PropertyMap, len(base)+len(additions))
	maps.Copy(result, base)
	for key, value := range additions {
		if old, ok := result[key]; ok && old.IsObject() && value.IsObject() {
			value = resource.NewProperty(merged(old.ObjectValue(), value.ObjectValue()))
		}
		result[key] = value
	}
	return result
}

func unmarshal(properties *structpb.Struct) (resource.PropertyMap, error) {
	result, err := plugin.UnmarshalProperties(properties, wireOptions())
	if err != nil {
		return nil, fmt.Errorf("mocktest: reading properties: %w", err)
	}
	return result, nil
}

func marshal(properties resource.PropertyMap) (*structpb.Struct, error) {
	result, err := plugin.MarshalProperties(properties, wireOptions())
	if err != nil {
		return nil, fmt.Errorf("mocktest: writing properties: %w", err)
	}
	return result, nil
}

func wireOptions() plugin.MarshalOptions {
	return plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true, KeepResources: true}
}
