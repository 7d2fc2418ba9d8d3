package gmsa_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/badinput"
)

// made returns the outcome of a program.
func made(program pulumi.RunFunc) badinput.Outcome {
	graph, err := mocktest.Run(program, mocktest.Preview())
	out := badinput.Outcome{Err: err}
	for _, r := range graph.Resources() {
		out.Data = append(out.Data, r.Name, mocktest.Revealed(r.Inputs))
	}
	return out
}

func TestBadInputsOfASpecification(t *testing.T) {
	t.Parallel()
	badinput.Test[gmsa.CredentialSpecArgs]{
		Good: func() *gmsa.CredentialSpecArgs {
			return &gmsa.CredentialSpecArgs{
				Name: "web", Account: "WebApp1", Domain: contoso(),
				HostAccountConfig: gmsa.HostAccountConfig{
					PluginGUID:  "{CCC2A336-D7F3-4818-A213-272B7924213E}",
					PluginInput: pulumi.String("ObjectId=1;SecretUri=https://vault.example.com/secrets/a"),
				},
				ServiceAccounts: []gmsa.ServiceAccount{{Namespace: "shop", Name: "web"}},
			}
		},
		Run:     func(args *gmsa.CredentialSpecArgs) badinput.Outcome { return made(newSpec(args)) },
		Forms:   []any{pulumi.String("")},
		Unshown: map[string]string{`json`: document},
	}.Try(t)
}

// document explains why some values are not shown.
const document = "it is too long for a line"

func TestBadInputsOfTheJSONOfASpecification(t *testing.T) {
	t.Parallel()
	badinput.Test[gmsa.CredentialSpecArgs]{
		Good: func() *gmsa.CredentialSpecArgs {
			return &gmsa.CredentialSpecArgs{JSON: file(t, "plain.json")}
		},
		Run:     func(args *gmsa.CredentialSpecArgs) badinput.Outcome { return made(newSpec(args)) },
		Forms:   []any{pulumi.String("")},
		Nowhere: map[string]string{`json`: "it is decoded"},
		Unshown: map[string]string{
			`json`: document, `(account|domain|hostAccountConfig)\b.*`: "whatever it is, it is one too many",
		},
		Untried: map[string]string{`serviceAccounts`: "a specification in words has some"},
		OtherPaths: map[string]string{
			`(account|domain|hostAccountConfig)\b.*`: `json`, `json`: `account`,
		},
	}.Try(t)
}

func TestBadInputsOfTheWebhook(t *testing.T) {
	t.Parallel()
	own := issue(t, "gmsa-webhook.kube-system.svc", later())
	badinput.Test[gmsa.WebhookArgs]{
		Good: func() *gmsa.WebhookArgs {
			return &gmsa.WebhookArgs{
				Certificate: gmsa.Certificate{
					CA: pulumi.String(own.authority), Certificate: pulumi.String(own.certificate),
					PrivateKey: pulumi.String(own.key),
				},
				Values:   pulumi.Map{"qps": pulumi.String("50")},
				Replicas: 2, Image: "mirror.example.com/gmsa-webhook:v0.13.0", Chart: "gmsa",
				Repository: "https://charts.example.com", Version: "0.14.0",
				Topology: topology.Topology{
					KubernetesVersion: "1.36", MissingFeatures: []topology.Feature{},
					Pools: []topology.Pool{{
						Name: "linux", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5",
						Taints: []corev1.Taint{{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoSchedule}},
					}},
				},
			}
		},
		Run:   func(args *gmsa.WebhookArgs) badinput.Outcome { return made(newWebhook(args)) },
		Forms: []any{pulumi.String(""), pulumi.Map{}},
		OtherPaths: map[string]string{
			`certificate\.\w+`: `certificate`, `chart`: `repository`, `version|repository`: `chart`,
		},
		Nowhere: map[string]string{`topology\..*`: "the pods tolerate its taints, and have nothing else of it"},
		Unshown: map[string]string{
			`certificate\.\w+`: document, `chart`: "what is wrong is the repository beside it",
		},
		Untried: map[string]string{
			`.*\.timeAdded`: "Kubernetes sets it", `.*\.reserved`: "the pods have only tolerations of it",
			`.*\.reported\.capacity`: "nodes report it", `topology\.runtimeClasses`: "the pods name none",
		},
	}.Try(t)
}
