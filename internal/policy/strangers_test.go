package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// Pulumi prints what the pack says into the log of a pipeline, whose agent takes commands from it.
func TestMessagesCommandNoAgent(t *testing.T) {
	t.Parallel()
	const object = `apiVersion: v1
kind: Pod
metadata: {name: "##[error]a"}
spec:
  os: {name: windows}
  containers: [{name: a, image: "##vso[task.complete]a b"}]`
	e := start(t, true, `{`+pools+`}`)
	got := e.register("a", object)
	got = append(append(got, e.end()...), e.shown.take()...)
	want := []string{
		`mandatory a: metadata.name: Invalid value: "#\x23[error]a": … (MK177)`,
		`mandatory a: spec.containers[0].image: "#\x23vso[task.complete]a b": … (MK224)`,
		"mandatory a: spec.nodeSelector: … (MK301)",
		"info : where the pods can land:\n  #\\x23[error]a → nowhere",
	}
	if diff := cmp.Diff(want, got, golden.AnySentence); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
