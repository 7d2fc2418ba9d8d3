package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A recorded state is written again without a change.
func TestStatesAreReduced(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../pins/testdata/states/*.json")
	if err != nil || len(paths) != 6 {
		t.Fatalf("%d states, %v, want 6", len(paths), err)
	}
	for _, path := range paths {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := reduced(want)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s has another text than its state", path)
		}
	}
}

func TestReducedWithSecretsHidesTheKubeconfig(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"clusters", "joining"} {
		recorded, err := os.ReadFile("../../pins/testdata/azure/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		exported := strings.ReplaceAll(string(recorded), "KUBECONFIG", `users:\\n- client-key-data: \\\"key\\\"`)
		exported = strings.ReplaceAll(exported, "SALT", "v1:aaaa")
		got, err := reducedWithSecrets([]byte(exported), []byte("users:\n- client-key-data: \"key\""))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(recorded) {
			t.Errorf("%s has another text than its state", name)
		}
		_, err = reducedWithSecrets([]byte(exported), []byte("another"))
		if err == nil || err.Error() != "it has a secret" {
			t.Errorf("the error of another kubeconfig is %v", err)
		}
	}
}

func TestReducedLeavesOutWhatDiffers(t *testing.T) {
	t.Parallel()
	got, err := reduced([]byte(`{"version": 3, "deployment": {
  "manifest": {"time": "2026-01-01T00:00:00Z", "version": "v3.255.0"},
  "secrets_providers": {"type": "passphrase"},
  "resources": [
    {"urn": "a", "created": "2026-01-01T00:00:00Z", "modified": "2026-01-01T00:00:00Z"},
    {"urn": "b", "outputs": {"status": {"ready": true}, "spec": {"args": "<&>"}, "metadata": {"name": "b", "uid": "1"}}}
  ]}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":3,"deployment":{"manifest":{"time":"0001-01-01T00:00:00Z","version":"v3.255.0"},"resources":[
{"urn":"a"},
{"outputs":{"metadata":{"name":"b"},"spec":{"args":"<&>"}},"urn":"b"}
]}}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("the state (-want +got):\n%s", diff)
	}
	if _, err := reduced([]byte(`{"ciphertext": ""}`)); err == nil || err.Error() != "it has a secret" {
		t.Errorf("the error of a secret is %v", err)
	}
}
