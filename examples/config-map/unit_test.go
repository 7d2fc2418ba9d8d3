package main

import (
	"testing"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestUnit(t *testing.T) {
	t.Parallel()
	exampletest.UnitTest(t, program, func(p *corev1.Pod) pulumi.StringPtrOutput { return p.Spec.Os().Name() })
}
