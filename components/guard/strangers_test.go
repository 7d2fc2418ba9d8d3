package guard_test

import (
	"testing"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// Pulumi prints messages into the log of a pipeline, whose agent takes commands from it.
func TestMessagesCommandNoAgent(t *testing.T) {
	t.Parallel()
	withImage := onePod("first", windows(func(s *corev1.PodSpecArgs) {
		s.Containers = container("##vso[task.complete]a b")
	}))
	const found = `spec.containers[0].image: "#\x23vso[task.complete]a b": … (MK224)`
	graph, err := mocktest.Run(guarded(guard.Args{}, withImage), mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 1 error, shown at its resource")
	diffLogs(t, graph, "error first: "+found)
	// The SDK's mocks discard the log.
	_, err = mocked(guarded(guard.Args{}, withImage), dryRun)
	if err == nil || !golden.Contains(err.Error(), "\n  kubernetes:core/v1:Pod::first: "+found+"\n") {
		t.Errorf("the error is %v, want %s in it", err, found)
	}
}
