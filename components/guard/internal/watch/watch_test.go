package watch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/components/guard/internal/watch"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

// recorder notes what it is shown. Its answers are fixed, by the name of the object.
type recorder struct {
	opening          error
	clusters, places bool
	verdicts         map[string]record.Verdict
	takes            time.Duration

	mu   sync.Mutex
	seen []string
}

func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, fmt.Sprintf(format, args...))
}

func (r *recorder) Open() error      { return r.opening }
func (r *recorder) ByProvider() bool { return r.clusters }
func (r *recorder) Places() bool     { return r.places }

func (r *recorder) Check(o record.Object, properties func() map[string]any) record.Verdict {
	if properties == nil {
		r.note("check %s", o.Name)
		return record.Verdict{}
	}
	time.Sleep(r.takes)
	spec, _ := properties()["spec"].(map[string]any)
	r.note("check %s of %q on %v", o.Name, o.Provider, spec["nodeName"])
	return r.verdicts[o.Name]
}

func (r *recorder) Pass(o record.Object, _ map[string]any) bool {
	verdict := r.verdicts[o.Name]
	if !verdict.Stops {
		r.note("pass %s of %q", o.Name, o.Provider)
	}
	return !verdict.Stops
}

func (r *recorder) Problem(err error) { r.note("problem: %v", err) }

func (r *recorder) Missed(u record.Unseen) {
	r.note("miss %s, for good: %t: %s", u.At.Name(), u.Until == nil, u.Reason)
}

func (r *recorder) Arrived(until any) {
	r.note("below %s", until.(pulumi.Resource).PulumiResourceName())
}

// watched is a program that a watcher watches from its begin.
type watched struct {
	before, program pulumi.RunFunc
	end             record.End
}

// early returns the names of the objects that were registered before the begin.
func (w *watched) early() (names []string) {
	for _, at := range w.end.Early {
		names = append(names, at.Name())
	}
	return names
}

// run returns the program as one that Pulumi runs.
func (w *watched) run(r *recorder) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		watcher, err := watch.New(ctx)
		if w.before != nil {
			err = errors.Join(err, w.before(ctx))
		}
		if err = errors.Join(err, watcher.Begin(r)); err == nil {
			err = w.program(ctx)
		}
		w.end = watcher.Wait()
		return err
	}
}

func (r *recorder) diff(t *testing.T, want ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.Sort(r.seen)
	if diff := cmp.Diff(want, r.seen); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
}

// pod registers a Pod on the node that its name has.
func pod(name string, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := corev1.NewPod(ctx, name,
			&corev1.PodArgs{Spec: corev1.PodSpecArgs{NodeName: pulumi.String(name + "-node")}}, opts...)
		return err
	}
}

func podBelow(name string) programBelow {
	return func(below pulumi.ResourceOption) pulumi.RunFunc { return pod(name, below) }
}

func remote(typ, name string) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		return ctx.RegisterRemoteComponentResource(typ, name, nil, &pulumi.ResourceState{})
	}
}

// programBelow is a program whose resources are below one.
type programBelow func(below pulumi.ResourceOption) pulumi.RunFunc

// component registers one, with a program below it.
func component(name string, below programBelow, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		r := &pulumi.ResourceState{}
		if err := ctx.RegisterComponentResource("shop:index:Box", name, r, opts...); err != nil {
			return err
		}
		return below(pulumi.Parent(r))(ctx)
	}
}

// group registers a component for which the mocks return no objects.
func group(name string) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		return ctx.RegisterComponentResource("kubernetes:yaml:ConfigGroup", name, &pulumi.ResourceState{})
	}
}

