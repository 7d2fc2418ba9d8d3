// Package advice writes the log messages of components about their pods, unless package guard reports the same for the
// whole program.
package advice

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/parts"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/landings"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Landing returns where the pods of a completed object can land. It is empty except in a preview, and without a
// topology. The resource is the name of the object's resource.
func Landing(ctx *pulumi.Context, checker *preflight.Checker, o *pods.Object, resource string) string {
	if !ctx.DryRun() || refusal.Enforced(ctx) || parts.In(ctx) {
		return ""
	}
	landing, ok := checker.LandingOf(o, nil)
	if !ok {
		return ""
	}
	name := landings.Workload(o, resource)
	return landings.Heading + landings.Table([]landings.Line{{Workload: name, Text: landing.String()}})
}

// LogLanding logs the text of [Landing] for the component.
func LogLanding(ctx *pulumi.Context, about pulumi.Resource, text string) error {
	if text == "" {
		return nil
	}
	return ctx.Log.Info(escape.Lines(text), &pulumi.LogArgs{Resource: about})
}

// LogWithoutPool warns about the platform of nodes that only a pool outside of a partial topology can have.
func LogWithoutPool(
	ctx *pulumi.Context, about pulumi.Resource, t topology.Topology, p platform.Platform, path *field.Path,
) error {
	return logWithout(ctx, about, t, t.Lacks(p), p, path)
}

// LogWithoutHost is LogWithoutPool for the platform of images, which pools of other platforms may run.
func LogWithoutHost(
	ctx *pulumi.Context, about pulumi.Resource, t topology.Topology, image platform.Platform, path *field.Path,
) error {
	return logWithout(ctx, about, t, t.LacksHosts(image), image, path)
}

func logWithout(
	ctx *pulumi.Context, about pulumi.Resource, t topology.Topology, lacks string, p platform.Platform,
	path *field.Path,
) error {
	if lacks == "" || !t.Partial || refusal.Enforced(ctx) {
		return nil
	}
	text := fmt.Sprintf("%s: %q: %s: add the pool, or use one of these", path, p, lacks)
	return ctx.Log.Warn(escape.Lines(text), &pulumi.LogArgs{Resource: about})
}
