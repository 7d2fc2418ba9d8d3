package main

import (
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestUnit(t *testing.T) {
	t.Parallel()
	exampletest.UnitTest(t, program, func(d *appsv1.DaemonSet) pulumi.StringPtrOutput {
		return d.Spec.Template().Spec().Os().Name()
	})
}
