package provider

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"
)

// TestTheSchemaHasTheTokens compares the tokens of types and functions with schema.json.
func TestTheSchemaHasTheTokens(t *testing.T) {
	t.Parallel()
	var document struct{ Resources, Types, Functions map[string]any }
	if err := json.Unmarshal(schema, &document); err != nil {
		t.Fatal(err)
	}
	types := slices.Sorted(maps.Values(typeTokens))
	var functions []string
	for _, f := range Functions() {
		functions = append(functions, f.Token)
	}
	slices.Sort(functions)
	inSchema := slices.Concat(slices.Collect(maps.Keys(document.Resources)), slices.Collect(maps.Keys(document.Types)))
	compareTokens(t, "tokens.go", types, inSchema)
	compareTokens(t, "functions.go", functions, slices.Collect(maps.Keys(document.Functions)))
}

// compareTokens compares the sorted tokens in the rows of a file with those in the schema.
func compareTokens(t *testing.T, file string, rows, inSchema []string) {
	t.Helper()
	for i, token := range rows {
		if i > 0 && token == rows[i-1] {
			t.Errorf("%s has two rows for %s", file, token)
		}
		if !slices.Contains(inSchema, token) {
			t.Errorf("%s has a row for %s, which is not in schema.json", file, token)
		}
	}
	for _, token := range slices.Sorted(slices.Values(inSchema)) {
		if !slices.Contains(rows, token) {
			t.Errorf("%s has no row for %s, which is in schema.json", file, token)
		}
	}
}

func TestATypeWithoutATokenIsNamed(t *testing.T) {
	t.Parallel()
	defer func() {
		want := "provider: " + thisPackage + ".Function has no token: add a row to internal/provider/tokens.go"
		if got := recover(); got != want {
			t.Errorf("the panic is %q, want %q", got, want)
		}
	}()
	token(reflect.TypeFor[Function]())
}
