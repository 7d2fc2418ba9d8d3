package arm

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// state is everything in the cloud.
type state struct {
	// Serial counts the changes.
	Serial    int                  `json:"serial"`
	Resources map[string]*resource `json:"resources"`
	// Reserved are network interfaces, by the keys of their IDs.
	Reserved map[string]reservation `json:"reserved,omitempty"`
	// Leaving are the nodes of deleted machines that the cluster was not notified of yet.
	Leaving []string `json:"leaving,omitempty"`
	// Operations are the operations that run on clusters, or will.
	Operations []operation `json:"operations,omitempty"`
	// Features are the features for which the subscription has registered by request.
	Features []string `json:"features,omitempty"`
}

// resource is a stored resource.
type resource struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	// Body is the answer of Get, without the properties that view adds.
	Body Body `json:"body"`
	// Created and Changed are serials.
	Created int `json:"created"`
	Changed int `json:"changed"`
	// HasPassword is true if there is a password for Windows nodes. The password itself is not stored.
	HasPassword bool `json:"hasPassword,omitempty"`
	// Joined is the result of a machine's boot.
	Joined *joined `json:"joined,omitempty"`
	// Execution is the result of a run command, nil if it has not run.
	Execution *execution `json:"execution,omitempty"`
}

func (r *resource) properties() Body {
	properties, ok := r.Body["properties"].(Body)
	if !ok {
		properties = Body{}
		r.Body["properties"] = properties
	}
	return properties
}

func (s *state) get(id string) *resource { return s.Resources[keyOf(id)] }

// put stores a body, with a new serial if it differs from before. The first spelling of the ID stays.
func (s *state) put(id armID, body Body) *resource {
	r := s.Resources[id.key()]
	if r != nil && same(r.Body, body) {
		return r
	}
	s.Serial++
	if r == nil {
		r = &resource{ID: id.text, Kind: id.kind, Created: s.Serial}
		s.Resources[id.key()] = r
	}
	r.Body, r.Changed = body, s.Serial
	return r
}

// remove removes a resource and everything below it.
func (s *state) remove(id string) {
	key := keyOf(id)
	s.Serial++
	maps.DeleteFunc(s.Resources, func(k string, _ *resource) bool { return k == key || strings.HasPrefix(k, key+"/") })
}

// all returns the resources of some kinds, in the order of their creation.
func (s *state) all(kinds ...string) []*resource {
	var list []*resource
	for _, r := range s.Resources {
		if slices.Contains(kinds, r.Kind) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *resource) int { return a.Created - b.Created })
	return list
}

// below returns the resources of a kind whose IDs begin with another ID.
func (s *state) below(id, kind string) []*resource {
	return slices.DeleteFunc(s.all(kind),
		func(r *resource) bool { return !strings.HasPrefix(keyOf(r.ID), keyOf(id)+"/") })
}

func readState(file string) (*state, error) {
	s := &state{Resources: map[string]*resource{}}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("read the state of the simulated Azure in %s: %w", file, err)
	}
	return s, nil
}

// writeFile replaces a file atomically: if the process is killed, the old one stays.
func writeFile(file string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(append(data, '\n'))
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// plain returns a copy as if decoded from JSON: numbers are float64, and nothing is shared.
func plain[T any](value T) (T, error) {
	var copied T
	data, err := json.Marshal(value)
	if err != nil {
		return copied, err
	}
	return copied, json.Unmarshal(data, &copied)
}

// clone is plain for a value that was decoded from JSON.
func clone(body Body) Body {
	copied, err := plain(body)
	if err != nil {
		panic(err) // it was JSON
	}
	return copied
}

func same(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// uuidOf returns a UUID that is the same for the same parts.
func uuidOf(parts ...any) string {
	sum := sha256.Sum256([]byte(strings.ToLower(fmt.Sprint(parts...))))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
