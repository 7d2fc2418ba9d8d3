package credspec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Decode reads a credential specification as New-CredentialSpec writes it. Each key must
// be known, as written, and each that Windows needs must exist: Windows would not report what
// it has not found. Errors name their lines, and never show PluginInput.
func Decode(text string, path *field.Path) (Specification, field.ErrorList) {
	doc, errs := parse(text, path)
	if len(errs) > 0 {
		return Specification{}, errs
	}
	var s Specification
	errs = tree.Decode(&s, doc.Value, path, tree.Hidden)
	if len(errs) == 0 {
		errs = s.check(path)
	}
	for _, err := range errs {
		err.Detail = atLine(doc.Line(strings.TrimPrefix(err.Field, path.String())), err.Detail)
	}
	return s, errs
}

func atLine(line int, detail string) string { return fmt.Sprintf("line %d: %s", line, detail) }

// parse reads one JSON value, with its lines. Package manifests would read YAML as well.
func parse(text string, path *field.Path) (manifests.Document, field.ErrorList) {
	wrong := func(line int, detail string) field.ErrorList {
		return field.ErrorList{field.Invalid(path, field.OmitValueType{}, atLine(line, detail))}
	}
	content := bytes.TrimPrefix([]byte(text), []byte("\uFEFF"))
	if err := json.Unmarshal(content, new(any)); err != nil {
		line := 1
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line += bytes.Count(content[:min(int(syntax.Offset), len(content))], []byte("\n"))
		}
		return manifests.Document{}, wrong(line, "not JSON: "+err.Error()+
			": give the content of the file that New-CredentialSpec has written")
	}
	docs, err := manifests.ReadYAML(bytes.NewReader(content), path.String())
	if err != nil {
		var errs field.ErrorList
		for _, err := range manifests.Flat([]error{err}) {
			if at, ok := errors.AsType[*manifests.Error](err); ok {
				errs = append(errs, wrong(at.Line, at.Detail)...)
			} else {
				errs = append(errs, wrong(1, err.Error())...)
			}
		}
		return manifests.Document{}, errs
	}
	if len(docs) != 1 {
		return manifests.Document{}, wrong(1, "must be one JSON object")
	}
	return docs[0], nil
}
