package pulumicommand

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// kinds are the inputs, and their types.
var kinds = map[string]struct {
	is    func(property.Value) bool
	words string
}{
	"addPreviousOutputInEnv": {property.Value.IsBool, "a boolean"},
	"archivePaths":           {nothing, "left out: the simulated command collects no archive"},
	"assetPaths":             {nothing, "left out: the simulated command collects no assets"},
	"create":                 {property.Value.IsString, "a string"},
	"delete":                 {property.Value.IsString, "a string"},
	"dir":                    {property.Value.IsString, "a string"},
	"environment":            {property.Value.IsMap, "a map"},
	"interpreter":            {property.Value.IsArray, "a list"},
	"logging":                {isLogging, "one of " + strings.Join(loggings, ", ")},
	"stdin":                  {property.Value.IsString, "a string"},
	"triggers":               {property.Value.IsArray, "a list"},
	"update":                 {property.Value.IsString, "a string"},
}

var loggings = []string{"stdout", "stderr", "stdoutAndStderr", "none"}

func nothing(property.Value) bool { return false }

func isLogging(v property.Value) bool { return v.IsString() && slices.Contains(loggings, v.AsString()) }

func check(_ context.Context, r p.CheckRequest) (p.CheckResponse, error) {
	if err := known(r.Urn); err != nil {
		return p.CheckResponse{}, err
	}
	answer := p.CheckResponse{Inputs: r.Inputs}
	for name, v := range r.Inputs.AllStable {
		kind, ok := kinds[name]
		switch {
		case !ok:
			answer.Failures = append(answer.Failures, p.CheckFailure{
				Property: name, Reason: fmt.Sprintf("%s has no input %q: it has %s", Token, name,
					strings.Join(slices.Sorted(maps.Keys(kinds)), ", ")),
			})
		case !v.IsComputed() && !kind.is(v):
			answer.Failures = append(answer.Failures,
				p.CheckFailure{Property: name, Reason: fmt.Sprintf("%s has to be %s", name, kind.words)})
		}
	}
	return answer, nil
}
