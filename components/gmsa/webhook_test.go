package gmsa_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const webhookHost = "gmsa-webhook.kube-system.svc"

// ofName is what to do about a certificate that the API server could not use.
const ofName = ": give the authority, a certificate of it for this name, and its private key, in PEM"

func (i issued) plain() gmsa.Certificate {
	return gmsa.Certificate{
		CA: pulumi.String(i.authority), Certificate: pulumi.String(i.certificate),
		PrivateKey: pulumi.String(i.key),
	}
}

func TestConfiguredCertificate(t *testing.T) {
	t.Parallel()
	made := issue(t, webhookHost, later())
	graph := mocktest.MustRun(t, newWebhook(&gmsa.WebhookArgs{Certificate: made.plain()}), mocktest.Outputs(named))
	data := graph.MustGet(t, secretType, "gmsa-certificate").Inputs["stringData"]
	if !data.IsSecret() {
		t.Fatalf("stringData is %v, want a secret", data)
	}
	want := map[string]any{"ca.crt": made.authority, "tls.crt": made.certificate, "tls.key": made.key}
	if diff := cmp.Diff(want, data.SecretValue().Element.Mappable()); diff != "" {
		t.Errorf("the Secret (-want +got):\n%s", diff)
	}
	values := graph.MustGet(t, chartType, "gmsa-chart").Plain()["values"]
	wantValues := map[string]any{"certificates": map[string]any{
		"certManager": map[string]any{"enabled": false},
		"certReload":  map[string]any{"enabled": true},
		"caBundle":    base64.StdEncoding.EncodeToString([]byte(made.authority)),
		"secretName":  "gmsa-certificate-1a2b3c4d",
	}}
	if diff := cmp.Diff(wantValues, values); diff != "" {
		t.Errorf("the values (-want +got):\n%s", diff)
	}
	// Each line of the key, as a graph breaks lines.
	for line := range strings.Lines(made.key) {
		if !strings.HasPrefix(line, "-----") && strings.Contains(graph.String(), strings.TrimSpace(line)) {
			t.Errorf("the key shows in:\n%s", graph)
		}
	}
}

// A certificate that another resource creates is not known in a preview.
func TestACertificateThatIsNotKnownYet(t *testing.T) {
	t.Parallel()
	unknown := mocktest.Unknown[pulumi.StringOutput]()
	graph := mocktest.MustRun(t, newWebhook(&gmsa.WebhookArgs{
		Certificate: gmsa.Certificate{CA: unknown, Certificate: unknown, PrivateKey: unknown},
	}), mocktest.Preview())
	values := graph.MustGet(t, chartType, "gmsa-chart").Plain()["values"].(map[string]any)
	if bundle := values["certificates"].(map[string]any)["caBundle"]; bundle != mocktest.UnknownValue {
		t.Errorf("caBundle is %v", bundle)
	}
}

// A certificate that is known after the other arguments are checked fails the Secret, with the
// same error as a plain one.
func TestACertificateThatIsAnOutput(t *testing.T) {
	t.Parallel()
	good, other := issue(t, webhookHost, later()), issue(t, webhookHost, later())
	secret := func(text string) pulumi.StringInput { return pulumi.ToSecret(text).(pulumi.StringOutput) }
	for _, option := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		program := func(key string) pulumi.RunFunc {
			c := good.plain()
			c.PrivateKey = secret(key)
			return newWebhook(&gmsa.WebhookArgs{Certificate: c})
		}
		mocktest.MustRun(t, program(good.key), option...)
		graph, err := mocktest.Run(program(other.key), option...)
		want := `: mixedkube:gmsa:Webhook "gmsa": certificate: Invalid value: ` +
			"the API server could not use it for gmsa-webhook.kube-system.svc: private key does not match public key" +
			ofName
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("the error is %v, want %s at its end", err, want)
		}
		if secrets := graph.ByType(secretType); len(secrets) > 0 {
			t.Errorf("there is a Secret: %v", secrets)
		}
	}
}

