package mocktest_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// hookedBucket returns a program with a bucket that has an error hook.
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
		for _, name := range []string{"a", "b"} {
			hook, err := ctx.RegisterErrorHook("again", nil)
			if err != nil {
				return err
			}
			// Registration continues in the background: the bucket waits for it.
			if _, err := newBucket(ctx, name, nil,
				pulumi.ResourceHooks(&pulumi.ResourceHookBinding{OnError: []*pulumi.ErrorHook{hook}})); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := mocktest.Run(twice)
	diff(t, `mocktest: two hooks are registered as "again"`, text(err))
}

func TestAnOlderPulumi(t *testing.T) {
	t.Parallel()
	requires := func(ctx *pulumi.Context) error { return ctx.RequirePulumiVersion(">=3.217.0") }
	_, err := mocktest.Run(requires, mocktest.PulumiVersion("3.217.0"))
	diff(t, "", text(err))
	_, err = mocktest.Run(requires, mocktest.PulumiVersion("3.216.0"))
	diff(t, `Pulumi CLI version 3.216.0 does not satisfy the version range ">=3.217.0"`, text(err))

	// The SDK does not report it, and does not register the resource: a program has to check the version before.
	graph := mocktest.MustRun(t, hookedBucket, mocktest.PulumiVersion("3.216.0"))
	diff(t, "project-stack (update)\n", graph.String())
}

// hookedOperations returns a program with a bucket that has hooks for its operations.
func hookedOperations(ctx *pulumi.Context) error {
	hook := func(name string) []*pulumi.ResourceHook {
		h, err := ctx.RegisterResourceHook(name, func(*pulumi.ResourceHookArgs) error { panic(name) }, nil)
		if err != nil {
			panic(err)
		}
		return []*pulumi.ResourceHook{h}
	}
	before := append(hook("look"), hook("ask")...)
	_, err := newBucket(ctx, "a", nil, pulumi.ResourceHooks(&pulumi.ResourceHookBinding{
		BeforeCreate: before, BeforeUpdate: before, AfterCreate: hook("made"), AfterUpdate: hook("changed"),
		BeforeDelete: hook("save"), AfterDelete: hook("gone"),
	}))
	return err
}

func TestHooksAreRecorded(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, hookedOperations)
	a, err := graph.Get("shop:index:Bucket", "a")
	if err != nil {
		t.Fatal(err)
	}
	diff(t, mocktest.Hooks{
		BeforeCreate: []string{"look", "ask"}, BeforeUpdate: []string{"look", "ask"},
		AfterCreate: []string{"made"}, AfterUpdate: []string{"changed"},
		BeforeDelete: []string{"save"}, AfterDelete: []string{"gone"},
	}, a.Hooks)
	diff(t, `project-stack (update)
  shop:index:Bucket "a"
    before create: look, ask
    after create: made
    before update: look, ask
    after update: changed
    before delete: save
    after delete: gone
`, graph.String())
	// With an older Pulumi, the SDK does not report it, and does not register the resource.
	graph = mocktest.MustRun(t, hookedOperations, mocktest.PulumiVersion("3.181.0"))
	diff(t, "project-stack (update)\n", graph.String())
}

func TestTwoHooksOfOneName(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		again, err := ctx.RegisterResourceHook("again", nil, nil)
		if err != nil {
			return err
		}
		// Registration continues in the background: the bucket waits for it.
		_, err = newBucket(ctx, "a", nil,
			pulumi.ResourceHooks(&pulumi.ResourceHookBinding{AfterCreate: []*pulumi.ResourceHook{again}}))
		if err != nil {
			return err
		}
		twice, err := ctx.RegisterErrorHook("again", nil)
		if err != nil {
			return err
		}
		_, err = newBucket(ctx, "b", nil,
			pulumi.ResourceHooks(&pulumi.ResourceHookBinding{OnError: []*pulumi.ErrorHook{twice}}))
		return err
	})
	diff(t, `mocktest: two hooks are registered as "again"`, text(err))
}
