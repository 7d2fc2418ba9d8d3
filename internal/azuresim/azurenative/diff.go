package azurenative

import (
	"context"

	p "github.com/pulumi/pulumi-go-provider"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
)

// diff compares the inputs, and tells for each property that differs whether it replaces the resource.
func diff(_ context.Context, r p.DiffRequest) (p.DiffResponse, error) {
	t, err := lookUp(string(r.Urn.Type()))
	if err != nil {
		return p.DiffResponse{}, err
	}
	answer := change.Compare(change.Question{Type: t.token, Before: r.OldInputs, After: r.Inputs, State: r.State})
	if len(answer.Differences) == 0 {
		return p.DiffResponse{}, nil
	}
	response := p.DiffResponse{
		HasChanges: true, DeleteBeforeReplace: answer.Replaces() && answer.DeleteFirst,
		DetailedDiff: map[string]p.PropertyDiff{},
	}
	for _, d := range answer.Differences {
		response.DetailedDiff[d.Path.String()] = p.PropertyDiff{
			Kind: kinds[d.Kind][d.Why != ""], InputDiff: true,
		}
	}
	return response, nil
}

// kinds are Pulumi's kinds of differences, without a replacement and with one.
var kinds = map[change.Kind]map[bool]p.DiffKind{
	change.Added:   {false: p.Add, true: p.AddReplace},
	change.Changed: {false: p.Update, true: p.UpdateReplace},
	change.Removed: {false: p.Delete, true: p.DeleteReplace},
}
