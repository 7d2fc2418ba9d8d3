package manifests

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// DecodeOne decodes the only document of a YAML or JSON file; what names the thing that the file describes. The error
// has everything that is wrong, each with its line.
func DecodeOne(r io.Reader, name, what string, decode func(value any) field.ErrorList) error {
	docs, err := ReadYAML(r, name)
	switch {
	case err != nil:
		return err
	case len(docs) != 1:
		return fmt.Errorf("%s: has %d documents: give one that describes the %s", name, len(docs), what)
	}
	var errs []error
	root := (*field.Path)(nil).String() // the text of a nil path
	for _, e := range decode(docs[0].Value) {
		message := e.ErrorBody()
		if e.Field != "" && e.Field != root {
			message = e.Field + ": " + message
		}
		errs = append(errs, &Error{File: name, Line: docs[0].Line(e.Field), Detail: message})
	}
	return errors.Join(errs...)
}

// DecodeFile is [DecodeOne] for the file at a path. If there is none, the error wraps [fs.ErrNotExist].
func DecodeFile(path, what string, decode func(value any) field.ErrorList) error {
	name := filepath.ToSlash(path)
	file, err := Open(path)
	if err != nil {
		return Named(name, err)
	}
	defer func() { _ = file.Close() }()
	return DecodeOne(file, name, what, decode)
}
