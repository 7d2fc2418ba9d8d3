package pulumicommand

import (
	"context"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// diff says which inputs differ. Triggers replace the command, so that it is created
// again.
func diff(_ context.Context, r p.DiffRequest) (p.DiffResponse, error) {
	found := plain(r.OldInputs).Diff(plain(r.Inputs))
	if found == nil {
		return p.DiffResponse{}, nil
	}
	answer := p.DiffResponse{HasChanges: true, DetailedDiff: map[string]p.PropertyDiff{}}
	for _, name := range found.ChangedKeys() {
		kind, replacing := p.Update, p.UpdateReplace
		switch {
		case found.Added(name):
			kind, replacing = p.Add, p.AddReplace
		case found.Deleted(name):
			kind, replacing = p.Delete, p.DeleteReplace
		}
		if name == "triggers" {
			kind = replacing
		}
		answer.DetailedDiff[name] = p.PropertyDiff{Kind: kind, InputDiff: true}
	}
	return answer, nil
}

// plain is without secrets and dependencies, which are no difference.
func plain(m property.Map) property.Map {
	object := map[string]property.Value{}
	for key, v := range m.All {
		object[key] = plainValue(v)
	}
	return property.NewMap(object)
}

func plainValue(v property.Value) property.Value {
	switch {
	case v.IsMap():
		return property.New(plain(v.AsMap()))
	case v.IsArray():
		list := v.AsArray().AsSlice()
		for i := range list {
			list[i] = plainValue(list[i])
		}
		return property.New(list)
	default:
		return v.WithSecret(false).WithDependencies(nil)
	}
}
