package mocktest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
)

// transforms runs the resource transforms of a program as the engine does, including its oddities: see RegisterResource
// in the engine's source_eval.go.
type transforms struct {
	mu          sync.Mutex // guards what follows
	ofStack     []transform
	ofResource  map[string]inherited   // by URN
	pending     map[string][]transform // of remote components, until the plugin registers them
	connections map[string]*grpc.ClientConn
}

// transform is a function of the program, which the SDK serves.
type transform struct {
	callback   *pulumirpc.Callback
	connection *grpc.ClientConn
}

// inherited are the transforms that a resource passes to its children: its own, and those of its parent.
type inherited struct {
	own    []transform
	parent string
}

func newTransforms() *transforms {
	return &transforms{
		ofResource:  map[string]inherited{},
		pending:     map[string][]transform{},
		connections: map[string]*grpc.ClientConn{},
	}
}

// addToStack makes a transform run on each resource that is registered later.
func (t *transforms) addToStack(callback *pulumirpc.Callback) error {
	added, err := t.connected([]*pulumirpc.Callback{callback})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ofStack = append(t.ofStack, added...)
	return nil
}

// passOn makes children inherit the transforms of a registered resource.
func (t *transforms) passOn(urn resource.URN, parent string, own []transform) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ofResource[string(urn)] = inherited{own: own, parent: parent}
}

// run changes the request as the transforms require. It returns the transforms that belong to the resource itself.
func (t *transforms) run(ctx context.Context, in *pulumirpc.RegisterResourceRequest) ([]transform, error) {
	own, err := t.own(in)
	if err != nil {
		return nil, fmt.Errorf("collect resource transforms: %w", err)
	}
	all := t.ordered(own, in.GetParent())
	if len(all) == 0 {
		return nil, nil
	}
	wire := transformOptions()
	wire.UpgradeToOutputValues = true // As the engine does; the Go SDK takes either form.
	properties, err := plugin.UnmarshalProperties(in.GetObject(), wire)
	if err != nil {
		return nil, fmt.Errorf("unmarshal properties: %w", err)
	}
	if len(own) > 0 {
		properties = withDependencies(properties, in.GetPropertyDependencies())
	}
	options := optionsOf(in)
	for _, next := range all {
		properties, options, err = next.invoke(ctx, in, properties, options)
		if err != nil {
			return nil, fmt.Errorf("invoke transform: %w", err)
		}
	}
	// This restores secrets and unknown values from the outputs.
	in.Object, err = marshal(properties)
	if err != nil {
		return nil, err
	}
	setOptions(in, options)
	// The engine ignores the dependencies that a transform of the stack or of
	// a parent returns, unless the resource has transforms of its own too.
	if len(own) > 0 {
		setDependencies(in, options.GetDependsOn(), properties)
	}
	return own, nil
}

// own returns the transforms of a resource. Those of a remote component come with the program's request, and belong to
// the component when the plugin registers it: they run twice.
func (t *transforms) own(in *pulumirpc.RegisterResourceRequest) ([]transform, error) {
	key := in.GetParent() + "::" + in.GetType() + "::" + in.GetName()
	t.mu.Lock()
	waiting, found := t.pending[key]
	delete(t.pending, key)
	t.mu.Unlock()
	if found {
		return waiting, nil
	}
	own, err := t.connected(in.GetTransforms())
	if err == nil && in.GetRemote() && len(own) > 0 {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.pending[key] = own
	}
	return own, err
}

// ordered returns all transforms that run on a resource: its own, those of its
// ancestors, the closest first, and those of the stack.
func (t *transforms) ordered(own []transform, parent string) []transform {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := slices.Clone(own)
	for parent != "" {
		from := t.ofResource[parent]
		all = append(all, from.own...)
		parent = from.parent
	}
	return append(all, t.ofStack...)
}

func (t *transforms) connected(callbacks []*pulumirpc.Callback) ([]transform, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var result []transform
	for _, callback := range callbacks {
		connection, ok := t.connections[callback.GetTarget()]
		if !ok {
			var err error
			connection, err = grpc.NewClient(callback.GetTarget(),
				grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				return nil, err
			}
			t.connections[callback.GetTarget()] = connection
		}
		result = append(result, transform{callback: callback, connection: connection})
	}
	return result, nil
}

func (t *transforms) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, connection := range t.connections {
		_ = connection.Close() // It fails only if it is closed already.
	}
}

