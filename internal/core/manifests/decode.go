package manifests

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

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
		at := ""
		if e.Field != "" && e.Field != root {
			at = e.Field + ": "
		}
		errs = append(errs, &Error{
			File: name, Line: docs[0].Line(e.Field), Detail: at + e.ErrorBody(), Quiet: at + quiet(e).ErrorBody(),
		})
	}
	return errors.Join(errs...)
}

// quotedText matches what %q prints, with the space before it.
var quotedText = regexp.MustCompile(` ?"(?:[^"\\]|\\.)*"`)

// quiet returns an error without the value in the file. The remaining ones are numbers and versions that other
// values are compared with.
func quiet(e *field.Error) *field.Error {
	without := *e
	without.BadValue = field.OmitValueType{}
	if value, ok := e.BadValue.(string); ok {
		if value == "an object" { // the fix writes the values of the object in another way
			without.Detail, _, _ = strings.Cut(e.Detail, ": write ")
		}
		// Errors about a taint quote its parts.
		without.Detail = quotedText.ReplaceAllStringFunc(without.Detail, func(text string) string {
			if part, err := strconv.Unquote(strings.TrimSpace(text)); err != nil ||
				part != "" && strings.Contains(value, part) {
				return ""
			}
			return text
		})
	}
	return &without
}
