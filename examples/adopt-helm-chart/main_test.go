package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	exampletest.Preview(t, program)
}

// Pulumi's provider, which renders the chart, does not run in a unit test: the templates of
// this chart need only the values of Helm.
func TestTheManifestsOfTheChart(t *testing.T) {
	t.Parallel()
	result, err := manifest.Convert(rendered(t), options)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]manifest.Finding(nil), result.Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for _, file := range result.Files {
		exampletest.Equal(t, "testdata/"+filepath.Base(file.Name)+".golden", string(file.Text))
	}
}

func rendered(t *testing.T) []manifest.File {
	t.Helper()
	text, err := os.ReadFile("chart/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data := map[string]any{"Release": map[string]any{"Name": "shop"}}
	var values map[string]any
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	data["Values"] = values
	templates, err := template.ParseGlob("chart/templates/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var files []manifest.File
	for _, name := range []string{"cache.yaml", "web.yaml"} {
		var out bytes.Buffer
		if err := templates.ExecuteTemplate(&out, name, data); err != nil {
			t.Fatal(err)
		}
		files = append(files, manifest.File{Name: name, Text: out.Bytes()})
	}
	return files
}
