package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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

// reduced returns a state without what differs in each run, and without the key of its secrets: there are none. Each
// resource is on a line of its own.
func reduced(exported []byte) ([]byte, error) {
	if bytes.Contains(exported, []byte("ciphertext")) || bytes.Contains(exported, []byte("plaintext")) {
		return nil, errors.New("it has a secret")
	}
	return withoutDifferences(exported, "")
}

// reducedWithSecrets is reduced for a state whose secrets were made up, except for the kubeconfig of the lab: KUBECONFIG
// replaces it, and SALT the salt of the secrets.
func reducedWithSecrets(exported, kubeconfig []byte) ([]byte, error) {
	for range 2 { // a secret is a text with JSON
		quoted, err := json.Marshal(string(kubeconfig))
		if err != nil {
			return nil, err
		}
		kubeconfig = quoted[1 : len(quoted)-1]
	}
	exported = bytes.ReplaceAll(exported, kubeconfig, []byte("KUBECONFIG"))
	if bytes.Contains(exported, []byte("ciphertext")) || bytes.Contains(exported, []byte("client-key-data")) {
		return nil, errors.New("it has a secret")
	}
	return withoutDifferences(exported, `"secrets_providers":{"type":"passphrase","state":{"salt":"SALT"}},`)
}

// withoutDifferences takes the text of the field with the key of the secrets.
func withoutDifferences(exported []byte, secrets string) ([]byte, error) {
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
	return s.text(secrets)
}

func (s state) text(secrets string) ([]byte, error) {
	manifest, err := line(s.Deployment.Manifest)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `{"version":%d,"deployment":{"manifest":%s,%s"resources":[`, s.Version, manifest, secrets)
	for i, r := range s.Deployment.Resources {
		resource, err := line(r)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + resource)
	}
	out.WriteString("\n]}}\n")
	return out.Bytes(), nil
}

func line(value map[string]any) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return strings.TrimSuffix(out.String(), "\n"), err
}
