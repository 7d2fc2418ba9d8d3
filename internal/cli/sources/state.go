package sources

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// State is what a Pulumi stack has deployed.
type State struct {
	// Name is where it was read, for messages.
	Name string
	// Resources are those of the stack, in the order of the state. Those that are on their way out
	// are left out.
	Resources []Resource
}

// Resource is a resource in a state.
type Resource struct {
	URN string `json:"urn"`
	// Type is that of the resource, "kubernetes:apps/v1:Deployment" for example.
	Type   string `json:"type"`
	ID     string `json:"id"`
	Parent string `json:"parent"`
	// Provider is the URN of the provider, with its ID after the last "::".
	Provider string `json:"provider"`
	// Custom is false for a component.
	Custom bool `json:"custom"`
	// External says that the stack reads the resource, and does not have it.
	External bool `json:"external"`
	// Inputs and Outputs are plain values. A secret is a [tree.Secret], which holds a [tree.Unknown]
	// if it is encrypted.
	Inputs  map[string]any `json:"inputs"`
	Outputs map[string]any `json:"outputs"`
	// Delete says that the resource has been replaced, and is about to be deleted.
	Delete bool `json:"delete"`
}

// ResourceName is the last part of the URN.
func (r Resource) ResourceName() string {
	return r.URN[strings.LastIndex(r.URN, "::")+len("::"):]
}

// exported is what pulumi stack export prints, or a file of a backend in a folder or a bucket, which
// has the resources elsewhere.
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

// ReadState reads what pulumi stack export prints, with or without --show-secrets, or the file in
// which a backend keeps a stack. The name is for messages.
func ReadState(text []byte, name string) (*State, error) {
	var read exported
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("%s: not the state of a stack as pulumi stack export prints it: %w", name,
			inJSON(text, err))
	}
	d := read.Deployment
	if d == nil && read.Checkpoint != nil {
		d = read.Checkpoint.Latest
	}
	if d == nil {
		return nil, fmt.Errorf("%s: not the state of a stack: give what pulumi stack export prints", name)
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

// inJSON says in which line of a text an error is.
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

// What marks a secret in a state
// (https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/sig/sig.go).
const (
	signature       = "4dabf18193072939515e22adb298388d"
	secretSignature = "1b47061264138c4ac30d75fd1eb44270"
)

func plain(m map[string]any) map[string]any {
	opened, _ := withoutEnvelopes(m).(map[string]any)
	return opened
}

// withoutEnvelopes puts the marks of this library in the place of Pulumi's.
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

// secretOf is a secret, with its value if the state was exported with --show-secrets.
func secretOf(envelope map[string]any) tree.Secret {
	text, shown := envelope["plaintext"].(string)
	var value any
	if !shown || json.Unmarshal([]byte(text), &value) != nil {
		return tree.Secret{Value: tree.Unknown{}}
	}
	return tree.Secret{Value: withoutEnvelopes(value)}
}
