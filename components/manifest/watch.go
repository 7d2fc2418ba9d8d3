package manifest

import (
	"context"
	"errors"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// watcher completes the objects of a chart, each before it is registered. A transform cannot fail, so the watcher
// collects the errors.
type watcher struct {
	watched
	ctx       *pulumi.Context
	component pulumi.Resource
	options   Options
	one       *conversion.One
	guarded   bool
	// timeouts are the timeouts of all objects.
	timeouts pulumi.CustomTimeouts
}

func newWatcher(ctx *pulumi.Context, component pulumi.Resource, options Options, guarded bool) *watcher {
	return &watcher{
		watched: watched{used: map[string]bool{}},
		ctx:     ctx, component: component, options: options, one: conversion.NewOne(options), guarded: guarded,
	}
}

func (w *watcher) transform(ctx context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	if !pods.IsResource(args.Type, args.Custom) {
		return nil
	}
	tree, ok := input.Resolved(ctx, args.Props).(map[string]any)
	if !ok {
		return nil
	}
	done := w.one.Convert(args.Name, tree)
	w.remember(done)
	props, opts := input.EditProperties(args.Props, done.Edits), args.Opts
	timeouts := childoptions.Over(w.timeouts, timeoutsOf(done.Object))
	if opts.CustomTimeouts != nil { // another transform has set some
		timeouts = childoptions.Over(*opts.CustomTimeouts, timeouts)
	}
	opts.CustomTimeouts = &timeouts
	switch {
	// Guard does not know the answers.
	case len(done.Errs) > 0 || !w.guarded &&
		slices.ContainsFunc(done.Findings, func(f Finding) bool { return f.Blocks() }):
		return &pulumi.ResourceTransformResult{Props: w.stop(props, done), Opts: args.Opts}
	case len(done.Edits) > 0 || timeouts != (pulumi.CustomTimeouts{}):
		opts.IgnoreChanges = slices.Concat(opts.IgnoreChanges, done.Object.IgnoreChanges)
		return &pulumi.ResourceTransformResult{Props: props, Opts: opts}
	default:
		return nil
	}
}

func (w *watcher) remember(done conversion.ConvertedOne) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if done.Object.Adoptable() {
		w.keys = append(w.keys, done.Object.Kind+"/"+done.Object.Name, done.Object.Key())
	}
	if done.Answered != "" {
		w.used[done.Answered] = true
	}
	w.errs = append(w.errs, done.Errs...)
	if !w.guarded {
		w.findings = append(w.findings, done.Findings...)
	}
	var shown []Finding
	for _, f := range done.Findings {
		if !f.Blocks() {
			shown = append(shown, f)
		}
	}
	// An error can no longer be returned to the program.
	_ = report(w.ctx, w.component, shown, w.guarded)
}

// stop keeps an object from the cluster. It does so at once in an update. In a preview it waits until the component's
// output fails, so that all other objects are seen.
func (w *watcher) stop(props pulumi.Map, done conversion.ConvertedOne) pulumi.Map {
	why := errors.Join(slices.Concat(done.Errs, blocking(done.Findings))...)
	return refusal.Stop(w.ctx, props, why, w.ctx.DryRun())
}