// invoke calls the program. Fields that it does not return stay unchanged.
func (t transform) invoke(
	ctx context.Context, in *pulumirpc.RegisterResourceRequest,
	properties resource.PropertyMap, options *pulumirpc.TransformResourceOptions,
) (resource.PropertyMap, *pulumirpc.TransformResourceOptions, error) {
	wire := transformOptions()
	wire.KeepByteString = t.callback.GetAcceptsByteString()
	object, err := plugin.MarshalProperties(properties, wire)
	if err != nil {
		return nil, nil, fmt.Errorf("marshaling transform properties: %w", err)
	}
	request, err := proto.Marshal(&pulumirpc.TransformRequest{
		Type:       in.GetType(),
		Name:       in.GetName(),
		Custom:     in.GetCustom(),
		Parent:     in.GetParent(),
		Properties: object,
		Options:    options,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("marshaling transform request: %w", err)
	}
	answer, err := pulumirpc.NewCallbacksClient(t.connection).Invoke(ctx,
		&pulumirpc.CallbackInvokeRequest{Token: t.callback.GetToken(), Request: request})
	if err != nil {
		return nil, nil, err
	}
	response := &pulumirpc.TransformResponse{}
	if err := proto.Unmarshal(answer.GetResponse(), response); err != nil {
		return nil, nil, fmt.Errorf("unmarshaling transform response: %w", err)
	}
	if response.GetOptions() != nil {
		options = response.GetOptions()
	}
	if response.GetProperties() != nil {
		properties, err = plugin.UnmarshalProperties(response.GetProperties(), wire)
		if err != nil {
			return nil, nil, fmt.Errorf("unmarshalling transform properties: %w", err)
		}
	}
	return properties, options, nil
}

func transformOptions() plugin.MarshalOptions {
	options := wireOptions()
	options.KeepOutputValues = true
	return options
}

type propertyDependencies = pulumirpc.RegisterResourceRequest_PropertyDependencies

// withDependencies turns each property with dependencies into an output, which carries them.
func withDependencies(
	properties resource.PropertyMap, dependencies map[string]*propertyDependencies,
) resource.PropertyMap {
	result := resource.PropertyMap{}
	for key, value := range properties {
		if found := dependencies[string(key)].GetUrns(); len(found) > 0 {
			output := resource.Output{Element: value, Known: true}
			if value.IsOutput() {
				output = value.OutputValue()
			}
			output.Dependencies = urns(found)
			value = resource.NewProperty(output)
		}
		result[key] = value
	}
	return result
}

// setDependencies sets the dependencies that a transform returned, and those that the properties still carry: the Go
// SDK returns none with properties.
func setDependencies(in *pulumirpc.RegisterResourceRequest, dependsOn []string, properties resource.PropertyMap) {
	in.PropertyDependencies = map[string]*propertyDependencies{}
	all := slices.Clone(dependsOn)
	for key, value := range properties {
		if !value.IsOutput() {
			continue
		}
		found := &propertyDependencies{}
		for _, urn := range value.OutputValue().Dependencies {
			found.Urns = append(found.Urns, string(urn))
		}
		in.PropertyDependencies[string(key)] = found
		all = append(all, found.GetUrns()...)
	}
	slices.Sort(all)
	in.Dependencies = slices.Compact(all)
}

func optionsOf(in *pulumirpc.RegisterResourceRequest) *pulumirpc.TransformResourceOptions {
	options := &pulumirpc.TransformResourceOptions{
		DependsOn:               in.GetDependencies(),
		Protect:                 in.Protect,
		IgnoreChanges:           in.GetIgnoreChanges(),
		ReplaceOnChanges:        in.GetReplaceOnChanges(),
		ReplacementTrigger:      in.GetReplacementTrigger(),
		Version:                 in.GetVersion(),
		Aliases:                 in.GetAliases(),
		Provider:                in.GetProvider(),
		Providers:               in.GetProviders(),
		CustomTimeouts:          in.GetCustomTimeouts(),
		PluginDownloadUrl:       in.GetPluginDownloadURL(),
		PluginChecksums:         in.GetPluginChecksums(),
		RetainOnDelete:          in.RetainOnDelete,
		DeletedWith:             in.GetDeletedWith(),
		ReplaceWith:             in.GetReplaceWith(),
		AdditionalSecretOutputs: in.GetAdditionalSecretOutputs(),
		Hooks:                   in.GetHooks(),
		Import:                  in.GetImportId(),
		HideDiff:                in.GetHideDiffs(),
	}
	if in.GetDeleteBeforeReplaceDefined() || in.GetDeleteBeforeReplace() {
		options.DeleteBeforeReplace = &in.DeleteBeforeReplace
	}
	return options
}

// setOptions sets the options that are recorded, except for the dependencies.
func setOptions(in *pulumirpc.RegisterResourceRequest, options *pulumirpc.TransformResourceOptions) {
	in.Protect = options.Protect
	in.IgnoreChanges = options.GetIgnoreChanges()
	in.ReplaceOnChanges = options.GetReplaceOnChanges()
	in.Version = options.GetVersion()
	in.Aliases = options.GetAliases()
	in.Provider = options.GetProvider()
	in.Providers = options.GetProviders()
	in.CustomTimeouts = options.GetCustomTimeouts()
	in.PluginDownloadURL = options.GetPluginDownloadUrl()
	in.RetainOnDelete = options.RetainOnDelete
	in.DeletedWith = options.GetDeletedWith()
	in.ReplaceWith = options.GetReplaceWith()
	in.DeleteBeforeReplace = options.GetDeleteBeforeReplace()
	in.DeleteBeforeReplaceDefined = options.DeleteBeforeReplace != nil
	in.ReplacementTrigger = options.GetReplacementTrigger()
	in.AdditionalSecretOutputs = options.GetAdditionalSecretOutputs()
	in.ImportId = options.GetImport()
}
