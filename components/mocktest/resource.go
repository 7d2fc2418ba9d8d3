package mocktest

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"
)

// Resource is one registration or read, as the program requested it and its transforms changed it. An option that the
// program did not set has the zero value.
type Resource struct {
	// URN is unique in a graph.
	URN resource.URN `json:"urn,omitzero"`
	// Type is the token, such as "kubernetes:apps/v1:Deployment".
	Type string `json:"type,omitzero"`
	Name string `json:"name,omitzero"`
	// Parent is empty for the children of the stack.
	Parent resource.URN `json:"parent,omitzero"`
	// Custom is true for a resource that a provider manages, and false for a component.
	Custom bool `json:"custom,omitzero"`
	// Remote is true for a component that a plugin implements.
	Remote bool `json:"remote,omitzero"`
	// Read is true for an existing resource that the program reads.
	Read bool `json:"read,omitzero"`
	// ID is the requested ID of a read. For other resources it is the ID that the program got; it is empty for
	// components and for resources that a preview creates.
	ID string `json:"id,omitzero"`

	// Inputs are the arguments, in which secrets and unknown values stay such.
	Inputs resource.PropertyMap `json:"inputs,omitzero"`
	// Outputs are the outputs that a component passes to RegisterResourceOutputs. It is nil if the component never
	// does, and for custom resources.
	Outputs resource.PropertyMap `json:"outputs,omitzero"`

	// Dependencies are all resources that the resource waits for, explicitly or through its inputs, sorted. Instead of
	// a component the SDK names its children.
	Dependencies []resource.URN `json:"dependencies,omitzero"`
	// PropertyDependencies maps inputs to the dependencies that come from them. Inputs without dependencies are left
	// out.
	PropertyDependencies map[string][]resource.URN `json:"propertyDependencies,omitzero"`
	// Provider is the URN of the provider that the program chose. It is empty for a default provider.
	Provider resource.URN `json:"provider,omitzero"`
	// Providers are the providers that a component passes to its children, by package.
	Providers map[string]resource.URN `json:"providers,omitzero"`

	Protect             bool           `json:"protect,omitzero"`
	RetainOnDelete      bool           `json:"retainOnDelete,omitzero"`
	DeleteBeforeReplace bool           `json:"deleteBeforeReplace,omitzero"`
	DeletedWith         resource.URN   `json:"deletedWith,omitzero"`
	ReplaceWith         []resource.URN `json:"replaceWith,omitzero"`
	IgnoreChanges       []string       `json:"ignoreChanges,omitzero"`
	ReplaceOnChanges    []string       `json:"replaceOnChanges,omitzero"`
	// ReplacementTrigger is the value whose change replaces the resource, in the form of [Plain].
	ReplacementTrigger      any            `json:"replacementTrigger,omitzero"`
	HideDiffs               []string       `json:"hideDiffs,omitzero"`
	AdditionalSecretOutputs []string       `json:"additionalSecretOutputs,omitzero"`
	Aliases                 []Alias        `json:"aliases,omitzero"`
	ImportID                string         `json:"importID,omitzero"`
	Version                 string         `json:"version,omitzero"`
	PluginDownloadURL       string         `json:"pluginDownloadURL,omitzero"`
	CustomTimeouts          CustomTimeouts `json:"customTimeouts,omitzero"`
	// Hooks are the names of the hooks that the engine runs around operations.
	Hooks Hooks `json:"hooks,omitzero"`
	// ErrorHooks are the names of the hooks that decide whether the engine repeats an operation that failed.
	ErrorHooks []string `json:"errorHooks,omitzero"`
}

// Hooks are the names of hooks by when they run, each in the order of the program.
type Hooks struct {
	BeforeCreate []string `json:"beforeCreate,omitzero"`
	AfterCreate  []string `json:"afterCreate,omitzero"`
	BeforeUpdate []string `json:"beforeUpdate,omitzero"`
	AfterUpdate  []string `json:"afterUpdate,omitzero"`
	BeforeDelete []string `json:"beforeDelete,omitzero"`
	AfterDelete  []string `json:"afterDelete,omitzero"`
}

// Alias is an earlier identity of a resource: either a URN, or the parts that
// have changed.
type Alias struct {
	URN     resource.URN `json:"urn,omitzero"`
	Name    string       `json:"name,omitzero"`
	Type    string       `json:"type,omitzero"`
	Stack   string       `json:"stack,omitzero"`
	Project string       `json:"project,omitzero"`
	Parent  resource.URN `json:"parent,omitzero"`
	// NoParent means that the resource was a child of the stack.
	NoParent bool `json:"noParent,omitzero"`
}

// CustomTimeouts are durations such as "5m".
type CustomTimeouts struct {
	Create string `json:"create,omitzero"`
	Update string `json:"update,omitzero"`
	Delete string `json:"delete,omitzero"`
	Read   string `json:"read,omitzero"`
}

// Plain is [Plain] of the inputs.
func (r Resource) Plain() map[string]any { return Plain(r.Inputs) }

