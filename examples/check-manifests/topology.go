package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/stackconfig"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// clusterKey is where the configuration of a stack has the topology.
const clusterKey = stackconfig.Project + ":cluster"

// readTopology reads a file with what a stack's configuration has as its cluster.
// The error has everything that is wrong, each with its line.
func readTopology(name string) (topology.Topology, error) {
	file, err := os.Open(name)
	if err != nil {
		return topology.Topology{}, named(name, err)
	}
	defer func() { _ = file.Close() }()
	docs, err := tree.ReadYAML(file, name)
	switch {
	case err != nil:
		return topology.Topology{}, err
	case len(docs) != 1:
		return topology.Topology{}, fmt.Errorf("%s: %d documents: a topology is one", name, len(docs))
	}
	cluster, err := throughJSON(docs[0].Value)
	if err != nil {
		return topology.Topology{}, named(name, err)
	}
	config, err := stackconfig.Decode(map[string]any{clusterKey: cluster, stackconfig.Project + ":workloads": []any{}})
	var errs []error
	for _, e := range fieldErrors(err) {
		path := strings.TrimPrefix(strings.TrimPrefix(e.Field, clusterKey), ".")
		message := e.ErrorBody()
		if path != "" {
			message = path + ": " + message
		}
		errs = append(errs, &tree.Error{File: name, Line: docs[0].Line(path), Detail: message})
	}
	return config.Topology, errors.Join(errs...)
}

// throughJSON makes of a tree what the configuration of a stack is decoded from.
func throughJSON(v any) (out any, err error) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return out, err
}

// fieldErrors takes an error apart.
func fieldErrors(err error) field.ErrorList {
	switch err := err.(type) { //nolint:errorlint // each level is looked at
	case nil:
		return nil
	case *field.Error:
		return field.ErrorList{err}
	case interface{ Unwrap() error }:
		return fieldErrors(err.Unwrap())
	case interface{ Unwrap() []error }:
		var all field.ErrorList
		for _, one := range err.Unwrap() {
			all = append(all, fieldErrors(one)...)
		}
		return all
	default:
		return field.ErrorList{field.InternalError(nil, err)}
	}
}

// named says once which file it is about.
func named(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
