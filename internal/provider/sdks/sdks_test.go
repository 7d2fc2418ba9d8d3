package sdks

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/provider"
)

// schemas are those of the plugin and of the kubernetes provider.
func schemas(t *testing.T) (plugin, kubernetes []byte) {
	t.Helper()
	plugin, err := provider.Schema(provider.DevelopmentVersion)
	if err != nil {
		t.Fatal(err)
	}
	kubernetes, err = KubernetesSchema(t.Context(), "../../lab/tools/pulumi-resource-kubernetes", false)
	if err != nil {
		t.Fatal(err)
	}
	if kubernetes == nil {
		t.Skip("left out: the module of the kubernetes provider is not on this machine: run make sdks or make tools")
	}
	return plugin, kubernetes
}

// TestTheSchemaBinds holds the schema to Pulumi's own rules.
func TestTheSchemaBinds(t *testing.T) {
	t.Parallel()
	bound, _, err := bind(schemas(t))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(bound.Resources), len(provider.Components()); got != want {
		t.Errorf("%d resources are bound, want %d", got, want)
	}
	for _, r := range bound.Resources {
		if !r.IsComponent {
			t.Errorf("%s is not a component", r.Token)
		}
	}
}

func TestAWrongSchemaIsRefused(t *testing.T) {
	t.Parallel()
	plugin, kubernetes := schemas(t)
	const token = "kubernetes:apps/v1:DeploymentSpec"
	wrong := strings.ReplaceAll(string(plugin), token, token+"ification")
	_, _, err := bind([]byte(wrong), kubernetes)
	if err == nil || !strings.Contains(err.Error(), token+"ification") {
		t.Errorf("the error is %v, want one that names %sification", err, token)
	}
}
