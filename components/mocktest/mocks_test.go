package mocktest_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// answered are the answers that a program gets, by request.
type answered struct {
	mu      sync.Mutex
	answers map[string]any
}

func (s *answered) note(about string, output pulumi.Output) {
	output.ApplyT(func(answer any) any {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answers[about] = answer
		return answer
	})
}

// all returns a program that makes one request of each kind.
func (s *answered) all(ctx *pulumi.Context) error {
	logs, err := newBucket(ctx, "logs", pulumi.Map{"size": pulumi.Int(2), "key": pulumi.ToSecret("s3cret")})
	if err != nil {
		return err
	}
	s.note("ID", logs.ID())
	s.note("size", logs.Size)
	s.note("key", logs.Key)
	s.note("status", logs.Status)
	old := &bucket{}
	if err := ctx.ReadResource("shop:index:Bucket", "old", pulumi.ID("42"), nil, old); err != nil {
		return err
	}
	s.note("status of what is read", old.Status)
	stash, err := pulumi.NewStash(ctx, "memory", &pulumi.StashArgs{Input: pulumi.ToSecret("now")})
	if err != nil {
		return err
	}
	s.note("stash", stash.Output)
	price, err := ctx.Call("shop:index:getPrice", pulumi.Map{"of": pulumi.String("tea")}, pulumi.AnyOutput{}, logs)
	if err != nil {
		return err
	}
	s.note("method", price)
	var cents struct {
		Cents int `pulumi:"cents"`
	}
	if err := ctx.Invoke("shop:index:getPrice", map[string]any{"of": "tea"}, &cents); err != nil {
		return err
	}
	failure := ctx.Invoke("shop:index:fail", nil, &cents)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers["cents"], s.answers["error"] = cents.Cents, text(failure)
	return nil
}

func TestTheMocksOfTheSDKAnswerAsRunDoes(t *testing.T) {
	t.Parallel()
	shop := mocktest.All(
		mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
			if r.Type == "pulumi:index:Stash" {
				return nil
			}
			return resource.PropertyMap{"status": prop(r.Name + " at " + r.ID)}
		}),
		mocktest.Calls(func(c mocktest.Call) (resource.PropertyMap, error) {
			if c.Token == "shop:index:fail" {
				return nil, errors.New("out of tea")
			}
			if c.Method {
				return resource.PropertyMap{"of": c.Args["of"]}, nil
			}
			return resource.PropertyMap{"cents": resource.NewProperty(250.0)}, nil
		}))
	run, mocks := &answered{answers: map[string]any{}}, &answered{answers: map[string]any{}}
	mocktest.MustRun(t, run.all, shop)
	err := pulumi.RunErr(mocks.all, pulumi.WithMocks("project", "stack", mocktest.Mocks(shop)))
	diff(t, "", text(err))
	diff(t, 9, len(run.answers))
	delete(run.answers, "error") // another connection, another text around it
	diff(t, "out of tea", mocks.answers["error"])
	delete(mocks.answers, "error")
	diff(t, run.answers, mocks.answers)
	diff(t, any("logs at logs-id"), mocks.answers["status"])
}

// An error names a call without an answer in the same way as Run does.
func TestTheMocksOfTheSDKReportCallsWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	err := pulumi.RunErr(func(ctx *pulumi.Context) error {
		return ctx.Invoke("shop:index:getPrice", nil, &struct{}{})
	}, pulumi.WithMocks("project", "stack", mocktest.Mocks()))
	diff(t, "1 error occurred:\n\t* mocktest: the program calls shop:index:getPrice, and nothing answers: "+
		"pass mocktest.Calls\n\n", text(err))
}

// A preview is a preview for the SDK and for its mocks.
func TestTheMocksOfTheSDKInAPreview(t *testing.T) {
	t.Parallel()
	s := &answered{answers: map[string]any{}}
	err := pulumi.RunErr(func(ctx *pulumi.Context) error {
		logs, err := newBucket(ctx, "logs", pulumi.Map{"size": pulumi.Int(2)})
		s.note("size", logs.Size)
		s.note("status", logs.Status)
		s.note("ID", logs.ID())
		return err
	}, pulumi.WithMocks("project", "stack", mocktest.Mocks(mocktest.Preview())),
		func(i *pulumi.RunInfo) { i.DryRun = true })
	diff(t, "", text(err))
	diff(t, map[string]any{"size": 2}, s.answers)
}
