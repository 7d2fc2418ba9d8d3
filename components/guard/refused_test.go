package guard_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/testdata/arguments/program"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// wrongArguments are the errors about the arguments of the program, by component.
var wrongArguments = map[string]string{
	"account": "mixedkube:gmsa:CredentialSpec \"account\": account: Required value: describe an account with account " +
		"and domain, or give the content of New-CredentialSpec's file in json",
	"agent": `mixedkube:hostprocess:DaemonSet "agent": user: Invalid value: "shop\\agent": is an account that needs ` +
		`a password to log on: use NT AUTHORITY\SYSTEM, NT AUTHORITY\Local service or NT AUTHORITY\NetworkService, ` +
		`or the name of a local group (hostprocess.System, hostprocess.LocalService or hostprocess.NetworkService in ` +
		`Go)`,
	"classes": `mixedkube:runtimeclass:Set "classes": keep[0]: Invalid value: "linux": has no class: remove it, or ` +
		`write the platform of Windows pools, such as windows-2022`,
	"front": `mixedkube:workload:Deployment "front": platform: Invalid value: "windows-2023": unknown platform: did ` +
		`you mean "windows-2022"? a pool runs linux, windows-2019, windows-2022 or windows-2025`,
	"logs": "mixedkube:hostprocess:NodeLogs \"logs\": node: Required value: the name of a Windows node, as " +
		"`kubectl get nodes` shows it",
}

const wrongPod = "spec.containers[0].image: … (MK202)"

func TestAPreviewShowsTheWrongArgumentsOfAllComponents(t *testing.T) {
	t.Parallel()
	var found guard.Report
	graph, err := mocktest.Run(guard.Program(program.Program, guard.ReportTo(&found)), mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 6 errors, shown at their resources")
	diffLogs(t, graph,
		"error account: "+wrongArguments["account"], "error agent: "+wrongArguments["agent"],
		"error classes: "+wrongArguments["classes"], "error first: "+wrongPod, "error front: "+wrongArguments["front"],
		"error logs: "+wrongArguments["logs"],
		"info the stack: where the pods can land:\n  first → nowhere",
	)
	if len(found.Problems) != len(wrongArguments) {
		t.Errorf("the problems of the report: %q", found.Problems)
	}
}

// Under the mocks of the SDK, which discard the log, the error has all of them.
func TestTheErrorHasTheWrongArgumentsOfAllComponents(t *testing.T) {
	t.Parallel()
	_, err := mocked(guard.Program(program.Program), dryRun)
	if err == nil {
		t.Fatal("the preview passes")
	}
	for _, text := range wrongArguments {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error does not have %s:\n%v", text, err)
		}
	}
	if found, ok := errors.AsType[*field.Error](err); !ok {
		t.Errorf("%v wraps %v", err, found)
	}
}

// An update ends with the first of them, and without the guard a preview does so too.
func TestAnUpdateEndsWithTheFirstWrongArgument(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func() (*mocktest.Graph, error){
		"an update": func() (*mocktest.Graph, error) { return mocktest.Run(guard.Program(program.Program)) },
		"a preview without the guard": func() (*mocktest.Graph, error) {
			return mocktest.Run(program.Register, mocktest.Preview())
		},
		"a preview without Enforce": func() (*mocktest.Graph, error) {
			return mocktest.Run(guard.Program(program.Register), mocktest.Preview())
		},
	} {
		graph, err := run()
		diffError(t, err, wrongArguments["classes"])
		if registered := graph.Resources(); len(registered) > 0 {
			t.Errorf("%s registers %v", name, registered)
		}
	}
}

// A rule or a provider would report mistakes that follow from the wrong arguments.
func TestNothingIsKnownAboutTheResourcesOfAWrongComponent(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(guard.Program(program.Program), mocktest.Preview())
	if err == nil {
		t.Fatal("the preview passes")
	}
	deployment, err := graph.Get("kubernetes:apps/v1:Deployment", "front-deployment")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "spec": mocktest.UnknownValue,
		"metadata": map[string]any{"annotations": mocktest.UnknownValue},
	}
	if diff := cmp.Diff(want, deployment.Plain()); diff != "" {
		t.Errorf("the Deployment (-want +got):\n%s", diff)
	}
}
