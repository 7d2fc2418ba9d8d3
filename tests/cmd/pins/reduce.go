package main

import (
	"bytes"
	"encoding/json"
	"errors"
)

// state is what `pulumi stack export` prints.
type state struct {
	Version    int        `json:"version"`
	Deployment deployment `json:"deployment"`
}

type deployment struct {
	Manifest  map[string]any   `json:"manifest"`
	Resources []map[string]any `json:"resources"`
}

// left are the fields of resources that differ in each run and that Pulumi does not need: times, and the lines of the
// program.
var left = []string{"created", "modified", "sourcePosition", "stackTrace", "snippet"}

// ofTheCluster are the fields of objects that the cluster sets and that differ in each run.
var ofTheCluster = []string{"managedFields", "uid", "resourceVersion", "creationTimestamp"}

// reduced returns a state without what differs in each run, and without the key of its secrets: there are none.
func reduced(exported []byte) ([]byte, error) {
	if bytes.Contains(exported, []byte("ciphertext")) || bytes.Contains(exported, []byte("plaintext")) {
		return nil, errors.New("it has a secret")
	}
	var s state
	if err := json.Unmarshal(exported, &s); err != nil {
		return nil, err
	}
	s.Deployment.Manifest["time"] = "0001-01-01T00:00:00Z" // as Pulumi writes one without a time
	for _, r := range s.Deployment.Resources {
		for _, field := range left {
			delete(r, field)
		}
		outputs, ok := r["outputs"].(map[string]any)
		if !ok {
			continue
		}
		delete(outputs, "status")
		if metadata, ok := outputs["metadata"].(map[string]any); ok {
			for _, field := range ofTheCluster {
				delete(metadata, field)
			}
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(s)
	return out.Bytes(), err
}
