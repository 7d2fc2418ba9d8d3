package change

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
)

// Kind is how a property differs.
type Kind string

// The kinds of differences.
const (
	Added   Kind = "added"
	Changed Kind = "changed"
	Removed Kind = "removed"
)

// Difference is a property that differs.
type Difference struct {
	Path resource.PropertyPath
	Kind Kind
	// Before and After do not contain secrets. They are null if there is no value.
	Before, After property.Value
	// Why is why this difference replaces the resource. It is empty if the provider changes the resource in place.
	Why string
}

// Question is about the inputs of a resource.
type Question struct {
	// Type is the token, such as "kubernetes:apps/v1:Deployment".
	Type          string
	Before, After property.Map
	// State are the outputs before.
	State property.Map
	// ProviderBefore and ProviderAfter are the inputs of its provider.
	ProviderBefore, ProviderAfter property.Map
}

// Answer is the provider's answer to a question.
type Answer struct {
	// Differences are sorted by path.
	Differences []Difference
	// DeleteFirst is true if the resource, in case it is replaced, is deleted before the new one is created.
	DeleteFirst bool
}

// Replaces reports whether a difference replaces the resource.
func (a Answer) Replaces() bool {
	for _, d := range a.Differences {
		if d.Why != "" {
			return true
		}
	}
	return false
}

// provider has the rules of a provider for a type.
type provider interface {
	compare(q Question) Answer
}

// of returns the provider of a type.
func of(typ string) (provider, bool) {
	switch pkg, _, _ := strings.Cut(typ, ":"); {
	case isObject(typ):
		return kubernetesObject(typ), true
	case pkg == "azure-native":
		t, known := azuretypes.Of(typ)
		return azureType{t}, known
	case typ == "pulumi:providers:kubernetes":
		return kubernetesProvider{}, true
	default:
		fixed, known := others[typ]
		return plain{pkg: pkg, fixed: fixed}, known
	}
}

// Known reports whether the rules of a type are known.
func Known(typ string) bool {
	_, known := of(typ)
	return known
}

// Compare answers a question. For an unknown type it returns the differences without a replacement.
func Compare(q Question) Answer {
	p, known := of(q.Type)
	if !known {
		return Answer{Differences: Differences(q.Before, q.After)}
	}
	return p.compare(q)
}

// others are the types whose rules are only a list: inputs whose change replaces the resource.
var others = map[string][]string{
	// https://github.com/pulumi/pulumi-command/blob/master/provider/pkg/provider/local/command.go
	"command:local:Command": {"triggers"},
	// The engine is their provider: Diff in its pkg/resource/deploy/builtins.go.
	"pulumi:index:Stash":           nil,
	"pulumi:pulumi:StackReference": {"name"},
	// Other accounts and settings replace nothing.
	"pulumi:providers:azure-native": nil,
	"pulumi:providers:command":      nil,
}

// plain is a provider that only has a list.
type plain struct {
	pkg   string
	fixed []string
}

func (p plain) compare(q Question) Answer {
	found := Differences(q.Before, q.After)
	for i, d := range found {
		for _, name := range p.fixed {
			if d.Path[0] == name {
				found[i].Why = why(p.pkg, name)
			}
		}
	}
	return Answer{Differences: found}
}

func why(provider, property string) string {
	return provider + " replaces it for a change of " + property
}
