package mocktest_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// hookedBucket is a program with a bucket that has an error hook.
func hookedBucket(ctx *pulumi.Context) error {
	hook, err := ctx.RegisterErrorHook("again", func(*pulumi.ErrorHookArgs) (bool, error) { return true, nil })
	if err != nil {
		return err
	}
	_, err = newBucket(ctx, "a", nil,
		pulumi.ResourceHooks(&pulumi.ResourceHookBinding{OnError: []*pulumi.ErrorHook{hook}}))
	return err
}

func TestErrorHooksAreRecorded(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, hookedBucket)
	a, err := graph.Get("shop:index:Bucket", "a")
	if err != nil {
		t.Fatal(err)
	}
	diff(t, []string{"again"}, a.ErrorHooks)
	diff(t, "project-stack (update)\n  shop:index:Bucket \"a\"\n    on error: again\n", graph.String())
}

func TestErrorHooksThatTheEngineWouldRefuse(t *testing.T) {
	t.Parallel()
	twice := func(ctx *pulumi.Context) error {
		for range 2 {
			if _, err := ctx.RegisterErrorHook("again", nil); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := mocktest.Run(twice)
	diff(t, `mocktest: two error hooks are registered as "again"`, text(err))
}

func TestAnOlderPulumi(t *testing.T) {
	t.Parallel()
	requires := func(ctx *pulumi.Context) error { return ctx.RequirePulumiVersion(">=3.217.0") }
	_, err := mocktest.Run(requires, mocktest.PulumiVersion("3.217.0"))
	diff(t, "", text(err))
	_, err = mocktest.Run(requires, mocktest.PulumiVersion("3.216.0"))
	diff(t, `Pulumi CLI version 3.216.0 does not satisfy the version range ">=3.217.0"`, text(err))

	// What the SDK does about it, without a word: a program has to look before.
	graph := mocktest.MustRun(t, hookedBucket, mocktest.PulumiVersion("3.216.0"))
	diff(t, "project-stack (update)\n", graph.String())
}
