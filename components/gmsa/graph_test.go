package gmsa_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// named gives objects names that the provider would generate from those of the resources.
func named(r mocktest.Resource) resource.PropertyMap {
	if r.Type != secretType && r.Type != bindingType {
		return nil
	}
	return resource.NewPropertyMapFromMap(map[string]any{"metadata": map[string]any{"name": r.Name + "-1a2b3c4d"}})
}

func programs(t *testing.T) map[string]pulumi.RunFunc {
	t.Helper()
	made := issue(t, "gmsa-hook.windows.svc", later())
	secret := func(text string) pulumi.StringInput { return pulumi.ToSecret(text).(pulumi.StringOutput) }
	return map[string]pulumi.RunFunc{
		"crd": func(ctx *pulumi.Context) error {
			_, err := gmsa.NewCRD(ctx, "gmsa")
			return err
		},
		"typed": newSpec(&gmsa.CredentialSpecArgs{Account: "WebApp1$", Domain: contoso()}),
		"typed-full": func(ctx *pulumi.Context) error {
			crd, err := gmsa.NewCRD(ctx, "gmsa")
			if err != nil {
				return err
			}
			domain := contoso()
			domain.DNSName, domain.DNSTreeName, domain.NetBIOSName = "eu.contoso.com", "contoso.com", "EU"
			spec, err := gmsa.NewCredentialSpec(ctx, "web", &gmsa.CredentialSpecArgs{
				Name: "gmsa-webapp1", Account: "WebApp1", Domain: domain,
				HostAccountConfig: gmsa.HostAccountConfig{
					PluginGUID:  "{CCC2A336-D7F3-4818-A213-272B7924213E}",
					PluginInput: pulumi.String("contoso.com:ccg:hunter2"),
				},
				ServiceAccounts: []gmsa.ServiceAccount{{}, {Namespace: "shop", Name: "web"}},
			}, pulumi.DependsOn([]pulumi.Resource{crd}))
			if err != nil {
				return err
			}
			_, err = spec.Allow(ctx, "jobs-gmsa", pulumi.String("jobs"), nil, pulumi.DependsOn([]pulumi.Resource{crd}))
			return err
		},
		"json":                 newSpec(&gmsa.CredentialSpecArgs{JSON: file(t, "plain.json")}),
		"json-plugin":          newSpec(&gmsa.CredentialSpecArgs{Name: "webapp2", JSON: file(t, "plugin.json")}),
		"webhook-cert-manager": newWebhook(nil),
		"webhook-mirror": newWebhook(&gmsa.WebhookArgs{
			Name: "gmsa-hook", Namespace: pulumi.String("windows"), Replicas: 3,
			Image: "mirror.example.com:5000/gmsa-webhook:v0.13.0",
			Chart: "oci://mirror.example.com/charts/gmsa", Version: "0.13.1",
			Certificate: gmsa.Certificate{
				CA: secret(made.authority), Certificate: secret(made.certificate),
				PrivateKey: secret(made.key),
			},
			Topology: topology.Topology{Pools: []topology.Pool{
				{
					Name: "sys", Platform: platform.Linux,
					Taints: []k8score.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"}},
				},
				{Name: "win22", Platform: platform.WindowsServer2022},
			}},
		}),
	}
}

func TestTheWholeGraph(t *testing.T) {
	t.Parallel()
	for name, program := range programs(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.UpdateAndPreview(t, "testdata/"+name,
				mocktest.MustRun(t, program, mocktest.Outputs(named)).String(),
				mocktest.MustRun(t, program, mocktest.Preview()).String())
		})
	}
}

// The file of New-CredentialSpec and the arguments for the same account are one thing.
func TestBothFormsCreateTheSameObject(t *testing.T) {
	t.Parallel()
	typed := mocktest.MustRun(t, newSpec(&gmsa.CredentialSpecArgs{Account: "WebApp1", Domain: contoso()}))
	written := mocktest.MustRun(t, newSpec(&gmsa.CredentialSpecArgs{JSON: file(t, "plain.json")}))
	if diff := cmp.Diff(typed.MustGet(t, specType, "web-spec").Plain(),
		written.MustGet(t, specType, "web-spec").Plain()); diff != "" {
		t.Errorf("the object (-typed +json):\n%s", diff)
	}
}

// Windows compares names of accounts and domains without case, and an account's with and
// without its dollar sign.
func TestScopesInOtherSpellings(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer(`"Scope":  "contoso.com"`, `"Scope": "Contoso.COM"`, `"Scope":  "CONTOSO"`,
		`"Scope": "contoso"`, `"Name":  "WebApp1"`, `"Name": "webapp1$"`).Replace(file(t, "plain.json"))
	if !strings.Contains(text, "Contoso.COM") || !strings.Contains(text, `"contoso"`) ||
		!strings.Contains(text, "webapp1$") {
		t.Fatalf("nothing is spelled in another way:\n%s", text)
	}
	mocktest.MustRun(t, newSpec(&gmsa.CredentialSpecArgs{JSON: text}))
}

