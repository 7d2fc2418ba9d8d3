package guard_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// oldEngine simulates an engine from before resource transforms: it does not answer the request for its features.
type oldEngine struct {
	pulumirpc.UnimplementedResourceMonitorServer
	pulumirpc.UnimplementedEngineServer

	mu    sync.Mutex
	names []string
	logs  []string
}

func (e *oldEngine) SupportsFeature(
	context.Context, *pulumirpc.SupportsFeatureRequest,
) (*pulumirpc.SupportsFeatureResponse, error) {
	return &pulumirpc.SupportsFeatureResponse{}, nil
}

func (e *oldEngine) RegisterResource(
	_ context.Context, in *pulumirpc.RegisterResourceRequest,
) (*pulumirpc.RegisterResourceResponse, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if in.GetType() == podType {
		e.names = append(e.names, in.GetName())
	}
	return &pulumirpc.RegisterResourceResponse{
		Urn: "urn:pulumi:stack::project::" + in.GetType() + "::" + in.GetName(), Object: in.GetObject(),
	}, nil
}

func (e *oldEngine) RegisterResourceOutputs(
	context.Context, *pulumirpc.RegisterResourceOutputsRequest,
) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func (e *oldEngine) Log(_ context.Context, in *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.logs = append(e.logs, fmt.Sprintf("%s %s: %s", in.GetSeverity(), nameIn(in.GetUrn()), in.GetMessage()))
	return &emptypb.Empty{}, nil
}

// run runs a program on the engine.
func (e *oldEngine) run(t *testing.T, program pulumi.RunFunc) error {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	pulumirpc.RegisterResourceMonitorServer(server, e)
	pulumirpc.RegisterEngineServer(server, e)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	address := listener.Addr().String()
	return pulumi.RunErr(program, func(info *pulumi.RunInfo) {
		*info = pulumi.RunInfo{Project: "project", Stack: "stack", MonitorAddr: address, EngineAddr: address}
	})
}

const old = "the Pulumi CLI does not support resource transforms: only what the program registers in its own process " +
	"is checked, and no resource is stopped: update the Pulumi CLI"

func TestAnEngineWithoutTransformsGetsWhatTheProgramRegisters(t *testing.T) {
	t.Parallel()
	var found guard.Report
	engine := &oldEngine{}
	err := engine.run(t, guard.Program(enforcing(guard.Args{}, twoMistakes), guard.ReportTo(&found)))
	stopping, ok := errors.AsType[*guard.Error](err)
	// The log has the findings.
	if !ok || stopping.Error() != "mixedkube preflight: 2 errors, shown at their resources" {
		t.Errorf("the error is %v", err)
	}
	slices.Sort(engine.logs)
	if diff := cmp.Diff([]string{
		"ERROR first: " + fsGroup, "ERROR second: " + hostPID, "WARNING : " + old,
	}, engine.logs, golden.AnySentence); diff != "" {
		t.Errorf("logs (-want +got):\n%s", diff)
	}
	slices.Sort(engine.names)
	if diff := cmp.Diff([]string{"first", "second", "third"}, engine.names); diff != "" {
		t.Errorf("registered (-want +got):\n%s", diff)
	}
	if len(found.Problems) != 1 || found.Problems[0].Error() != old {
		t.Errorf("problems: %v", found.Problems)
	}
}

func TestAnEngineWithoutTransformsPlacesNothing(t *testing.T) {
	t.Parallel()
	err := (&oldEngine{}).run(t, guarded(guard.Args{Topology: mixed, Place: true}, twoMistakes))
	const want = "guard: place: the Pulumi CLI does not support resource transforms: update the Pulumi CLI"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestAnEngineWithoutTransformsRunsNoProgramThatIsNotWrapped(t *testing.T) {
	t.Parallel()
	err := (&oldEngine{}).run(t, enforcing(guard.Args{}, twoMistakes))
	const want = "guard.Enforce: the program must be run by guard.Run in place of pulumi.Run, " +
		"or be wrapped in guard.Program"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
