package mocktest

import (
	"context"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

// Invokes that the engine itself answers.
const (
	// getResource is the invoke with which the SDK looks up a resource by its URN.
	getResource = "pulumi:pulumi:getResource"
	// readStackResourceOutputs reads the state of a stack.
	readStackResourceOutputs = "pulumi:pulumi:readStackResourceOutputs" //nolint:gosec // a function, no credential
)

// monitor implements the protocol between a program and the engine; the recorder decides and records.
type monitor struct {
	pulumirpc.UnimplementedResourceMonitorServer
	recorder   *recorder
	transforms *transforms
	// address is where it listens.
	address string
}

func (m *monitor) GetDeploymentInfo(context.Context, *emptypb.Empty) (*pulumirpc.DeploymentInfo, error) {
	info := &pulumirpc.DeploymentInfo{
		Project: m.recorder.project,
		Stack:   m.recorder.stack,
		SupportedFeatures: []pulumirpc.ResourceMonitorFeature{
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_SECRETS,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_DELETED_WITH,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_PARAMETERIZATION,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_TRANSFORMS,
			// Announced only so that they can be refused with a better message than the SDK's.
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS,
		},
	}
	if m.recorder.construct != nil {
		info.SupportedFeatures = append(info.SupportedFeatures,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES)
	}
	if m.recorder.runsHooks() {
		info.SupportedFeatures = append(info.SupportedFeatures,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS)
	}
	if m.recorder.runsErrorHooks() {
		info.SupportedFeatures = append(info.SupportedFeatures,
			pulumirpc.ResourceMonitorFeature_RESOURCE_MONITOR_FEATURE_ERROR_HOOKS)
	}
	return info, nil
}

func (m *monitor) RegisterResource(
	ctx context.Context, in *pulumirpc.RegisterResourceRequest,
) (*pulumirpc.RegisterResourceResponse, error) {
	if in.GetType() == string(resource.RootStackType) && in.GetParent() == "" {
		return &pulumirpc.RegisterResourceResponse{Urn: string(m.recorder.stackURN())}, nil
	}
	transforms, err := m.transforms.run(ctx, in)
	if err != nil {
		return nil, m.recorder.refuse(err)
	}
	if in.GetRemote() && m.recorder.construct != nil {
		return m.constructed(ctx, in)
	}
	r, err := registered(in)
	if err != nil {
		return nil, m.recorder.refuse(err)
	}
	r, state, err := m.recorder.register(r, in)
	if err != nil {
		return nil, err
	}
	m.transforms.passOn(r.URN, in.GetParent(), transforms)
	object, err := marshal(state)
	if err != nil {
		return nil, m.recorder.refuse(err)
	}
	return &pulumirpc.RegisterResourceResponse{Urn: string(r.URN), Id: r.ID, Object: object}, nil
}

func (m *monitor) ReadResource(
	_ context.Context, in *pulumirpc.ReadResourceRequest,
) (*pulumirpc.ReadResourceResponse, error) {
	r, err := read(in)
	if err != nil {
		return nil, m.recorder.refuse(err)
	}
	r, state, err := m.recorder.register(r, in)
	if err != nil {
		return nil, err
	}
	properties, err := marshal(state)
	if err != nil {
		return nil, m.recorder.refuse(err)
	}
	return &pulumirpc.ReadResourceResponse{Urn: string(r.URN), Properties: properties}, nil
}

func (m *monitor) RegisterResourceOutputs(
	_ context.Context, in *pulumirpc.RegisterResourceOutputsRequest,
) (*emptypb.Empty, error) {
	outputs, err := unmarshal(in.GetOutputs())
	if err != nil {
		return nil, m.recorder.refuse(err)
	}
	m.recorder.registerOutputs(resource.URN(in.GetUrn()), outputs)
	return &emptypb.Empty{}, nil
}

func (m *monitor) Invoke(
	_ context.Context, in *pulumirpc.ResourceInvokeRequest,
) (*pulumirpc.InvokeResponse, error) {
	result, err := m.call(Call{Token: in.GetTok()}, in.GetArgs(), in.GetProvider())
	return &pulumirpc.InvokeResponse{Return: result}, err
}

func (m *monitor) Call(_ context.Context, in *pulumirpc.ResourceCallRequest) (*pulumirpc.CallResponse, error) {
	result, err := m.call(Call{Token: in.GetTok(), Method: true}, in.GetArgs(), in.GetProvider())
	return &pulumirpc.CallResponse{Return: result}, err
}

func (m *monitor) call(call Call, args *structpb.Struct, provider string) (*structpb.Struct, error) {
	properties, err := unmarshal(args)
	if err != nil {
		return nil, m.recorder.refuse(err)
	}
	call.Args = properties
	var result resource.PropertyMap
	switch {
	case call.Token == getResource:
		result, err = m.recorder.state(properties)
	case call.Token == readStackResourceOutputs && m.recorder.isOwnStack(properties["stackName"]):
		result = m.recorder.earlierState()
	default:
		result, err = m.recorder.call(call, provider)
	}
	if err != nil {
		return nil, err
	}
	return marshal(result)
}

func (m *monitor) RegisterPackage(
	_ context.Context, in *pulumirpc.RegisterPackageRequest,
) (*pulumirpc.RegisterPackageResponse, error) {
	return &pulumirpc.RegisterPackageResponse{Ref: in.GetName()}, nil
}

func (m *monitor) SignalAndWaitForShutdown(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func (m *monitor) RegisterStackTransform(
	_ context.Context, callback *pulumirpc.Callback,
) (*emptypb.Empty, error) {
	if err := m.transforms.addToStack(callback); err != nil {
		return nil, m.recorder.refuse(err)
	}
	return &emptypb.Empty{}, nil
}

func (m *monitor) RegisterStackInvokeTransform(context.Context, *pulumirpc.Callback) (*emptypb.Empty, error) {
	return nil, m.recorder.refuse(errNotRun("invoke transforms"))
}

// RegisterResourceHook only records the hook: nothing is created, changed or deleted here.
func (m *monitor) RegisterResourceHook(
	_ context.Context, in *pulumirpc.RegisterResourceHookRequest,
) (*emptypb.Empty, error) {
	if err := m.recorder.registerHook(in.GetName()); err != nil {
		return nil, err
	}
	return &emptypb.Empty{}, nil
}

// RegisterErrorHook only records the hook: no operation fails here.
func (m *monitor) RegisterErrorHook(
	_ context.Context, in *pulumirpc.RegisterErrorHookRequest,
) (*emptypb.Empty, error) {
	if err := m.recorder.registerHook(in.GetName()); err != nil {
		return nil, err
	}
	return &emptypb.Empty{}, nil
}

func errNotRun(what string) error {
	return fmt.Errorf("mocktest: the program uses %s, which only the real engine runs: test them there", what)
}

// engine implements the other part of the protocol: the log.
type engine struct {
	pulumirpc.UnimplementedEngineServer
	recorder *recorder
}

func (e *engine) Log(_ context.Context, in *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	e.recorder.log(newLog(in))
	return &emptypb.Empty{}, nil
}

// RequirePulumiVersion accepts each version that a program may require, unless the test has set the version.
func (e *engine) RequirePulumiVersion(
	_ context.Context, in *pulumirpc.RequirePulumiVersionRequest,
) (*pulumirpc.RequirePulumiVersionResponse, error) {
	err := plugin.ValidatePulumiVersionRange(in.GetPulumiVersionRange(), e.recorder.pulumiVersion)
	return &pulumirpc.RequirePulumiVersionResponse{}, err
}
