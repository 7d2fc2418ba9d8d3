package mocktest

import (
	"context"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// Construct answers the engine's request to a plugin when a program registers a remote component.
type Construct func(context.Context, *pulumirpc.ConstructRequest) (*pulumirpc.ConstructResponse, error)

// Plugin sets the function that constructs remote components, as a plugin does that serves them: the graph has the
// resources that it registers, like those of the program itself. Without it, a remote component is a resource without
// children, whose outputs come from [Outputs]. [After] does not support plugins.
func Plugin(construct Construct) Option {
	return func(s *settings) { s.construct = construct }
}

// constructed lets a plugin construct a component, as the engine does.
func (m *monitor) constructed(
	ctx context.Context, in *pulumirpc.RegisterResourceRequest,
) (*pulumirpc.RegisterResourceResponse, error) {
	req := &pulumirpc.ConstructRequest{
		Project: m.recorder.project, Stack: m.recorder.stack, Config: m.recorder.qualifiedConfig(),
		DryRun: m.recorder.preview, Parallel: 1, MonitorEndpoint: m.address,
		Type: in.GetType(), Name: in.GetName(), Parent: in.GetParent(),
		Inputs: in.GetObject(), AcceptsOutputValues: true,
		InputDependencies: map[string]*pulumirpc.ConstructRequest_PropertyDependencies{},
		Dependencies:      in.GetDependencies(), Providers: in.GetProviders(), Aliases: in.GetAliases(),
		Protect: in.Protect, DeletedWith: in.GetDeletedWith(), ReplaceWith: in.GetReplaceWith(),
		IgnoreChanges: in.GetIgnoreChanges(), ReplaceOnChanges: in.GetReplaceOnChanges(),
		AdditionalSecretOutputs: in.GetAdditionalSecretOutputs(), RetainOnDelete: in.RetainOnDelete,
		ReplacementTrigger: in.GetReplacementTrigger(),
	}
	for property, dependencies := range in.GetPropertyDependencies() {
		req.InputDependencies[property] = &pulumirpc.ConstructRequest_PropertyDependencies{Urns: dependencies.GetUrns()}
	}
	if in.GetDeleteBeforeReplaceDefined() {
		req.DeleteBeforeReplace = &in.DeleteBeforeReplace
	}
	if t := in.GetCustomTimeouts(); t != nil {
		req.CustomTimeouts = &pulumirpc.ConstructRequest_CustomTimeouts{
			Create: t.GetCreate(), Update: t.GetUpdate(), Delete: t.GetDelete(), Read: t.GetRead(),
		}
	}
	if hooks := in.GetHooks(); hooks != nil {
		req.ResourceHooks = &pulumirpc.ConstructRequest_ResourceHooksBinding{
			BeforeCreate: hooks.GetBeforeCreate(), AfterCreate: hooks.GetAfterCreate(),
			BeforeUpdate: hooks.GetBeforeUpdate(), AfterUpdate: hooks.GetAfterUpdate(),
			BeforeDelete: hooks.GetBeforeDelete(), AfterDelete: hooks.GetAfterDelete(),
			OnError: hooks.GetOnError(),
		}
	}
	made, err := m.recorder.construct(ctx, req)
	if err != nil {
		return nil, m.recorder.refuse(err)
	}
	response := &pulumirpc.RegisterResourceResponse{
		Urn: made.GetUrn(), Object: made.GetState(),
		PropertyDependencies: map[string]*pulumirpc.RegisterResourceResponse_PropertyDependencies{},
	}
	for property, dependencies := range made.GetStateDependencies() {
		urns := dependencies.GetUrns()
		response.PropertyDependencies[property] = &pulumirpc.RegisterResourceResponse_PropertyDependencies{Urns: urns}
	}
	return response, nil
}