// Secrets is [Secrets] of the inputs.
func (r Resource) Secrets() []string { return Secrets(r.Inputs) }

// Unknowns is [Unknowns] of the inputs.
func (r Resource) Unknowns() []string { return Unknowns(r.Inputs) }

// hidden turns the properties that AdditionalSecretOutputs names into secrets: outputs, and inputs that a person or a
// file can see.
func (r Resource) hidden(properties resource.PropertyMap) resource.PropertyMap {
	secrets := resource.PropertyMap{}
	for _, name := range r.AdditionalSecretOutputs {
		key := resource.PropertyKey(name)
		if value, ok := properties[key]; ok && !value.IsSecret() {
			secrets[key] = resource.MakeSecret(value)
		}
	}
	return merged(properties, secrets)
}

// String names the resource by type and name.
func (r Resource) String() string { return fmt.Sprintf("%s %q", r.Type, r.Name) }

func registered(in *pulumirpc.RegisterResourceRequest) (Resource, error) {
	inputs, err := unmarshal(in.GetObject())
	if err != nil {
		return Resource{}, err
	}
	r := Resource{
		Type:                    in.GetType(),
		Name:                    in.GetName(),
		Custom:                  in.GetCustom(),
		Remote:                  in.GetRemote(),
		Inputs:                  inputs,
		Dependencies:            urns(in.GetDependencies()),
		Protect:                 in.GetProtect(),
		RetainOnDelete:          in.GetRetainOnDelete(),
		DeleteBeforeReplace:     in.GetDeleteBeforeReplace(),
		DeletedWith:             resource.URN(in.GetDeletedWith()),
		ReplaceWith:             urns(in.GetReplaceWith()),
		IgnoreChanges:           in.GetIgnoreChanges(),
		ReplaceOnChanges:        in.GetReplaceOnChanges(),
		HideDiffs:               in.GetHideDiffs(),
		AdditionalSecretOutputs: in.GetAdditionalSecretOutputs(),
		ImportID:                in.GetImportId(),
		Version:                 in.GetVersion(),
		PluginDownloadURL:       in.GetPluginDownloadURL(),
		Hooks: Hooks{
			BeforeCreate: in.GetHooks().GetBeforeCreate(), AfterCreate: in.GetHooks().GetAfterCreate(),
			BeforeUpdate: in.GetHooks().GetBeforeUpdate(), AfterUpdate: in.GetHooks().GetAfterUpdate(),
			BeforeDelete: in.GetHooks().GetBeforeDelete(), AfterDelete: in.GetHooks().GetAfterDelete(),
		},
		ErrorHooks: in.GetHooks().GetOnError(),
	}
	if trigger := in.GetReplacementTrigger(); trigger != nil {
		const key = "replacementTrigger"
		values, err := unmarshal(&structpb.Struct{Fields: map[string]*structpb.Value{key: trigger}})
		if err != nil {
			return Resource{}, err
		}
		r.ReplacementTrigger = Plain(values)[key]
	}
	for property, dependencies := range in.GetPropertyDependencies() {
		if len(dependencies.GetUrns()) == 0 {
			continue
		}
		if r.PropertyDependencies == nil {
			r.PropertyDependencies = map[string][]resource.URN{}
		}
		r.PropertyDependencies[property] = urns(dependencies.GetUrns())
	}
	for _, alias := range in.GetAliases() {
		r.Aliases = append(r.Aliases, newAlias(alias))
	}
	if t := in.GetCustomTimeouts(); t != nil {
		r.CustomTimeouts = CustomTimeouts{
			Create: t.GetCreate(), Update: t.GetUpdate(), Delete: t.GetDelete(), Read: t.GetRead(),
		}
	}
	return r, nil
}

func read(in *pulumirpc.ReadResourceRequest) (Resource, error) {
	inputs, err := unmarshal(in.GetProperties())
	if err != nil {
		return Resource{}, err
	}
	return Resource{
		Type:                    in.GetType(),
		Name:                    in.GetName(),
		Custom:                  true,
		Read:                    true,
		ID:                      in.GetId(),
		Inputs:                  inputs,
		Dependencies:            urns(in.GetDependencies()),
		AdditionalSecretOutputs: in.GetAdditionalSecretOutputs(),
		Version:                 in.GetVersion(),
		PluginDownloadURL:       in.GetPluginDownloadURL(),
	}, nil
}

func newAlias(alias *pulumirpc.Alias) Alias {
	spec := alias.GetSpec()
	if spec == nil {
		return Alias{URN: resource.URN(alias.GetUrn())}
	}
	return Alias{
		Name:     spec.GetName(),
		Type:     spec.GetType(),
		Stack:    spec.GetStack(),
		Project:  spec.GetProject(),
		Parent:   resource.URN(spec.GetParentUrn()),
		NoParent: spec.GetNoParent(),
	}
}

func urns(texts []string) []resource.URN {
	var result []resource.URN
	for _, text := range texts {
		result = append(result, resource.URN(text))
	}
	slices.Sort(result)
	return result
}
