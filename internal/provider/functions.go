package provider

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Functions returns the plain functions of Go that the plugin serves as functions.
func Functions() []Function {
	return []Function{
		function("mixedkube:bootstrap:antreaConfig", "network.Defaulted.AntreaConfig", antreaConfig),
		function("mixedkube:bootstrap:antreaManifests", "network.Defaulted.AntreaManifests", antreaManifests),
		function("mixedkube:bootstrap:calicoObjects", "network.Defaulted.CalicoObjects", calicoObjects),
		function("mixedkube:bootstrap:calicoValues", "network.Defaulted.CalicoValues", calicoValues),
		function("mixedkube:bootstrap:egressPolicies", "network.Defaulted.EgressPolicies", egressPolicies),
		function("mixedkube:gmsa:crd", "gmsa.CRD", crd),
		function("mixedkube:logmonitor:aspnet", "logmonitor.ASPNET", aspnet),
		function("mixedkube:logmonitor:iis", "logmonitor.IIS", iisSources),
		function("mixedkube:logmonitor:iisCommand", "logmonitor.IISCommand", iisCommand),
		function("mixedkube:platform:fromImage", "platform.FromImage", fromImage),
		function("mixedkube:preflight:check", "preflight.Check", checkObject),
		function("mixedkube:topology:nodeSelector", "topology.NodeSelector", nodeSelector),
		function("mixedkube:topology:tolerations", "topology.Defaulted.Tolerations", tolerations),
		function("mixedkube:workload:httpProbe", "workload.HTTPProbe", httpProbe),
		function("mixedkube:workload:powerShellProbe", "workload.PowerShellProbe", powerShellProbe),
		function("mixedkube:workload:tcpProbe", "workload.TCPProbe", tcpProbe),
	}
}

// Function is a function that the plugin serves.
type Function struct {
	// Token is its name in all languages.
	Token string
	// Go is the function or the method of Go, in a package that this one imports. Its comment describes this
	// function.
	Go string
	// Args and Result are the types of its arguments and of what it returns.
	Args, Result reflect.Type
	call         func(args any) (any, field.ErrorList)
}

// function returns the row of [Functions] for a function.
func function[Args, Result any](token, name string, call func(*Args) (Result, field.ErrorList)) Function {
	return Function{
		Token: token, Go: name, Args: reflect.TypeFor[Args](), Result: reflect.TypeFor[Result](),
		call: func(args any) (any, field.ErrorList) { return call(args.(*Args)) },
	}
}

// Manifest is a Kubernetes object as a program writes it. It can contain outputs: secrets in it are checked and not
// shown.
type Manifest map[string]any

var manifestType = reflect.TypeFor[Manifest]()

// run answers a request of the engine. It returns all mistakes as one error: Python's SDK shows only the first of
// several failures.
func (f Function) run(req *pulumirpc.InvokeRequest) (*pulumirpc.InvokeResponse, error) {
	inputs, err := plugin.UnmarshalProperties(req.GetArgs(), plugin.MarshalOptions{
		KeepUnknowns: true, KeepSecrets: true, KeepResources: true, KeepOutputValues: true,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: reading the arguments: %w", f.Token, err)
	}
	secret := inputs.ContainsSecrets()
	inputs, wrong, others := withTopologyFile(f.Args, inputs)
	manifests := map[string]any{}
	for key, at := range fields(f.Args) {
		if v, ok := inputs[resource.PropertyKey(key)]; ok && at.Type == manifestType && !v.IsNull() {
			manifests[key] = marked(v)
			delete(inputs, resource.PropertyKey(key))
		}
	}
	read := read(f.Args, inputs)
	maps.Copy(read.plain.(map[string]any), manifests)
	args := reflect.New(f.Args)
	errs := slices.Concat(wrong, read.decode(args.Interface(), provider.ConstructInputs{}))
	for _, at := range read.unknown {
		errs = append(errs, field.Invalid(at, field.OmitValueType{}, "is not known yet: call the function's form "+
			"that takes outputs, which waits for the value"))
	}
	made, more := f.call(args.Interface())
	errs = append(errs, apart(more, errs)...)
	if err := fielderrors.Join(f.Token, errs, others...); err != nil {
		return nil, err
	}
	result := resource.NewPropertyMapFromMap(encode(reflect.ValueOf(made)).(map[string]any))
	if secret {
		// The SDKs look for secrets at the top only.
		for key, v := range result {
			result[key] = resource.MakeSecret(v)
		}
	}
	returned, err := plugin.MarshalProperties(result, plugin.MarshalOptions{KeepSecrets: true})
	if err != nil {
		return nil, fmt.Errorf("%s: returning the result: %w", f.Token, err)
	}
	return &pulumirpc.InvokeResponse{Return: returned}, nil
}

// apart returns the errors of a function that do not follow from arguments that could not be read.
func apart(more, unread field.ErrorList) field.ErrorList {
	below := func(a, b string) bool { return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(a, b+"[") }
	return slices.DeleteFunc(more, func(e *field.Error) bool {
		return slices.ContainsFunc(unread, func(other *field.Error) bool {
			return below(e.Field, other.Field) || below(other.Field, e.Field)
		})
	})
}

// encode returns a result as a tree. It omits optional empty values.
func encode(v reflect.Value) any {
	if v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		if text, ok := reflect.TypeAssert[encoding.TextMarshaler](v); ok {
			written, err := text.MarshalText()
			if err != nil {
				return err.Error()
			}
			return string(written)
		}
		made := encode(v.Elem())
		if hasVariants(v.Type()) {
			made.(map[string]any)[variantKey] = v.Elem().Type().Name()
		}
		return made
	}
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return float64(v.Int())
	case reflect.Float64:
		return v.Float()
	case reflect.Uint64:
		return fmt.Sprintf("%#x", v.Uint())
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = encode(v.Index(i))
		}
		return list
	case reflect.Map:
		object := map[string]any{}
		for key, element := range v.Seq2() {
			object[key.String()] = encode(element)
		}
		return object
	case reflect.Struct:
		object := map[string]any{}
		for key, f := range fields(v.Type()) {
			// The tags of Kubernetes' types do not mark optional fields: all of them are optional.
			own := strings.HasPrefix(owner(v.Type(), f).PkgPath(), "github.com/mixedkube/")
			if at := v.FieldByIndex(f.Index); !at.IsZero() || own && !optional(f) {
				object[key] = encode(at)
			}
		}
		return object
	}
	panic(fmt.Sprintf("provider: %s cannot be a result", v.Type()))
}

// owner returns the struct that declares a field, which can be an embedded one.
func owner(t reflect.Type, f reflect.StructField) reflect.Type {
	for _, i := range f.Index[:max(len(f.Index)-1, 0)] {
		t = below(t.Field(i).Type)
	}
	return t
}
