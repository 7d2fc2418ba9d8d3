package guard_test

import (
	"slices"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
)

// echo are the SDK's mocks that return the inputs, as in Pulumi's documentation. They record the inputs of Pods.
type echo struct {
	mu     sync.Mutex
	pods   []string
	inputs map[string]resource.PropertyMap
	refuse map[string]error
	// the answers to calls, by token; by default a call returns its arguments
	answers map[string]resource.PropertyMap
}

func (e *echo) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.refuse[args.Name]; err != nil {
		return "", nil, err
	}
	if args.TypeToken == podType && args.ReadRPC == nil {
		e.pods = append(e.pods, args.Name)
		if e.inputs == nil {
			e.inputs = map[string]resource.PropertyMap{}
		}
		e.inputs[args.Name] = args.Inputs
	}
	return args.Name + "-id", args.Inputs, nil
}

func (e *echo) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	if answer, ok := e.answers[args.Token]; ok {
		return answer, nil
	}
	return args.Args, nil
}

func (e *echo) registered() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(slices.Values(e.pods))
}

func dryRun(info *pulumi.RunInfo) { info.DryRun = true }

// mocked runs a program under the SDK's mocks as a unit test does.
func mocked(program pulumi.RunFunc, options ...pulumi.RunOption) (*echo, error) {
	mocks := &echo{}
	options = append([]pulumi.RunOption{pulumi.WithMocks("project", "stack", mocks)}, options...)
	return mocks, pulumi.RunErr(program, options...)
}

// mockedReport returns the report of a wrapped program under the SDK's mocks.
func mockedReport(
	args guard.Args, program pulumi.RunFunc, options ...pulumi.RunOption,
) (guard.Report, *echo, error) {
	var found guard.Report
	mocks, err := mocked(guard.Program(enforcing(args, program), guard.ReportTo(&found)), options...)
	return found, mocks, err
}

// enforcing returns a program that is not wrapped, such as one that main runs.
func enforcing(args guard.Args, program pulumi.RunFunc) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, args); err != nil {
			return err
		}
		return program(ctx)
	}
}

// findings returns the findings of a report, as "NAME: FINDING".
func findings(r guard.Report) []string {
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, nameIn(f.Resource)+": "+f.String())
	}
	return lines
}

func notChecked(r guard.Report) []string {
	var lines []string
	for _, n := range r.NotChecked {
		lines = append(lines, nameIn(n.Resource)+": "+n.Reason)
	}
	return lines
}

func nameIn(at string) string { return at[strings.LastIndex(at, ":")+1:] }
