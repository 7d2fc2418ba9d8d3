package guard_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const urns = "urn:pulumi:stack::project::"

// reported runs a program, and returns its report.
func reported(t *testing.T, args guard.Args, program pulumi.RunFunc, options ...mocktest.Option) (guard.Report, error) {
	t.Helper()
	found := guard.Report{Objects: -1}
	_, err := mocktest.Run(guard.Program(enforcing(args, program), guard.ReportTo(&found)), options...)
	return found, err
}

// landed returns the landing of a Pod.
func landed(name, namespace, workload, pool, text string) report.Landing {
	return report.Landing{
		Object: report.Object{
			Resource: urns + "kubernetes:core/v1:Pod::" + name, Kind: "Pod", Namespace: namespace, Name: name,
		},
		Workload: workload, Pools: []string{pool}, Text: text,
	}
}

func TestAReportIsAValue(t *testing.T) {
	t.Parallel()
	args := guard.Args{
		Topology: mixed, EnforcementLevel: guard.Advisory,
		Ignore: []guard.Ignore{{Rules: []string{"MK118"}, Reason: "soon"}, {Rules: []string{"MK102"}}},
	}
	found, err := reported(t, args, func(ctx *pulumi.Context) error {
		var release pulumi.CustomResourceState
		if err := ctx.RegisterResource("kubernetes:helm.sh/v3:Release", "shop", nil, &release); err != nil {
			return err
		}
		if _, err := corev1.NewNamespacePatch(ctx, "ns", nil); err != nil {
			return err
		}
		linux := corev1.PodSpecArgs{Containers: container("shop.example/web:1")}
		if err := inNamespace(ctx, "linux", "shop", linux); err != nil {
			return err
		}
		return twoMistakes(ctx)
	}, mocktest.Preview())
	if err != nil {
		t.Fatal(err)
	}
	pods := urns + "kubernetes:core/v1:Pod::"
	want := guard.Report{
		Findings: []report.Finding{
			{
				Finding: rule.Finding{
					Rule: "MK118", Severity: rule.Error, Path: "spec.securityContext.fsGroup", Suppressed: true,
				},
				Object:       report.Object{Resource: pods + "first", Kind: "Pod", Name: "first"},
				SuppressedBy: report.ByIgnore, Reason: "soon",
			},
			{
				Finding: rule.Finding{Rule: "MK111", Severity: rule.Error, Path: "spec.hostPID"},
				Object:  report.Object{Resource: pods + "second", Kind: "Pod", Name: "second"},
			},
			{
				Finding: rule.Finding{Rule: "MK581", Severity: rule.Warning},
				Object:  report.Object{Resource: urns + "kubernetes:helm.sh/v3:Release::shop"},
			},
		},
		Landings: []report.Landing{
			landed("first", "", "first", "win22", "win22 (2 nodes)"),
			landed("second", "", "second", "win22", "win22 (2 nodes)"),
			landed("linux", "shop", "shop/linux", "sys", "sys (3 nodes)"),
			landed("third", "", "third", "win22", "win22 (2 nodes)"),
		},
		NotChecked: []report.NotChecked{
			{Resource: urns + "kubernetes:core/v1:NamespacePatch::ns", Reason: "a patch is only a part of an object"},
			{
				Resource: urns + "kubernetes:helm.sh/v3:Release::shop",
				Reason:   "the objects that a Release deploys are not checked",
			},
		},
		Objects: 4, UnusedIgnores: []guard.Ignore{{Rules: []string{"MK102"}}},
	}
	if diff := cmp.Diff(want, found, cmpopts.IgnoreUnexported(report.Object{}),
		cmpopts.IgnoreFields(rule.Finding{}, "Type", "Value", "Detail", "Fix"),
		cmpopts.IgnoreFields(report.Landing{}, "Refused")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if found.Count(rule.Error) != 1 || len(found.Blocking()) != 1 {
		t.Errorf("%d errors, %d block, want 1", found.Count(rule.Error), len(found.Blocking()))
	}
}

// Pulumi decides how it handles the error of a program: its mocks return it.
func TestErrorsHaveTheirType(t *testing.T) {
	t.Parallel()
	var first error
	check := func(how string, err error) {
		t.Helper()
		found, ok := errors.AsType[*guard.Error](err)
		if !ok || found.Count != 2 || len(found.Report.Blocking()) != 2 || found.Report.Objects != 3 {
			t.Errorf("%s: %v is no *guard.Error with its report", how, err)
		}
		finding, ok := errors.AsType[*rule.FindingError](err)
		if !ok || finding.Rule != "MK118" || finding.Path != "spec.securityContext.fsGroup" {
			t.Errorf("%s: %v has no finding as an error: %v", how, err, finding)
		}
		if wrong, ok := errors.AsType[*field.Error](err); !ok || wrong.Type != field.ErrorTypeForbidden {
			t.Errorf("%s: %v has no field error: %v", how, err, wrong)
		}
		if first == nil {
			first = err
		} else if found.Error() != first.Error() {
			t.Errorf("%s: %v, want %v", how, found, first)
		}
	}
	_, err := mocktest.Run(guarded(guard.Args{}, twoMistakes), mocktest.Preview())
	check("mocktest", err)

	// The errors of components are returned in the same way.
	_, err = mocktest.Run(guarded(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
		_, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022, Topology: mixed, Scheduling: workload.BySelector,
			Spec: deploymentSpec(corev1.PodSpecArgs{
				Containers: container("shop.example/web:1"), Os: corev1.PodOSArgs{Name: pulumi.String("linux")},
			}),
		})
		return err
	}), mocktest.Preview())
	if _, ok := errors.AsType[*rule.FindingError](err); !ok {
		t.Errorf("%v has no finding as an error", err)
	}
	if _, ok := errors.AsType[*field.Error](err); !ok {
		t.Errorf("%v has no field error", err)
	}
}