func TestTheInputOfAPluginIsASecret(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"typed-full", "json-plugin"} {
		for _, mode := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
			graph := mocktest.MustRun(t, programs(t)[name], mode...)
			text := graph.String()
			if strings.Contains(text, "hunter2") || strings.Count(text, "PluginInput: [secret]") != 1 {
				t.Errorf("%s: the input shows:\n%s", name, text)
			}
		}
	}
}

func TestAllowAcceptsOutputs(t *testing.T) {
	t.Parallel()
	later := func(text string) pulumi.StringPtrInput { return pulumi.String(text).ToStringPtrOutput() }
	none := pulumi.String("").ToStringOutput().ApplyT(func(string) *string { return nil }).(pulumi.StringPtrOutput)
	tests := []struct {
		name                       string
		namespace, account         pulumi.StringPtrInput
		wantNamespace, wantAccount string
	}{
		{"nothing", nil, nil, "default", "default"},
		{"nil pointers", (*pulumi.String)(nil), (*pulumi.String)(nil), "default", "default"},
		{"plain names", pulumi.String("shop"), pulumi.String("web"), "shop", "web"},
		{"outputs", later("shop"), later("web"), "shop", "web"},
		{"outputs with nothing in them", none, none, "default", "default"},
		{"empty names", pulumi.String(""), later(""), "default", "default"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				spec, err := gmsa.NewCredentialSpec(ctx, "web",
					&gmsa.CredentialSpecArgs{Account: "WebApp1", Domain: contoso()})
				if err != nil {
					return err
				}
				_, err = spec.Allow(ctx, "binding", tt.namespace, tt.account)
				return err
			})
			want := map[string]any{
				"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
				"metadata": map[string]any{"namespace": tt.wantNamespace},
				"roleRef": map[string]any{
					"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
					"name": "gmsa-web-use",
				},
				"subjects": []any{map[string]any{
					"kind": "ServiceAccount", "name": tt.wantAccount,
					"namespace": tt.wantNamespace,
				}},
			}
			if diff := cmp.Diff(want, graph.MustGet(t, bindingType, "binding").Plain()); diff != "" {
				t.Errorf("the binding (-want +got):\n%s", diff)
			}
		})
	}
}

// credentialSpec is what package workload takes.
type credentialSpec interface {
	SpecName() string
	Allow(ctx *pulumi.Context, name string, namespace, serviceAccount pulumi.StringPtrInput,
		opts ...pulumi.ResourceOption) (pulumi.Resource, error)
}

var _ credentialSpec = (*gmsa.CredentialSpec)(nil)

func TestSpecName(t *testing.T) {
	t.Parallel()
	for configured, want := range map[string]string{"": "web", "gmsa-webapp1": "gmsa-webapp1"} {
		mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			spec, err := gmsa.NewCredentialSpec(ctx, "web",
				&gmsa.CredentialSpecArgs{Name: configured, Account: "WebApp1", Domain: contoso()})
			if err == nil && spec.SpecName() != want {
				t.Errorf("SpecName = %q, want %q", spec.SpecName(), want)
			}
			return err
		})
	}
}

func TestTheOptionsReachTheChildren(t *testing.T) {
	t.Parallel()
	const providerURN = "urn:pulumi:stack::project::pulumi:providers:kubernetes::cluster"
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
		if err != nil {
			return err
		}
		on := pulumi.Provider(provider)
		if _, err := gmsa.NewCRD(ctx, "gmsa", on); err != nil {
			return err
		}
		if _, err := gmsa.NewWebhook(ctx, "gmsa", nil, on); err != nil {
			return err
		}
		spec, err := gmsa.NewCredentialSpec(ctx, "web", &gmsa.CredentialSpecArgs{
			Account: "WebApp1", Domain: contoso(), ServiceAccounts: []gmsa.ServiceAccount{{}},
		}, on)
		if err != nil {
			return err
		}
		_, err = spec.Allow(ctx, "binding", nil, nil, on)
		return err
	}, mocktest.Preview())
	children := 0
	for _, r := range graph.Resources() {
		if r.Name == "cluster" || !strings.HasPrefix(r.Type, "kubernetes:") {
			continue
		}
		children++
		provider := r.Provider
		if r.Remote {
			// The engine passes on what the parent has; the test on the lab shows it.
			parent, _ := graph.ByURN(r.Parent)
			provider = parent.Providers["kubernetes"]
		}
		if provider != providerURN {
			t.Errorf("%s has the provider %q", r.Name, provider)
		}
	}
	if children != 6 {
		t.Errorf("%d resources of Kubernetes, want 6", children)
	}
}
