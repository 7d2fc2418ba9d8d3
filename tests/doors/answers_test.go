package doors

import (
	"bytes"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/conversion"
	lockfile "github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// answer is the result of a door for a workload.
type answer struct {
	// spec is the pods' spec that the API server gets, without null values.
	spec map[string]any
	// needsPlatform reports whether the door asks for the platform of the pods.
	needsPlatform bool
	// failed is the error that prevented the registration.
	failed error
	// forbids reports whether preflight forbids a field for the pods' operating system.
	forbids bool
}

// why returns the error that prevented the registration.
func (a *answer) why() error {
	if a == nil {
		return nil
	}
	return a.failed
}

// answers are the answers of a door by the names of the workloads.
type answers map[string]*answer

func (a answers) of(name string) *answer {
	if a[name] == nil {
		a[name] = &answer{}
	}
	return a[name]
}

// The names of the doors are the prefixes of the names of their resources.
const (
	byManifest      = "manifest"
	byManifestClass = "manifest-with-classes"
	byTyped         = "typed"
	byTypedClass    = "typed-with-classes"
	byGuard         = "guard"
)

func specOf(o map[string]any) map[string]any {
	return tree.Map(input.Tree(pods.ReadObject(o).Pods.Spec))
}

// adopt converts the texts.
func (b *batch) adopt(t *testing.T, classes bool) (conversion.Result, answers) {
	t.Helper()
	var files []conversion.File
	for _, i := range b.items {
		files = append(files, conversion.File{Name: i.name, Text: i.text})
	}
	result, errs := conversion.Convert(files, b.options(t, classes))
	if len(errs) > 0 {
		t.Fatalf("%s: %v", b.name, errors.Join(errs...))
	}
	all := answers{}
	for n, f := range result.Files {
		if len(f.Problems) > 0 {
			t.Fatalf("%s: %v", f.Name, errors.Join(f.Problems...))
		}
		docs, err := manifests.ReadYAML(bytes.NewReader(f.Text), f.Name)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = &answer{
			spec:          specOf(tree.Map(docs[0].Value)),
			needsPlatform: result.Objects[n].Done == conversion.Unknown,
		}
	}
	return result, all
}

func (b *batch) options(t *testing.T, classes bool) conversion.Options {
	t.Helper()
	lock, err := userfiles.Find(b.images, lockfile.DefaultFile, lockfile.Decode)
	if err != nil {
		t.Fatal(err)
	}
	return conversion.Options{Topology: b.topology, AssumeLinux: b.assume, RuntimeClasses: classes}.WithImages(lock)
}

// components registers the workloads with a group of manifests and with typed arguments, for the platforms that adopt
// has found. The program runs under the guard, so that workloads with findings of preflight are registered too.
func (b *batch) components(
	t *testing.T, group, typed string, scheduling workload.Scheduling, adopted conversion.Result,
) map[string]answers {
	t.Helper()
	all := map[string]answers{group: {}, typed: {}}
	var text bytes.Buffer
	for _, i := range b.items {
		text.WriteString("---\n")
		text.Write(i.text)
	}
	args := &manifest.GroupArgs{
		YAML: text.String(), Options: b.options(t, scheduling == workload.ByRuntimeClass), Images: b.images,
	}
	var found guard.Report
	graph := b.run(t, guard.Args{Topology: b.topology, Images: b.images}, func(ctx *pulumi.Context) error {
		g, err := manifest.NewGroup(ctx, group, args)
		if err != nil {
			return err
		}
		for _, r := range g.Resources {
			all[group].of(r.Object.Name).needsPlatform = r.Object.Done == manifest.Unknown
		}
		for n, i := range b.items {
			if p := adopted.Objects[n].Platform; i.typed != nil && p != "" {
				if err := i.typed.register(ctx, typed+":"+i.name, p, scheduling, b.topology); err != nil {
					return err
				}
			}
		}
		return nil
	}, guard.ReportTo(&found))
	record(graph, all)
	// A preview under the guard continues after a component with wrong arguments, and reports them.
	for _, i := range b.items {
		for _, problem := range found.Problems {
			if strings.Contains(problem.Error(), strconv.Quote(typed+":"+i.name)) {
				all[typed].of(i.name).failed = problem
			}
		}
	}
	return all
}

// place registers the unchanged objects under the guard, which completes them.
func (b *batch) place(t *testing.T) answers {
	t.Helper()
	all := map[string]answers{byGuard: {}}
	var found guard.Report
	graph := b.run(t, guard.Args{Topology: b.topology, Images: b.images, Place: true, AssumeLinux: b.assume},
		func(ctx *pulumi.Context) error {
			for _, i := range b.items {
				version, _ := tree.Text(i.pods.Tree["apiVersion"])
				if !strings.Contains(version, "/") {
					version = "core/" + version
				}
				var r pulumi.CustomResourceState
				props, err := input.Build(propertiesType, i.pods.Tree)
				if err != nil {
					return err
				}
				token := "kubernetes:" + version + ":" + i.pods.Kind
				if err := ctx.RegisterResource(token, byGuard+":"+i.name, props.Interface().(pulumi.Map),
					&r); err != nil {
					return err
				}
			}
			return nil
		}, guard.ReportTo(&found))
	record(graph, all)
	for _, l := range found.Landings {
		all[byGuard].of(l.Name).needsPlatform = strings.Contains(l.Text, ", not placed: ")
	}
	return all[byGuard]
}

var propertiesType = reflect.TypeFor[pulumi.Map]()

// run runs a program under the guard as a preview: a preview also registers objects with findings of preflight, and the
// program only fails at its end.
func (b *batch) run(
	t *testing.T, args guard.Args, program pulumi.RunFunc, options ...guard.Option,
) *mocktest.Graph {
	t.Helper()
	graph, err := mocktest.Run(guard.Program(func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, args); err != nil {
			return err
		}
		return program(ctx)
	}, options...), mocktest.Preview())
	if _, found := errors.AsType[*guard.Error](err); err != nil && !found {
		t.Fatalf("%s: %v", b.name, err)
	}
	return graph
}

// record reads the registered resources, and the guard's logs about them.
func record(graph *mocktest.Graph, all map[string]answers) {
	for _, r := range graph.Resources() {
		if !strings.HasPrefix(r.Type, "kubernetes:") {
			continue
		}
		o := r.Plain()
		door, _, _ := strings.Cut(r.Name, ":")
		if name, known := tree.At(o, "metadata", "name").(string); known {
			all[door].of(name).spec = specOf(o)
		}
	}
	for _, l := range graph.Logs() {
		if l.URN == "" || !forbidden.MatchString(l.Message) {
			continue
		}
		door, rest, _ := strings.Cut(l.URN.Name(), ":")
		name, _, _ := strings.Cut(rest, "-")
		all[door].of(name).forbids = true
	}
}

// forbidden matches the messages of the rules about fields of one operating system.
var forbidden = regexp.MustCompile(`: Forbidden: .*\(MK1[0-9][0-9]\)$`)
