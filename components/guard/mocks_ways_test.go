package guard_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// unseen are the ways in which the guard does not see a mistake without an engine, each with the report about the Pod
// or a resource above it; "" if there is no report, as with an engine.
var unseen = map[string]string{
	"below a parent that is told by its part":                         "pod: " + unknownParent,
	"with an input that is not an SDK's":                              "",
	"its own transform":                                               "pod: " + transformed,
	"a transform of the component":                                    "pod: " + transformed,
	"a transform two components above":                                "pod: " + transformed,
	"a transform of what is above, beside its own":                    "pod: " + transformed,
	"a transformation of the stack before Enforce":                    "pod: " + changedLater,
	"a transformation of the stack after Enforce":                     "pod: " + changedLater,
	"a transformation that adds a transform":                          "pod: " + changedLater,
	"read":                                                            "",
	"read by its type":                                                "",
	"a transformation of the stack between the component and the Pod": "pod: " + changedLater,
}

func TestUnderTheSDKsMocksEachWayIsCheckedOrReported(t *testing.T) {
	t.Parallel()
	for _, w := range slices.Concat(waysToRegister(), waysToTransform(), waysToTransformInside()) {
		if strings.HasPrefix(w.name, "a transform of the stack") {
			continue // the SDK's mocks panic
		}
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			for mode, options := range map[string][]pulumi.RunOption{"an update": nil, "a preview": {dryRun}} {
				var found guard.Report
				_, err := mocked(guard.Program(func(ctx *pulumi.Context) error {
					if w.before != nil {
						if err := w.before(ctx, withHostPID); err != nil {
							return err
						}
					}
					if err := guard.Enforce(ctx, guard.Args{}); err != nil {
						return err
					}
					return w.program(ctx, withHostPID)
				}, guard.ReportTo(&found)), options...)
				reason, missed := unseen[w.name]
				want := []string{"pod: " + hostPID}
				if missed {
					want = nil
				}
				if diff := cmp.Diff(want, findings(found), golden.AnySentence); diff != "" {
					t.Errorf("%s finds (-want +got):\n%s", mode, diff)
				}
				if reason != "" && !slices.Contains(notChecked(found), reason) {
					t.Errorf("%s does not check %q, want %q among them", mode, notChecked(found), reason)
				}
				if _, ok := errors.AsType[*guard.Error](err); ok == missed || (err != nil) != ok {
					t.Errorf("%s ends with %v", mode, err)
				}
			}
		})
	}
}
