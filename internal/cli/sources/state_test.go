package sources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestSecretsOfAStateStaySecret(t *testing.T) {
	t.Parallel()
	const (
		signature = "4dabf18193072939515e22adb298388d"
		secret    = `{"` + signature + `": "1b47061264138c4ac30d75fd1eb44270", `
		encrypted = secret + `"ciphertext": "v1:abc"}`
		shown     = secret + `"plaintext": "{\"a\": 1}"}`
		asset     = `{"` + signature + `": "c44067f5952c0a294b673a41bacd8c17", "text": "x"}`
	)
	state, err := sources.ReadState([]byte(`{"version": 3, "deployment": {"resources": [
		{"urn": "urn:pulumi:s::p::t::old", "type": "t", "delete": true},
		{"urn": "urn:pulumi:s::p::t::a", "type": "t", "custom": true, "id": "i", "external": true,
		 "parent": "p", "provider": "q::id",
		 "inputs": {"key": `+encrypted+`, "list": [`+shown+`], "asset": `+asset+`},
		 "outputs": {"n": 1.5}}]}}`), "state")
	if err != nil {
		t.Fatal(err)
	}
	want := &sources.State{Name: "state", Resources: []sources.Resource{{
		URN: "urn:pulumi:s::p::t::a", Type: "t", ID: "i", Parent: "p", Provider: "q::id", Custom: true, External: true,
		Inputs: map[string]any{
			"key":   tree.Secret{Value: tree.Unknown{}},
			"list":  []any{tree.Secret{Value: map[string]any{"a": 1.0}}},
			"asset": map[string]any{signature: "c44067f5952c0a294b673a41bacd8c17", "text": "x"},
		},
		Outputs: map[string]any{"n": 1.5},
	}}}
	if diff := cmp.Diff(want, state); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if name := state.Resources[0].ResourceName(); name != "a" {
		t.Errorf("the name is %s", name)
	}
}
