package sdks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/provider"
)

// schemas returns the schemas of the plugin and of the kubernetes provider.
func schemas(t *testing.T) (plugin, kubernetes []byte) {
	t.Helper()
	plugin, err := provider.Schema(provider.DevelopmentVersion)
	if err != nil {
		t.Fatal(err)
	}
	const pinned = "../../lab/tools/pulumi-resource-kubernetes"
	kubernetes, err = KubernetesSchema(t.Context(), pinned, false)
	if err != nil {
		t.Fatal(err)
	}
	if kubernetes == nil {
		if kubernetes, err = KubernetesSchema(t.Context(), pinned, true); err != nil {
			t.Skipf("needs the module of the kubernetes provider: go mod download, in %s: %v", pinned, err)
		}
	}
	return plugin, kubernetes
}

// TestTheSchemaBinds checks the schema against Pulumi's own rules.
func TestTheSchemaBinds(t *testing.T) {
	t.Parallel()
	bound, _, err := bind(schemas(t))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(bound.Resources), len(provider.Components()); got != want {
		t.Errorf("%d resources are bound, want %d", got, want)
	}
	if got, want := len(bound.Functions), len(provider.Functions()); got != want {
		t.Errorf("%d functions are bound, want %d", got, want)
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

// TestSDKs checks that the generated SDKs have the declarations that a program in the language needs.
func TestSDKs(t *testing.T) {
	t.Parallel()
	plugin, kubernetes := schemas(t)
	version := kubernetesVersion(t)
	// The engine gets the plugin of a release from there.
	const server = "github://api.github.com/mixedkube/mixedkube"
	for language, wants := range map[string]map[string][]string{
		"nodejs": {
			"workload/deployment.ts": {
				"import * as pulumiKubernetes from \"@pulumi/kubernetes\"",
				"platform: enums.platform.Platform;",
				"spec: pulumi.Input<pulumiKubernetes.types.input.apps.v1.DeploymentSpec>;",
				"'mixedkube:workload:Deployment'", "true /*remote*/",
			},
			"topology/tolerations.ts": {
				"export function tolerations(args: TolerationsArgs, opts?: pulumi.InvokeOptions): " +
					"Promise<TolerationsResult>",
				"export function tolerationsOutput(args: TolerationsOutputArgs, ",
				`invoke("mixedkube:topology:tolerations"`,
				"readonly tolerations: any[];",
				"topology?: inputs.topology.Topology;", "topology?: pulumi.Input<inputs.topology.TopologyArgs | " +
					"undefined>;",
				"topologyFile?: string;",
			},
			"preflight/check.ts":            {"readonly findings: outputs.preflight.Finding[];"},
			"types/enums/platform/index.ts": {`WindowsServer2022: "windows-2022"`},
			"package.json": {
				`"name": "@mixedkube/mixedkube"`, `"version": "` + provider.DevelopmentVersion + `"`,
				`"@pulumi/kubernetes": "^` + version + `"`, `"server": "` + server + `"`,
			},
			"README.md": {"import * as mixedkube", "in the version of this package, 0.0.0-dev"},
			"LICENSE":   {"Apache"},
		},
		"python": {
			"mixedkube/workload/deployment.py": {
				"import pulumi_kubernetes", "pulumi_kubernetes.apps.v1.DeploymentSpecArgs",
				"'mixedkube:workload:Deployment'", "remote=True",
			},
			"mixedkube/topology/tolerations.py": {
				"def tolerations(", "def tolerations_output(", "'mixedkube:topology:tolerations'",
				"def tolerations(self) -> Sequence[Any]:",
			},
			"mixedkube/preflight/check.py": {"Sequence['outputs.Finding']"},
			"mixedkube/platform/_enums.py": {`= "windows-2022"`},
			"mixedkube/pulumi-plugin.json": {`"server": "` + server + `"`},
			"pyproject.toml":               {`name = "mixedkube"`, `"pulumi-kubernetes>=` + version + `,<5.0.0"`},
			"README.md":                    {"import mixedkube", "in the version of this package, 0.0.0-dev"},
			"LICENSE":                      {"Apache"},
		},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), language)
			stale := filepath.Join(dir, "stale.ts")
			if err := Write(dir, map[string][]byte{"stale.ts": nil}); err != nil {
				t.Fatal(err)
			}
			files, err := Generate(language, plugin, kubernetes, []byte("Apache"))
			if err != nil {
				t.Fatal(err)
			}
			if err := Write(dir, files); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(stale); !os.IsNotExist(err) {
				t.Errorf("%s of the previous generation was not removed: %v", stale, err)
			}
			for file, lines := range wants {
				content, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Error(err)
				}
				for _, want := range lines {
					if !strings.Contains(string(content), want) {
						t.Errorf("%s has no %s", file, want)
					}
				}
			}
		})
	}
}

// kubernetesVersion returns the version of the kubernetes SDK that the plugin is built with.
func kubernetesVersion(t *testing.T) string {
	t.Helper()
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	return string(regexp.MustCompile(`pulumi-kubernetes/sdk/v4 v(\S+)`).FindSubmatch(mod)[1])
}

// TestDependencies checks that the schema has the version of the kubernetes provider from go.mod.
func TestDependencies(t *testing.T) {
	t.Parallel()
	plugin, err := provider.Schema(provider.DevelopmentVersion)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Dependencies []map[string]string
	}
	if err := json.Unmarshal(plugin, &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]string{{"name": "kubernetes", "version": kubernetesVersion(t)}}
	if diff := cmp.Diff(want, got.Dependencies); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
}

func TestAnUnknownLanguage(t *testing.T) {
	t.Parallel()
	_, err := Generate("cobol", nil, nil, nil)
	if want := `"cobol" is not a language of the SDKs`; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
