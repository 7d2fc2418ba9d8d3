package pulumicommand

import (
	"context"

	p "github.com/pulumi/pulumi-go-provider"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
)

// diff returns the inputs that differ, and whether they replace the command, so that it is created again.
func diff(_ context.Context, r p.DiffRequest) (p.DiffResponse, error) {
	found := change.Compare(change.Question{Type: Token, Before: r.OldInputs, After: r.Inputs}).Differences
	if len(found) == 0 {
		return p.DiffResponse{}, nil
	}
	answer := p.DiffResponse{HasChanges: true, DetailedDiff: map[string]p.PropertyDiff{}}
	for _, d := range found {
		kind, replacing := p.Update, p.UpdateReplace
		switch {
		case len(d.Path) > 1: // An input is compared as a whole.
		case d.Kind == change.Added:
			kind, replacing = p.Add, p.AddReplace
		case d.Kind == change.Removed:
			kind, replacing = p.Delete, p.DeleteReplace
		}
		if d.Why != "" {
			kind = replacing
		}
		answer.DetailedDiff[d.Path[:1].String()] = p.PropertyDiff{Kind: kind, InputDiff: true}
	}
	return answer, nil
}
