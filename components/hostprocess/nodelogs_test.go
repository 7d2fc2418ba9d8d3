package hostprocess_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func newNodeLogs(args *hostprocess.NodeLogsArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		logs, err := hostprocess.NewNodeLogs(ctx, "logs", args, opts...)
		if err != nil {
			return err
		}
		ctx.Export("archive", pulumi.String(logs.Archive))
		ctx.Export("fetch", pulumi.String(logs.FetchCommand))
		return nil
	}
}

func TestTheWholeGraphOfNodeLogs(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*hostprocess.NodeLogsArgs{
		"node-logs": {Node: "win22-0"},
		"node-logs-full": {
			Node: "win22-0.example.com", Run: "2", PodLogs: true, Namespace: pulumi.String("tools"),
			Image: "mirror.example.com/hpc:1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.UpdateAndPreview(t, "testdata/"+name,
				withoutScripts(mocktest.MustRun(t, newNodeLogs(args)).String()),
				withoutScripts(mocktest.MustRun(t, newNodeLogs(args), mocktest.Preview()).String()))
		})
	}
}

func TestPreflightFindsNothingInNodeLogs(t *testing.T) {
	t.Parallel()
	job := mocktest.MustRun(t, newNodeLogs(&hostprocess.NodeLogsArgs{Node: "win22-0"})).MustGet(t,
		"kubernetes:batch/v1:Job", "logs-job")
	for _, options := range []preflight.Options{{}, {Topology: mixed()}} {
		for _, f := range preflight.Check(job.Plain(), options) {
			t.Errorf("%s: %s", f.Severity, f)
		}
	}
}

// Another run is another Job, whose scripts are the same.
func TestNodeLogsAreGatheredAgain(t *testing.T) {
	t.Parallel()
	graphs := [2]*mocktest.Graph{}
	for i, run := range []string{"1", "2"} {
		graphs[i] = mocktest.MustRun(t, newNodeLogs(&hostprocess.NodeLogsArgs{Node: "win22-0", Run: run}))
	}
	for typ, same := range map[string]bool{"kubernetes:batch/v1:Job": false, configMapType: true} {
		if got := graphs[0].ByType(typ)[0].Inputs.DeepEquals(graphs[1].ByType(typ)[0].Inputs); got != same {
			t.Errorf("the inputs of %s are the same: %t, want %t", typ, got, same)
		}
	}
}

func TestTheScriptOfNodeLogsIsInItsConfigMap(t *testing.T) {
	t.Parallel()
	files := data(t, mocktest.MustRun(t,
		newNodeLogs(&hostprocess.NodeLogsArgs{Node: "win22-0"})).ByType(configMapType)[0])
	for _, name := range []string{"node-logs.ps1", "node.ps1"} {
		if !strings.Contains(files[name], "function Write-Log") &&
			!strings.Contains(files[name], ". (Join-Path $PSScriptRoot 'node.ps1')") {
			t.Errorf("%s is %q", name, files[name])
		}
	}
}

func TestWrongArgumentsOfNodeLogs(t *testing.T) {
	t.Parallel()
	const subject = `mixedkube:hostprocess:NodeLogs "logs":`
	for name, tt := range map[string]struct {
		args *hostprocess.NodeLogsArgs
		want string
	}{
		"none": {nil, " node: Required value: the name of a Windows node, as `kubectl get nodes` shows it"},
		"all at once": {
			&hostprocess.NodeLogsArgs{Node: "win22-0/../../secrets", Namespace: pulumi.String("Kube"), Image: " hpc"},
			"\n  image: Invalid value: \" hpc\": must not have leading, trailing or other whitespace: write " +
				"registry/repository:tag" +
				"\n  namespace: Invalid value: \"Kube\": " + label + ": give the name of a namespace" +
				"\n  node: Invalid value: \"win22-0/../../secrets\": " + subdomain + ": write the name of a node",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newNodeLogs(tt.args))
			golden.Refused(t, graph.Resources(), err, subject+tt.want)
		})
	}
}
