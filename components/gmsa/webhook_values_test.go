package gmsa_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// chartValues returns the values that the chart gets.
func chartValues(t *testing.T, args *gmsa.WebhookArgs, options ...mocktest.Option) map[string]any {
	t.Helper()
	graph := mocktest.MustRun(t, newWebhook(args), options...)
	return graph.MustGet(t, chartType, "gmsa-chart").Plain()["values"].(map[string]any)
}

// known returns an output of a map that is known at once.
func known(m pulumi.Map) pulumi.MapOutput { return m.ToMapOutput() }

func TestValuesAreMergedWithDefaults(t *testing.T) {
	t.Parallel()
	made := issue(t, webhookHost, later())
	critical := map[string]any{
		"effect": "NoSchedule", "key": "CriticalAddonsOnly", "operator": "Equal", "value": "true",
	}
	configured := pulumi.Map{
		"qps":                 pulumi.String("50"),
		"podDisruptionBudget": pulumi.Map{"enabled": pulumi.Bool(true), "minAvailable": pulumi.Int(1)},
		"certificates":        pulumi.Map{"certManager": pulumi.Map{"version": pulumi.String("v1.18.2")}},
		"image":               pulumi.Map{"imagePullPolicy": pulumi.String("Always")},
		"replicaCount":        pulumi.Int(3), // the same as replicas
		"tolerations":         pulumi.Array{pulumi.StringMap{"operator": pulumi.String("Exists")}},
		"nodeSelector":        pulumi.StringMap{"pool": pulumi.String("system")},
	}
	want := map[string]any{
		"qps":                 "50",
		"podDisruptionBudget": map[string]any{"enabled": true, "minAvailable": 1},
		"certificates": map[string]any{
			"certManager": map[string]any{"version": "v1.18.2", "enabled": false},
			"certReload":  map[string]any{"enabled": true},
			"caBundle":    base64.StdEncoding.EncodeToString([]byte(made.authority)),
			"secretName":  "gmsa-certificate-1a2b3c4d",
		},
		"image": map[string]any{
			"imagePullPolicy": "Always", "repository": "mirror.example.com/hook", "tag": "v1",
		},
		"replicaCount": 3, "randomHostname": true, "nodeSelector": map[string]any{"pool": "system"},
		"tolerations": []any{map[string]any{"operator": "Exists"}, critical},
	}
	for name, values := range map[string]pulumi.MapInput{"plain": configured, "an output": known(configured)} {
		got := chartValues(t, &gmsa.WebhookArgs{
			Values: values, Certificate: made.plain(), Image: "mirror.example.com/hook:v1", Replicas: 3,
			RandomHostname: true,
			Topology: topology.Topology{Pools: []topology.Pool{{
				Name: "linux", Platform: platform.Linux,
				Taints: []k8score.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"}},
			}}},
		}, mocktest.Outputs(named))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the values (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff(pulumi.Map{"version": pulumi.String("v1.18.2")},
		configured["certificates"].(pulumi.Map)["certManager"]); diff != "" {
		t.Errorf("the program's own map has changed (-before +after):\n%s", diff)
	}
}

func TestValuesThatAreNotKnownYet(t *testing.T) {
	t.Parallel()
	got := chartValues(t, &gmsa.WebhookArgs{
		Values: pulumi.Map{"qps": mocktest.Unknown[pulumi.StringOutput]()}, CertManagerInstalled: true,
	}, mocktest.Preview())
	want := map[string]any{
		"qps": mocktest.UnknownValue,
		"certificates": map[string]any{
			"certManager": map[string]any{"enabled": true}, "certReload": map[string]any{"enabled": true},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the values (-want +got):\n%s", diff)
	}
}

func TestValuesThatContradictTheOtherArguments(t *testing.T) {
	t.Parallel()
	certificate := issue(t, webhookHost, later()).plain()
	for name, tt := range map[string]struct {
		args   gmsa.WebhookArgs
		values pulumi.Map
		want   string
	}{
		"cert-manager where there is a certificate": {
			gmsa.WebhookArgs{Certificate: certificate},
			pulumi.Map{"certificates": pulumi.Map{"certManager": pulumi.Map{"enabled": pulumi.Bool(true)}}},
			"values.certificates.certManager.enabled: Invalid value: true: depends only on whether certificate is " +
				"set: remove it",
		},
		"no reload": {
			gmsa.WebhookArgs{},
			pulumi.Map{"certificates": pulumi.Map{"certReload": pulumi.BoolMap{"enabled": pulumi.Bool(false)}}},
			"values.certificates.certReload.enabled: Invalid value: false: must be true, so that the webhook reads " +
				"a renewed certificate: remove it",
		},
		"another Secret": {
			gmsa.WebhookArgs{Certificate: certificate},
			pulumi.Map{"certificates": pulumi.Map{"secretName": pulumi.String("mine")}},
			`values.certificates.secretName: Invalid value: "mine": certificate sets this value: remove it`,
		},
		"another number of pods": {
			gmsa.WebhookArgs{Replicas: 3},
			pulumi.Map{"replicaCount": pulumi.Int(2)},
			"values.replicaCount: Invalid value: 2: the argument replicas sets this value: remove one of the two",
		},
		"another image": {
			gmsa.WebhookArgs{Image: "hook:v1"},
			pulumi.Map{"image": pulumi.Map{"tag": pulumi.String("v2")}},
			`values.image.tag: Invalid value: "v2": the argument image sets this value: remove one of the two`,
		},
		"no random hostname": {
			gmsa.WebhookArgs{RandomHostname: true},
			pulumi.Map{"randomHostname": pulumi.Bool(false)},
			"values.randomHostname: Invalid value: false: randomHostname is set: remove one of the two",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.args.Values = tt.values
			graph, err := mocktest.Run(newWebhook(&tt.args))
			golden.Refused(t, graph.Resources(), err, `mixedkube:gmsa:Webhook "gmsa": `+tt.want)
			tt.args.Values = known(tt.values)
			graph, later := mocktest.Run(newWebhook(&tt.args), mocktest.Outputs(named))
			if later == nil || !strings.Contains(later.Error(), err.Error()) {
				t.Errorf("of an output: %v\nwant %v", later, err)
			}
			if charts := graph.ByType(chartType); len(charts) > 0 {
				t.Errorf("there is a chart: %v", charts)
			}
		})
	}
}

func TestValuesOfAnotherForm(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(newWebhook(&gmsa.WebhookArgs{Values: pulumi.Map{
		"certificates": pulumi.String("mine"),
		"nodeSelector": pulumi.StringMap{"kubernetes.io/os": pulumi.String("linux")},
	}}))
	golden.Refused(t, graph.Resources(), err, joined(`mixedkube:gmsa:Webhook "gmsa"`, strings.Join([]string{
		`values.certificates: Invalid value: "mine": must be a map, as values.yaml of the chart has it`,
		`values.nodeSelector[kubernetes.io/os]: Invalid value: "linux": the chart selects Linux nodes itself, ` +
			"and its YAML cannot have the key twice: remove it",
	}, "\n")))
}

// The need of cert-manager is logged unless the arguments state that it is installed.
func TestNeedForCertManagerIsLogged(t *testing.T) {
	t.Parallel()
	const want = "cert-manager has to be in the cluster before the webhook: "
	for name, tt := range map[string]struct {
		args   gmsa.WebhookArgs
		logged bool
	}{
		"by default":         {gmsa.WebhookArgs{}, true},
		"it is installed":    {gmsa.WebhookArgs{CertManagerInstalled: true}, false},
		"a certificate":      {gmsa.WebhookArgs{Certificate: issue(t, webhookHost, later()).plain()}, false},
		"values do not help": {gmsa.WebhookArgs{Values: pulumi.Map{"qps": pulumi.String("50")}}, true},
	} {
		graph := mocktest.MustRun(t, newWebhook(&tt.args), mocktest.Preview())
		logged := strings.Contains(graph.String(), `warning mixedkube:gmsa:Webhook "gmsa": `+want)
		if logged != tt.logged {
			t.Errorf("%s: said %t, want %t:\n%s", name, logged, tt.logged, graph)
		}
	}
}

func TestTheNamespaceOfTheWebhookCanBeAResource(t *testing.T) {
	t.Parallel()
	made := issue(t, "gmsa-webhook.windows.svc", later())
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		namespace, err := corev1.NewNamespace(ctx, "windows", &corev1.NamespaceArgs{
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("windows")},
		})
		if err != nil {
			return err
		}
		return newWebhook(&gmsa.WebhookArgs{Namespace: namespace.Metadata.Name(), Certificate: made.plain()})(ctx)
	})
	namespace := graph.MustGet(t, "kubernetes:core/v1:Namespace", "windows").URN
	chart, secret := graph.MustGet(t, chartType, "gmsa-chart"), graph.MustGet(t, secretType, "gmsa-certificate")
	if in := chart.Plain()["namespace"]; in != "windows" || !slices.Contains(chart.Dependencies, namespace) {
		t.Errorf("the chart is in %v and depends on %v", in, chart.Dependencies)
	}
	if in := secret.Plain()["metadata"].(map[string]any)["namespace"]; in != "windows" ||
		!slices.Contains(secret.PropertyDependencies["metadata"], namespace) {
		t.Errorf("the Secret is in %v and depends on %v", in, secret.PropertyDependencies)
	}
	// The certificate is for the default namespace: what turns out wrong fails the Secret.
	other := issue(t, webhookHost, later())
	_, err := mocktest.Run(newWebhook(&gmsa.WebhookArgs{
		Namespace: pulumi.String("windows").ToStringPtrOutput(), Certificate: other.plain(),
	}))
	const want = "certificate: Invalid value: the API server could not use it for gmsa-webhook.windows.svc: "
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}
