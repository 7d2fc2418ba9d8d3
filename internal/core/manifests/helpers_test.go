package manifests_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// read returns the trees of a file called web.yaml, and the error's text.
func read(text string) (values []any, problem string) {
	docs, err := manifests.ReadYAML(strings.NewReader(text), "web.yaml")
	for _, d := range docs {
		values = append(values, d.Value)
	}
	if err != nil {
		problem = err.Error()
	}
	return values, problem
}

// mustRead is for a file without errors.
func mustRead(t *testing.T, text string) []manifests.Document {
	t.Helper()
	docs, err := manifests.ReadYAML(strings.NewReader(text), "web.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return docs
}