func TestImages(t *testing.T) {
	t.Parallel()
	for image, want := range map[string]map[string]any{
		"mirror.example.com:5000/hook:v1":        {"repository": "mirror.example.com:5000/hook", "tag": "v1"},
		"hook@sha256:0123":                       {"repository": "hook@sha256", "tag": "0123"},
		"mirror.example.com/hook:v1@sha256:0123": {"repository": "mirror.example.com/hook:v1@sha256", "tag": "0123"},
	} {
		graph := mocktest.MustRun(t, newWebhook(&gmsa.WebhookArgs{Image: image}))
		values := graph.MustGet(t, chartType, "gmsa-chart").Plain()["values"].(map[string]any)
		if diff := cmp.Diff(want, values["image"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", image, diff)
		}
		// The chart joins them.
		if joined := want["repository"].(string) + ":" + want["tag"].(string); joined != image {
			t.Errorf("the chart makes %s of %s", joined, image)
		}
	}
}

func TestSourceOfTheChart(t *testing.T) {
	t.Parallel()
	const own = "https://charts.example.com"
	const pinned = "https://raw.githubusercontent.com/kubernetes-sigs/windows-gmsa/" +
		"17a688ef83311a2a46f4037fb403194e5babd6e2/charts/repo/gmsa-0.13.0.tgz"
	tests := []struct {
		name                       string
		args                       gmsa.WebhookArgs
		chart, repository, version any
	}{
		{"the project's at a commit", gmsa.WebhookArgs{}, pinned, nil, nil},
		{"another version", gmsa.WebhookArgs{Version: "0.12.1"}, "gmsa", gmsa.ProjectChartRepository, "0.12.1"},
		{
			"the project's by its name",
			gmsa.WebhookArgs{Chart: "gmsa"},
			"gmsa", gmsa.ProjectChartRepository,
			gmsa.DefaultChartVersion,
		},
		{"a mirror", gmsa.WebhookArgs{Repository: own}, "gmsa", own, gmsa.DefaultChartVersion},
		{"another name", gmsa.WebhookArgs{Chart: "windows-gmsa", Repository: own}, "windows-gmsa", own, nil},
		{"a repository of helm's own configuration", gmsa.WebhookArgs{Chart: "mirror/gmsa"}, "mirror/gmsa", nil, nil},
		{"a directory", gmsa.WebhookArgs{Chart: "./gmsa"}, "./gmsa", nil, nil},
		{"a file", gmsa.WebhookArgs{Chart: "gmsa-0.13.0.tgz"}, "gmsa-0.13.0.tgz", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			chart := mocktest.MustRun(t, newWebhook(&tt.args)).MustGet(t, chartType, "gmsa-chart").Plain()
			var repository any
			if options, ok := chart["repositoryOpts"].(map[string]any); ok {
				repository = options["repo"]
			}
			if diff := cmp.Diff([]any{tt.chart, tt.repository, tt.version},
				[]any{chart["chart"], repository, chart["version"]}); diff != "" {
				t.Errorf("chart, repository, version (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrongArgumentsOfTheWebhook(t *testing.T) {
	t.Parallel()
	good, other := issue(t, webhookHost, later()), issue(t, "gmsa.kube-system.svc", later())
	old := issue(t, webhookHost, time.Date(2024, time.May, 1, 0, 0, 0, 0, time.UTC))
	certificate := func(authority, certificate, key string) *gmsa.WebhookArgs {
		return &gmsa.WebhookArgs{Certificate: issued{authority, certificate, key}.plain()}
	}
	const (
		allOrNothing = "Required value: give the authority, the certificate and its private key, or none of them to " +
			"use cert-manager"
		useless = "certificate: Invalid value: the API server could not use it for gmsa-webhook.kube-system.svc: "
	)
	tests := []struct {
		name string
		args *gmsa.WebhookArgs
		want string
	}{
		{
			"a certificate without its key",
			&gmsa.WebhookArgs{Certificate: gmsa.Certificate{
				CA:          pulumi.String(good.authority),
				Certificate: pulumi.String(good.certificate),
			}},
			"certificate.privateKey: " + allOrNothing,
		},
		{
			"a key without its certificate",
			&gmsa.WebhookArgs{Certificate: gmsa.Certificate{PrivateKey: pulumi.String(good.key)}},
			"certificate.ca: " + allOrNothing + "\ncertificate.certificate: " + allOrNothing,
		},
		{
			"the key of another one", certificate(good.authority, good.certificate, other.key),
			useless + "private key does not match public key" + ofName,
		},
		{
			"a certificate of another name", certificate(other.authority, other.certificate, other.key),
			useless + "certificate is valid for gmsa.kube-system.svc, not gmsa-webhook.kube-system.svc" + ofName,
		},
		{
			"a key instead of a certificate", certificate(good.authority, good.key, good.key),
			useless + "failed to find certificate PEM data in certificate input, but did find a private key; PEM " +
				"inputs may have been switched" + ofName,
		},
		{
			"an invalid authority", certificate("authority", good.certificate, good.key),
			useless + "the authority is not a certificate in PEM" + ofName,
		},
		{
			"everything else",
			&gmsa.WebhookArgs{
				Name: "1-webhook", Namespace: pulumi.String("Windows"), Replicas: -1,
				Image: "mirror.example.com:5000/hook",
				Chart: "./gmsa", Repository: "https://charts.example.com",
				Topology: topology.Topology{Pools: []topology.Pool{{
					Name:     "win22",
					Platform: platform.WindowsServer2022,
				}}},
			},
			strings.Join([]string{
				`image: Invalid value: "mirror.example.com:5000/hook": must be an image with its tag or digest, ` +
					`mirror.example.com/gmsa-webhook:v0.13.0 for example`,
				`name: Invalid value: "1-webhook": ` + label1035,
				`namespace: Invalid value: "Windows": ` + label + ": give the name of a namespace",
				"replicas: Invalid value: -1: must not be negative, and at most 2147483647: 0 is the chart's default",
				"repository: Forbidden: cannot be combined with a chart that is a path or an address: remove one of " +
					"the two",
				"topology.pools: Required value: at least one Linux pool: cluster add-ons such as CoreDNS run on " +
					"Linux only",
			}, "\n"),
		},
		{
			"a topology with a version only", &gmsa.WebhookArgs{Topology: topology.Topology{KubernetesVersion: "1.36"}},
			"topology.pools: Required value: at least one Linux pool: " +
				"cluster add-ons such as CoreDNS run on Linux only",
		},
		{
			"a name too long for a release", &gmsa.WebhookArgs{Name: strings.Repeat("a", 54)},
			"name: Too long: may not be more than 53 bytes",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newWebhook(tt.args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, joined(`mixedkube:gmsa:Webhook "gmsa"`, tt.want))
		})
	}
	// Go says when it is now, and which name the authority has.
	for name, tt := range map[string]struct {
		args *gmsa.WebhookArgs
		want string
	}{
		"a certificate that has expired": {
			certificate(old.authority, old.certificate, old.key),
			useless + "certificate has expired or is not yet valid: current time ",
		},
		"a certificate of another authority": {
			certificate(other.authority, good.certificate, good.key),
			useless + "certificate signed by unknown authority",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newWebhook(tt.args), mocktest.Preview())
			if want := `mixedkube:gmsa:Webhook "gmsa": ` + tt.want; err == nil ||
				!strings.HasPrefix(err.Error(), want) || len(graph.Resources()) > 0 {
				t.Errorf("the error is %v, want %s… (and nothing registered)", err, want)
			}
		})
	}
}