func TestAPreviewWritesSARIF(t *testing.T) {
	dir := t.TempDir()
	file, other := filepath.Join(dir, "args.sarif"), filepath.Join(dir, "new", "ci.sarif")
	program := guarded(guard.Args{SARIF: file, Ignore: []guard.Ignore{{Rules: []string{"MK118"}, Reason: "soon"}}},
		func(ctx *pulumi.Context) error {
			if err := twoMistakes(ctx); err != nil {
				return err
			}
			_, err := pod(ctx, "secret", windows(func(s *corev1.PodSpecArgs) {
				options := corev1.WindowsSecurityContextOptionsArgs{
					RunAsUserName: pulumi.ToSecret(pulumi.String(`hunter2\a\b`)).(pulumi.StringOutput),
				}
				s.SecurityContext = corev1.PodSecurityContextArgs{WindowsOptions: options}
			}))
			return err
		})
	if _, err := mocktest.Run(program); err == nil {
		t.Error("the update passes")
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("an update, which may have seen only a part, writes the file")
	}
	if _, err := mocktest.Run(program, mocktest.Preview()); err == nil {
		t.Error("the preview passes")
	}
	t.Setenv("MIXEDKUBE_SARIF", other)
	if _, err := mocktest.Run(program, mocktest.Preview()); err == nil {
		t.Error("the preview passes")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(other); err != nil || string(again) != string(text) {
		t.Errorf("the environment's file: %v\n%s", err, again)
	}
	if strings.Contains(string(text), "hunter2") {
		t.Error("the file has the secret")
	}
	var log struct {
		Version string
		Runs    []struct {
			Invocations []struct{ ExecutionSuccessful bool }
			Results     []struct {
				RuleID, Level string
				Message       struct{ Text string }
				Suppressions  []struct{ Kind, Justification string }
			}
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range log.Runs[0].Results {
		got = append(got, fmt.Sprint(r.Level, " ", r.Message.Text, " ", r.Suppressions))
	}
	want := []string{
		"error Pod/first: " + fsGroup + " [{external soon}]", "error Pod/second: " + hostPID + " []",
	}
	if diff := cmp.Diff(want, got[:2], golden.AnySentence); diff != "" || len(got) != 3 ||
		!log.Runs[0].Invocations[0].ExecutionSuccessful {
		t.Errorf("%d results (-want +got):\n%s", len(got), diff)
	}

	t.Setenv("MIXEDKUBE_SARIF", filepath.Join(file, "below-a-file"))
	_, err = mocktest.Run(guarded(guard.Args{}, func(*pulumi.Context) error { return nil }), mocktest.Preview())
	if err == nil || !strings.Contains(err.Error(), "below-a-file: not a directory") {
		t.Errorf("a file that cannot be written: %v", err)
	}
}

func TestManyWorkloadsShareALine(t *testing.T) {
	t.Parallel()
	program := func(n int) pulumi.RunFunc {
		return guarded(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
			for i := range n {
				spec := corev1.PodSpecArgs{Containers: container("shop.example/web:1")}
				if i%50 == 7 {
					spec = windows(nil)
				}
				if _, err := pod(ctx, fmt.Sprintf("web-%03d", i), spec); err != nil {
					return err
				}
			}
			return nil
		})
	}
	diffLogs(t, mocktest.MustRun(t, program(100), mocktest.Preview()), "info the stack: where the pods can land:\n"+
		"  web-007, web-057                        → win22 (2 nodes)\n"+
		"  web-000, web-001, web-002 and 95 others → sys (3 nodes)")
	graph := mocktest.MustRun(t, program(20), mocktest.Preview())
	if got := strings.Count(logs(graph)[0], "\n"); got != 20 {
		t.Errorf("20 workloads have %d lines", got)
	}
}
