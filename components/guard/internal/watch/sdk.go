package watch

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// The SDK does not export which transforms a program has registered, nor which components are remote. So this file
// reads unexported fields of the SDK. If another version of the SDK does not have such a field, the answer is the
// careful one, with which the engine shows all resources.

// transformations returns the functions that [pulumi.Context.RegisterStackTransformation] has registered, or none if
// they are not known.
func transformations(ctx *pulumi.Context) (all []uintptr) {
	if list := private(ctx, "state", "stack", "transformations"); list.Kind() == reflect.Slice {
		for i := range list.Len() {
			all = append(all, list.Index(i).Pointer())
		}
	}
	return all
}

// Running reports whether the context belongs to a running program, which has a stack. The SDK panics with others.
func Running(ctx *pulumi.Context) bool {
	for _, of := range []reflect.Value{reflect.ValueOf(ctx), private(ctx, "state"), private(ctx, "state", "stack")} {
		if (of.Kind() == reflect.Pointer || of.Kind() == reflect.Interface) && of.IsNil() {
			return false
		}
	}
	return true
}

// shows reports whether an engine shows resources to transforms: an old one does not, and the mocks panic on them.
func shows(ctx *pulumi.Context) bool {
	has := private(ctx, "state", "supportsTransforms")
	return !ctx.RunningWithMocks() && (has.Kind() != reflect.Bool || has.Bool())
}

// reading reports whether a transformation is about a resource that is only read.
func reading() bool {
	callers := make([]uintptr, 12) // from here up to the function that the program has called
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, readFunction) {
			return true
		}
		if !more {
			return false
		}
	}
}

// readFunction begins the names of [pulumi.Context.ReadResource] and of the one for packages.
const readFunction = "github.com/pulumi/pulumi/sdk/v3/go/pulumi.(*Context).Read"

// calledBack reports whether the engine calls functions of the program, such as transforms.
func calledBack(ctx *pulumi.Context) bool {
	server := private(ctx, "state", "callbacks")
	return server.Kind() != reflect.Pointer || !server.IsNil()
}

// local reports whether the resources below a component are registered by the program itself.
func local(component pulumi.Resource) bool {
	state := reflect.ValueOf(component).Elem()
	if state.Type() != reflect.TypeFor[pulumi.ResourceState]() {
		// The SDK looks at this field, too, and no deeper.
		f, ok := state.Type().FieldByName("ResourceState")
		if !ok || len(f.Index) != 1 || f.Type != reflect.TypeFor[pulumi.ResourceState]() {
			return false
		}
		state = state.FieldByIndex(f.Index)
	}
	remote := state.FieldByName("keepDep")
	return remote.Kind() == reflect.Bool && !remote.Bool()
}

// private returns the field at the end of the path, or the zero value.
func private(of any, path ...string) reflect.Value {
	v := reflect.ValueOf(of)
	for _, name := range path {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		v = v.FieldByName(name)
	}
	return v
}
