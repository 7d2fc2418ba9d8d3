package sources

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// State is what a Pulumi stack has deployed.
type State struct {
	// Name is where the state was read from, for messages.
	Name string
	// Resources are the resources of the stack, in the order of the state, without the ones that are being deleted.
	Resources []Resource
}

// Resource is a resource in a state.
type Resource struct {
	URN string `json:"urn"`
	// Type is the type of the resource, "kubernetes:apps/v1:Deployment" for example.
	Type   string `json:"type"`
	ID     string `json:"id"`
	Parent string `json:"parent"`
	// Provider is the URN of the provider, with its ID after the last "::".
	Provider string `json:"provider"`
	// Custom is false for a component.
	Custom bool `json:"custom"`
	// External is true if the stack only reads the resource, and does not manage it.
	External bool `json:"external"`
	// Inputs and Outputs are plain values. A secret is a [tree.Secret], which holds a [tree.Unknown]
	// if it is encrypted.
	Inputs  map[string]any `json:"inputs"`
	Outputs map[string]any `json:"outputs"`
	// Delete is true if the resource has been replaced, and will be deleted.
	Delete bool `json:"delete"`
}

// ResourceName returns the last part of the URN.
func (r Resource) ResourceName() string {
	return r.URN[strings.LastIndex(r.URN, "::")+len("::"):]
}

// exported is the output of pulumi stack export, or a file of a backend in a directory or a bucket, which has the
// resources in another field.
type exported struct {
	Version    int         `json:"version"`
	Deployment *deployment `json:"deployment"`
	Checkpoint *struct {
		Latest *deployment `json:"latest"`
	} `json:"checkpoint"`
}

type deployment struct {
	Resources []Resource `json:"resources"`
}

// ReadState reads the output of pulumi stack export, with or without --show-secrets, or the file in which a backend
// keeps a stack. The name is for messages.
func ReadState(text []byte, name string) (*State, error) {
	if err := checkValues(text, name, maxValues); err != nil {
		return nil, err
	}
	var read exported
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("%s: is not the output of pulumi stack export: %w", name,
			inJSON(text, err))
	}
	d := read.Deployment
	if d == nil && read.Checkpoint != nil {
		d = read.Checkpoint.Latest
	}
	if d == nil {
		return nil, fmt.Errorf("%s: not the state of a stack: name a file with the output of pulumi stack export", name)
	}
	s := &State{Name: name}
	for _, r := range d.Resources {
		if r.Delete {
			continue
		}
		r.Inputs, r.Outputs = plain(r.Inputs), plain(r.Outputs)
		s.Resources = append(s.Resources, r)
	}
	if len(s.Resources) == 0 {
		return nil, fmt.Errorf("%s: the stack has no resources: run pulumi up first", name)
	}
	return s, nil
}

// inJSON adds the line of the text to an error.
func inJSON(text []byte, err error) error {
	at := int64(-1)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		at = int64(len(text))
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = e.Offset
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = e.Offset
	}
	if at < 0 || at > int64(len(text)) {
		return err
	}
	return fmt.Errorf("line %d: %w", 1+strings.Count(string(text[:at]), "\n"), err)
}

// The marks of a secret in a state (https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/sig/sig.go).
const (
	signature       = "4dabf18193072939515e22adb298388d"
	secretSignature = "1b47061264138c4ac30d75fd1eb44270"
)

func plain(m map[string]any) map[string]any {
	opened, _ := withoutEnvelopes(m).(map[string]any)
	return opened
}

// withoutEnvelopes replaces Pulumi's marks with the ones of this library.
func withoutEnvelopes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v[signature] == secretSignature {
			return secretOf(v)
		}
		for key, value := range v {
			v[key] = withoutEnvelopes(value)
		}
		return v
	case []any:
		for i := range v {
			v[i] = withoutEnvelopes(v[i])
		}
		return v
	default:
		return v
	}
}

// secretOf returns a secret, with its value if the state was exported with --show-secrets.
func secretOf(envelope map[string]any) tree.Secret {
	text, shown := envelope["plaintext"].(string)
	var value any
	if !shown || json.Unmarshal([]byte(text), &value) != nil {
		return tree.Secret{Value: tree.Unknown{}}
	}
	return tree.Secret{Value: withoutEnvelopes(value)}
}
