package azurenative

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

func (s *server) check(ctx context.Context, r p.CheckRequest) (p.CheckResponse, error) {
	t, err := lookUp(string(r.Urn.Type()))
	if err != nil {
		return p.CheckResponse{}, err
	}
	ctx, cancel := s.request(ctx)
	defer cancel()
	inputs := r.Inputs
	if _, ok := inputs.GetOk(t.Named); !ok {
		if inputs, err = t.withName(inputs, r); err != nil {
			return p.CheckResponse{}, err
		}
	}
	if _, ok := inputs.GetOk("location"); !ok && t.location {
		if location, ok := s.defaultLocation(ctx, inputs, r.State); ok {
			inputs = inputs.Set("location", location)
		}
	}
	if _, ok := inputs.GetOk(apiVersionKey); !ok {
		inputs = inputs.Set(apiVersionKey, property.New(t.apiVersion))
	}
	return p.CheckResponse{Inputs: inputs, Failures: t.wrong(inputs)}, nil
}

// wrong returns missing inputs, and those that azure-native's SDK does not have.
func (t *resourceType) wrong(inputs property.Map) []p.CheckFailure {
	var failures []p.CheckFailure
	required := t.InPath()
	if t.location {
		required = append(required, "location")
	}
	for _, name := range required {
		if _, ok := inputs.GetOk(name); ok {
			continue
		}
		reason := fmt.Sprintf("missing required property '%s'", name)
		if name == "location" {
			reason += ". Either set it explicitly or configure it with 'pulumi config set azure-native:location " +
				"<value>'."
		}
		failures = append(failures, p.CheckFailure{Reason: reason})
	}
	for name := range inputs.AllStable {
		if strings.HasPrefix(name, "__") || name == apiVersionKey {
			continue
		}
		if at := t.tree.below[name]; at == nil || !at.input {
			failures = append(failures,
				p.CheckFailure{Property: name, Reason: fmt.Sprintf("%s has no input %q", t.token, name)})
		}
	}
	return failures
}

// withName gives the resource the name that it had, or a new one. A part of another resource in Azure gets its name in
// Pulumi (pulumi-azure-native#519). Other names have random digits or are random, and the engine's seed makes them the
// same in a preview.
func (t *resourceType) withName(inputs property.Map, r p.CheckRequest) (property.Map, error) {
	if had, ok := r.State.GetOk(t.Named); ok {
		inputs = inputs.Set(t.Named, had)
		if flag, ok := r.State.GetOk(change.CreateBeforeDelete); ok && flag.IsBool() && flag.AsBool() {
			inputs = inputs.Set(change.CreateBeforeDelete, property.New(true))
		}
		return inputs, nil
	}
	if t.IsPart() {
		return inputs.Set(t.Named, property.New(r.Urn.Name())), nil
	}
	name, err := t.randomName(r)
	if err != nil {
		return inputs, err
	}
	return inputs.Set(t.Named, property.New(name)).Set(change.CreateBeforeDelete, property.New(true)), nil
}

func (t *resourceType) randomName(r p.CheckRequest) (string, error) {
	if !t.namedUUID {
		return resource.NewUniqueName(r.RandomSeed, r.Urn.Name(), 8, 0, nil)
	}
	digits, err := resource.NewUniqueName(r.RandomSeed, "", 32, 0, nil)
	if err != nil {
		return "", err
	}
	id, err := uuid.Parse(digits)
	return id.String(), err
}

// defaultLocation returns the previous location, or the location of the configuration, or that of the resource group.
func (s *server) defaultLocation(ctx context.Context, inputs, old property.Map) (property.Value, bool) {
	if had, ok := old.GetOk("location"); ok {
		return had, true
	}
	if s.location != "" {
		return property.New(s.location), true
	}
	group, ok := inputs.GetOk("resourceGroupName")
	switch {
	case ok && group.IsComputed():
		return unknown, true
	case !ok || !group.IsString():
		return property.Value{}, false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if known := s.locations[group.AsString()]; known != "" {
		return property.New(known), true
	}
	// Not an error here, as in azure-native: the missing location is reported.
	client, err := s.open()
	if err != nil {
		return property.Value{}, false
	}
	body, err := client.Get(ctx, "/subscriptions/"+armclient.SubscriptionID+"/resourceGroups/"+group.AsString())
	if err != nil {
		return property.Value{}, false
	}
	location, ok := body["location"].(string)
	if !ok {
		return property.Value{}, false
	}
	s.locations[group.AsString()] = location
	return property.New(location), true
}
