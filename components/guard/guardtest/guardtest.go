// Package guardtest returns in a unit test the report of package guard about a preview of a program: the findings,
// where the pods can land and why nowhere else, and the resources that were not checked.
//
//	report, err := guardtest.Preview(program)
package guardtest

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/report"
)

// Preview runs a program, which calls [guard.Enforce], as `pulumi preview` does. Findings that stop it
// are in the report and in the error, a [*guard.Error]. The options are those of [mocktest.Run].
func Preview(program pulumi.RunFunc, options ...mocktest.Option) (report.Report, error) {
	var found report.Report
	_, err := mocktest.Run(guard.Program(program, guard.ReportTo(&found)),
		mocktest.Preview(), mocktest.All(options...))
	return found, err
}

// Enforced returns a program that calls [guard.Enforce] before it runs the passed one: for a component, or a program
// that does not call it.
func Enforced(args guard.Args, program pulumi.RunFunc) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, args); err != nil {
			return err
		}
		return program(ctx)
	}
}
