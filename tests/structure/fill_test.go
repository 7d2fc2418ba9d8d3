package structure

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

// byHand has objects of the kinds for which the tests' module has no types.
var byHand = map[string]string{
	"apiextensions.k8s.io/v1 CustomResourceDefinition": `{"spec": {"group": "example.com", "scope": "Namespaced",
		"names": {"plural": "shops", "singular": "shop", "kind": "Shop", "shortNames": ["s"]},
		"versions": [{"name": "v1", "served": true, "storage": true, "additionalPrinterColumns": [
			{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp", "priority": 1}],
		"subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}},
		"schema": {"openAPIV3Schema": {"type": "object", "required": ["spec"], "properties": {"spec": {
			"type": "object", "x-kubernetes-preserve-unknown-fields": true, "additionalProperties": {"type": "string"},
			"properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9.5, "default": 3, "enum": [1, 3]},
			"l": {"type": "array", "items": {"type": "string", "maxLength": 5}}},
			"x-kubernetes-validations": [{"rule": "self.n > 0", "message": "too few"}]}}}}}]}}`,
	"apiregistration.k8s.io/v1 APIService": `{"spec": {"group": "example.com", "version": "v1",
		"groupPriorityMinimum": 1000, "versionPriority": 15, "insecureSkipTLSVerify": true,
		"service": {"name": "shop", "namespace": "default", "port": 443}, "caBundle": "YWJj"}}`,
}

// filler creates objects that the API server can decode, from the types of Kubernetes' client.
type filler struct {
	random *rand.Rand
	within []reflect.Type
}

// object returns an object of a kind, or false if there is no type for it.
func (f *filler) object(t *testing.T, groupVersion, kind string) (map[string]any, bool) {
	t.Helper()
	version, err := schema.ParseGroupVersion(groupVersion)
	check(t, err)
	text := []byte(byHand[groupVersion+" "+kind])
	if len(text) == 0 {
		typed, err := scheme.Scheme.New(version.WithKind(kind))
		if runtime.IsNotRegisteredError(err) {
			return nil, false
		}
		check(t, err)
		f.fill(reflect.ValueOf(typed).Elem())
		text, err = json.Marshal(typed)
		check(t, err)
	}
	var object map[string]any
	check(t, json.Unmarshal(text, &object))
	object["apiVersion"], object["kind"] = groupVersion, kind
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{"labels": map[string]any{"app": "shop"}}
		object["metadata"] = metadata
	}
	metadata["name"] = "shop"
	delete(metadata, "namespace")
	return object, true
}

// fill sets the fields of a value: all fields near the root, and some of the others.
func (f *filler) fill(v reflect.Value) {
	if f.special(v) {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"a", "shop", "web-1"}[f.random.IntN(3)])
	case reflect.Bool:
		v.SetBool(f.random.IntN(2) == 0)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(1 + f.random.IntN(100)))
	case reflect.Uint8:
		v.SetUint(uint64(f.random.IntN(256)))
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+f.random.IntN(2), 2))
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(element)
		v.SetMapIndex(key, element)
	case reflect.Struct:
		f.fields(v)
	default:
	}
}

func (f *filler) fields(v reflect.Value) {
	if slices.Contains(f.within, v.Type()) {
		return // A type within itself.
	}
	f.within = append(f.within, v.Type())
	defer func() { f.within = f.within[:len(f.within)-1] }()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		tag := field.Tag.Get("json")
		if tag == "-" || !field.IsExported() {
			continue
		}
		if inline := strings.Contains(tag, ",inline"); inline || len(f.within) < 3 || f.random.IntN(3) == 0 {
			f.fill(v.Field(i))
		}
	}
}

// special sets a value of a type with its own JSON encoding.
func (f *filler) special(v reflect.Value) bool {
	switch at := v.Addr().Interface().(type) {
	case *metav1.TypeMeta:
	case *metav1.Time:
		at.Time = time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)
	case *metav1.MicroTime:
		at.Time = time.Date(2026, 11, 24, 8, 0, 0, 1000, time.UTC)
	case *metav1.FieldsV1:
		at.SetRawBytes([]byte(`{"f:metadata": {}}`))
	case *runtime.RawExtension:
		at.Raw = []byte(`{"apiVersion": "example.com/v1", "kind": "Settings", "a": [1]}`)
	case *resource.Quantity:
		*at = resource.MustParse([]string{"500m", "2Gi", "3"}[f.random.IntN(3)])
	case *intstr.IntOrString:
		*at = []intstr.IntOrString{intstr.FromInt32(8080), intstr.FromString("http")}[f.random.IntN(2)]
	default:
		return false
	}
	return true
}
