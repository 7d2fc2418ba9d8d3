package mocktest

import (
	"fmt"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// recorder answers the program and records its requests.
type recorder struct {
	settings

	asking sync.Mutex // held while a function of the test runs

	mu       sync.Mutex // guards what follows
	records  map[resource.URN]*record
	provider map[string]resource.URN // by provider reference, "<URN>::<ID>"
	hooks    []string
	exports  resource.PropertyMap
	calling  []Call
	logging  []Log
	refused  []error
	past     *past // nil without After
}

type record struct {
	Resource
	from string // where it was registered, for readers
	left remains
}

// registration is the common part of the requests to register and to read.
type registration interface {
	GetParent() string
	GetProvider() string
	GetSourcePosition() *pulumirpc.SourcePosition
}

func newRecorder(s settings) *recorder {
	r := &recorder{
		settings: s,
		records:  map[resource.URN]*record{},
		provider: map[string]resource.URN{},
	}
	if s.earlier != nil {
		r.past = newPast(s.earlier)
	}
	return r
}

// refuse records a failure of the run, whether or not the program handles it.
func (r *recorder) refuse(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refused = append(r.refused, err)
	return err
}

func (r *recorder) refusals() []error {
	r.mu.Lock()
	defer r.mu.Unlock()
	sorted := slices.Clone(r.refused)
	slices.SortFunc(sorted, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return slices.CompactFunc(sorted, func(a, b error) bool { return a.Error() == b.Error() })
}

// register records the resource and returns it, completed, with its state.
func (r *recorder) register(res Resource, in registration) (Resource, resource.PropertyMap, error) {
	parent := resource.URN(in.GetParent())
	if parent != r.stackURN() {
		res.Parent = parent
	}
	res.URN = r.urn(parent, res.Type, res.Name)
	res.Provider = r.providerURN(in.GetProvider())
	if full, ok := in.(*pulumirpc.RegisterResourceRequest); ok {
		for pkg, ref := range full.GetProviders() {
			if res.Providers == nil {
				res.Providers = map[string]resource.URN{}
			}
			res.Providers[pkg] = r.providerURN(ref)
		}
	}

	from := origin(res.Parent, in.GetSourcePosition())
	if err := r.add(res, from); err != nil {
		return res, nil, err
	}
	if unknown := res.Unknowns(); len(unknown) > 0 && !r.preview {
		return res, nil, r.refuse(fmt.Errorf("mocktest: %s: unknown inputs in an update: %s",
			res, strings.Join(unknown, ", ")))
	}
	w, err := wishesOf(in)
	if err != nil {
		return res, nil, r.refuse(err)
	}
	v := r.decide(res, w)
	id, state, err := r.answer(res, v)
	if err != nil {
		return res, nil, err
	}
	res.ID = id
	r.complete(res, remains{inputs: v.inputs, state: state, trigger: w.trigger})
	return res, state, nil
}

// add records a resource whose URN is new.
func (r *recorder) add(res Resource, from string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first, ok := r.records[res.URN]; ok {
		places := []string{first.from, from}
		slices.Sort(places)
		err := fmt.Errorf("mocktest: URN %s is registered twice: as %s and as %s", res.URN, places[0], places[1])
		r.refused = append(r.refused, err)
		return err
	}
	r.records[res.URN] = &record{Resource: res, from: from}
	return nil
}

// registerHook records a hook of either kind. Its name has to be new, as in the engine.
func (r *recorder) registerHook(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Contains(r.hooks, name) {
		err := fmt.Errorf("mocktest: two hooks are registered as %q", name)
		r.refused = append(r.refused, err)
		return err
	}
	r.hooks = append(r.hooks, name)
	return nil
}

// complete adds the results that were decided after the resource was recorded.
func (r *recorder) complete(res Resource, left remains) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records[res.URN].ID = res.ID
	r.records[res.URN].left = left
	if strings.HasPrefix(res.Type, "pulumi:providers:") {
		id := res.ID
		if id == "" {
			id = plugin.UnknownStringValue
		}
		r.provider[string(res.URN)+"::"+id] = res.URN
	}
}

// ask runs a function of the test, one at a time, and turns a panic in it into a failure of the run.
func (r *recorder) ask(
	option, about string, question func() (resource.PropertyMap, error),
) (answer resource.PropertyMap, err error) {
	r.asking.Lock()
	defer r.asking.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = r.refuse(fmt.Errorf("mocktest: the %s function panicked at %s: %v\n%s",
				option, about, p, debug.Stack()))
		}
	}()
	return question()
}

func (r *recorder) call(call Call, provider string) (resource.PropertyMap, error) {
	call.Provider = r.providerURN(provider)
	r.mu.Lock()
	r.calling = append(r.calling, call)
	r.mu.Unlock()
	if r.calls == nil {
		return nil, r.refuse(fmt.Errorf(
			"mocktest: the program calls %s, and nothing answers: pass mocktest.Calls", call.Token))
	}
	return r.ask("Calls", call.Token, func() (resource.PropertyMap, error) { return r.calls(call) })
}

// state answers the SDK's request for a resource by its URN.
func (r *recorder) state(args resource.PropertyMap) (resource.PropertyMap, error) {
	urn := args["urn"]
	r.mu.Lock()
	defer r.mu.Unlock()
	if urn.IsString() {
		if found, ok := r.records[resource.URN(urn.StringValue())]; ok {
			return resource.PropertyMap{
				"urn":   urn,
				"id":    resource.NewProperty(found.ID),
				"state": resource.NewProperty(found.left.state),
			}, nil
		}
	}
	err := fmt.Errorf("mocktest: the program looks up the resource %v, which is not registered", urn.V)
	r.refused = append(r.refused, err)
	return nil, err
}

func (r *recorder) registerOutputs(urn resource.URN, outputs resource.PropertyMap) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if urn == r.stackURN() {
		r.exports = outputs
	} else if found, ok := r.records[urn]; ok {
		found.Outputs = outputs
	}
}

func (r *recorder) log(log Log) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logging = append(r.logging, log)
}

func (r *recorder) stackURN() resource.URN {
	return r.urn("", string(resource.RootStackType), r.project+"-"+r.stack)
}

// urn builds a URN as the engine does: with the types of all components above, but not their names.
func (r *recorder) urn(parent resource.URN, typ, name string) resource.URN {
	var parentType tokens.Type
	if parent != "" && parent.QualifiedType() != resource.RootStackType {
		parentType = parent.QualifiedType()
	}
	return resource.NewURN(tokens.QName(r.stack), tokens.PackageName(r.project),
		parentType, tokens.Type(typ), name)
}

// providerURN returns a reference to a provider without the ID.
func (r *recorder) providerURN(reference string) resource.URN {
	r.mu.Lock()
	defer r.mu.Unlock()
	if urn, ok := r.provider[reference]; ok {
		return urn
	}
	return resource.URN(reference)
}

// origin distinguishes two registrations of one URN.
func origin(parent resource.URN, position *pulumirpc.SourcePosition) string {
	text := "a child of the stack"
	if parent != "" {
		text = "a child of " + string(parent)
	}
	// The position is that of the caller's caller, which is this package if the program itself registers.
	if position.GetUri() == "" || strings.HasSuffix(position.GetUri(), "/mocktest/run.go") {
		return text
	}
	dir, file := path.Split(position.GetUri())
	return fmt.Sprintf("%s (%s/%s:%d)", text, path.Base(dir), file, position.GetLine())
}