func all(programs ...pulumi.RunFunc) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		for _, program := range programs {
			if err := program(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

func mode(update bool) []mocktest.Option {
	if update {
		return nil
	}
	return []mocktest.Option{mocktest.Preview()}
}

var stops = map[string]record.Verdict{"wrong": {Stops: true}}

// same is a transform, or a transformation, that changes nothing.
var same = pulumi.Transforms([]pulumi.ResourceTransform{
	func(context.Context, *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult { return nil },
})

func TestInAPreviewTheEngineShowsOnlySuspects(t *testing.T) {
	t.Parallel()
	r := &recorder{verdicts: stops}
	w := watched{program: all(
		pod("right"), pod("wrong"), pod("changed", same),
		component("box", func(below pulumi.ResourceOption) pulumi.RunFunc {
			return all(pod("below", below), pod("below-changed", below, same))
		}),
		// The transform of the outer component shows it, once.
		component("outer", func(below pulumi.ResourceOption) pulumi.RunFunc {
			return component("inner", podBelow("inherits"), below)
		}, same),
	)}
	mocktest.MustRun(t, w.run(r), mocktest.Preview())
	r.diff(t, `check below-changed of "" on below-changed-node`, `check changed of "" on changed-node`,
		`check inherits of "" on inherits-node`, `check wrong of "" on wrong-node`, `pass below of ""`,
		`pass right of ""`)
}

func TestTheEngineShowsEverything(t *testing.T) {
	t.Parallel()
	// Otherwise the engine may still be registering it, and show it, too.
	early := func(ctx *pulumi.Context) error {
		early, err := corev1.NewPod(ctx, "early", nil)
		if err == nil {
			done := make(chan bool)
			early.URN().ApplyT(func(pulumi.URN) int { close(done); return 0 })
			<-done
		}
		return err
	}
	const checked = `check web of "" on web-node`
	for name, tt := range map[string]struct {
		before         pulumi.RunFunc
		places, update bool
		want           string
	}{
		"in a preview it does not":  {want: `pass web of ""`},
		"in an update":              {update: true, want: checked},
		"if pods are completed":     {places: true, want: checked},
		"after an earlier resource": {before: early, want: checked},
	} {
		r := &recorder{places: tt.places}
		w := watched{before: tt.before, program: pod("web")}
		mocktest.MustRun(t, w.run(r), mode(tt.update)...)
		if diff := cmp.Diff([]string{tt.want}, r.seen); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if got := w.early(); (len(got) == 1) != (tt.before != nil) {
			t.Errorf("%s: early %v", name, got)
		}
	}
}

// A preview continues after a wrong resource, unless the program can no longer fail.
func TestTheEngineAppliesTheVerdict(t *testing.T) {
	t.Parallel()
	own, concealed := []string{"metadata"}, []string{"metadata.annotations"}
	edits := []mutate.Edit{{Path: []string{"spec", "hostname"}, Value: "web"}}
	for name, tt := range map[string]struct {
		verdict  record.Verdict
		update   bool
		hostname any
		unknown  []string
		ignores  []string
		fails    bool
	}{
		"right":           {ignores: own},
		"stopped":         {verdict: record.Verdict{Stops: true}, unknown: concealed, ignores: own},
		"stopped at last": {verdict: record.Verdict{Stops: true, Failure: errors.New("ended")}, fails: true},
		"stopped at once": {verdict: record.Verdict{Stops: true}, update: true, fails: true},
		"wrong, completed": {
			verdict:  record.Verdict{Edits: edits, IgnoreChanges: []string{"spec"}, Stops: true},
			hostname: "web", unknown: concealed, ignores: own,
		},
		"completed": {
			verdict:  record.Verdict{Edits: edits, IgnoreChanges: []string{"spec"}},
			hostname: "web", ignores: append(own, "spec"),
		},
	} {
		r := &recorder{places: true, verdicts: map[string]record.Verdict{"web": tt.verdict}}
		w := watched{program: pod("web", pulumi.IgnoreChanges(own))}
		graph, err := mocktest.Run(w.run(r), mode(tt.update)...)
		if tt.fails {
			const problem = "a resource has failed, and what depends on it is not seen"
			if !strings.Contains(fmt.Sprint(err), watch.ErrNotDeployed.Error()) ||
				w.end.Problem.Error() != problem {
				t.Errorf("%s: %v, and at its end: %v", name, err, w.end.Problem)
			}
			continue
		}
		web := graph.Resources()[0]
		got := []any{web.Plain()["spec"].(map[string]any)["hostname"], web.Unknowns(), web.IgnoreChanges}
		if diff := cmp.Diff([]any{tt.hostname, tt.unknown, tt.ignores}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// mocks are the SDK's, which return the inputs.
type mocks struct{}

func (mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name, args.Inputs, nil
}

func (mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) { return args.Args, nil }

func alone(program pulumi.RunFunc) error {
	return pulumi.RunErr(program, pulumi.WithMocks("project", "stack", mocks{}))
}

func TestAloneShowsWhatTheProgramRegisters(t *testing.T) {
	t.Parallel()
	r := &recorder{verdicts: stops}
	w := watched{
		before: all(pod("early"), group("empty")),
		program: all(
			pod("right"), pod("wrong"), pod("changed", same),
			component("box", podBelow("below")), component("changing", podBelow("below-changing"), same),
			group("nothing"), remote("shop:index:Remote", "remote"),
			remote("kubernetes:helm.sh/v4:Chart", "chart"),
			func(ctx *pulumi.Context) error {
				return ctx.RegisterStackTransformation(
					func(*pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult { return nil })
			}, pod("last"),
		),
	}
	if err := alone(w.run(r)); err != nil || w.end.Problem != nil {
		t.Errorf("%v, and at its end: %v", err, w.end.Problem)
	}
	const transforms = "it has resource transforms, or a resource above it has: without an engine they are not " +
		"called, and their changes are not known"
	const others = "another process registers what is below it, and is not run without an engine"
	r.diff(t, "below box", "below changing", `check below of "" on below-node`, `check chart of "" on <nil>`,
		`check right of "" on right-node`,
		`check wrong of "" on wrong-node`, "miss below-changing, for good: true: "+transforms,
		"miss changed, for good: true: "+transforms, "miss chart, for good: true: "+others,
		"miss last, for good: true: a transformation of the stack that was registered after the guard's may change it",
		"miss nothing, for good: false: nothing is registered below it: the mock of kubernetes:yaml:decode must give "+
			"the objects as \"result\"",
		"miss remote, for good: true: "+others)
	if diff := cmp.Diff([]string{"early", "empty"}, w.early()); diff != "" {
		t.Errorf("early (-want +got):\n%s", diff)
	}
}

// No resource is stopped, so the failure comes from elsewhere, and the program has it once.
func TestAloneFailsTheProgramIfItCanNoLongerFail(t *testing.T) {
	t.Parallel()
	ended := errors.New("ended")
	for name, tt := range map[string]struct {
		verdict record.Verdict
		want    error
	}{
		"at the end of the program": {record.Verdict{Stops: true}, nil},
		"after it":                  {record.Verdict{Stops: true, Failure: ended}, ended},
	} {
		r := &recorder{verdicts: map[string]record.Verdict{"web": tt.verdict, "app": tt.verdict}}
		w := watched{program: all(pod("web"), pod("app"))}
		if err := alone(w.run(r)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
		r.diff(t, `check app of "" on app-node`, `check web of "" on web-node`)
	}
}

func TestTheProgramWaitsForTheRecorder(t *testing.T) {
	t.Parallel()
	r := &recorder{takes: 50 * time.Millisecond}
	w := watched{program: pod("web")}
	if err := alone(func(ctx *pulumi.Context) error {
		err := w.run(r)(ctx)
		r.diff(t, `check web of "" on web-node`) // now, and not when Pulumi ends
		return err
	}); err != nil {
		t.Error(err)
	}
}

func TestNothingIsShownBeforeTheRecorderIsOpen(t *testing.T) {
	t.Parallel()
	opening := errors.New("a pool is wrong")
	r := &recorder{opening: opening}
	w := watched{before: pod("early"), program: pod("web")}
	if err := alone(w.run(r)); !errors.Is(err, opening) {
		t.Errorf("alone: %v", err)
	}
	if _, err := mocktest.Run(w.run(r)); !errors.Is(err, opening) {
		t.Errorf("with an engine: %v", err)
	}
	r.diff(t)
}
