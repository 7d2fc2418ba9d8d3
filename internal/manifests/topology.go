package manifests

import (
	"errors"
	"fmt"

	"github.com/mixedkube/mixedkube/components/topology"
)

// ReadTopology reads a file with what a stack's configuration has as its cluster.
// The error has everything that is wrong, each with its line.
func ReadTopology(name string) (topology.Topology, error) {
	file, err := Open(name)
	if err != nil {
		return topology.Topology{}, Named(name, err)
	}
	defer func() { _ = file.Close() }()
	docs, err := ReadYAML(file, name)
	switch {
	case err != nil:
		return topology.Topology{}, err
	case len(docs) != 1:
		return topology.Topology{}, fmt.Errorf("%s: %d documents: a topology is one", name, len(docs))
	}
	t, invalid := topology.Decode(docs[0].Value, nil)
	var errs []error
	for _, e := range invalid {
		message := e.ErrorBody()
		if e.Field != "" {
			message = e.Field + ": " + message
		}
		errs = append(errs, &Error{File: name, Line: docs[0].Line(e.Field), Detail: message})
	}
	return t, errors.Join(errs...)
}
