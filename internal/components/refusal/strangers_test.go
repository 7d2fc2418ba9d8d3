package refusal_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// Pulumi prints the errors and messages of components into the log of a pipeline, whose agent takes commands from it.
func TestErrorsAndMessagesCommandNoAgent(t *testing.T) {
	t.Parallel()
	const command = "##vso[task.complete]a"
	wrong := rule.Rule{ID: "MK702", Severity: rule.Error}
	odd := rule.Rule{ID: "MK713", Severity: rule.Warning}
	var found rule.Findings
	found.Report(wrong, rule.Problem{Path: "a", Value: command, Detail: "is wrong"})
	found.Report(odd, rule.Problem{Path: "b", Value: command, Detail: "is odd"})
	rest, err := refusal.Sift(`C "c"`, rule.NewSet(wrong, odd), nil, found,
		field.ErrorList{field.Invalid(field.NewPath("c"), command, "is wrong")})
	all := []string{
		err.Error(), (&rule.FindingError{Finding: found[0]}).Error(),
		(&manifests.Error{File: "::error::a.yaml", Line: 2, Detail: command}).Error(),
	}
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error { return refusal.Log(ctx, nil, rest) })
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range graph.Logs() {
		all = append(all, l.Message)
	}
	want := []string{
		"C \"c\":\n  a: \"#\\x23vso[task.complete]a\": is wrong (MK702)\n" +
			"  c: Invalid value: \"#\\x23vso[task.complete]a\": is wrong",
		`a: "#\x23vso[task.complete]a": is wrong (MK702)`,
		`\x3a:error::a.yaml:2: #\x23vso[task.complete]a`,
		`b: "#\x23vso[task.complete]a": is odd (MK713)`,
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The cause of the error has the value itself.
	if cause, ok := errors.AsType[*field.Error](errors.Unwrap(&rule.FindingError{Finding: found[0]})); !ok ||
		cause.BadValue != command {
		t.Errorf("the cause is %v", cause)
	}
}
