package workload_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

// recordedProbe returns a probe as the API server receives it.
func recordedProbe(t *testing.T, probe corev1.ProbeArgs) map[string]any {
	t.Helper()
	graph := mocktest.MustRun(t, deploy(&workload.DeploymentArgs{
		Platform: platform.WindowsServer2022,
		Spec: withPods(corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name: pulumi.String("web"), LivenessProbe: probe,
		}}}),
	}))
	deployment, err := graph.Get(deploymentType, "web-deployment")
	if err != nil {
		t.Fatal(err)
	}
	template := deployment.Plain()["spec"].(map[string]any)["template"].(map[string]any)
	containers := template["spec"].(map[string]any)["containers"].([]any)
	return containers[0].(map[string]any)["livenessProbe"].(map[string]any)
}

func TestProbes(t *testing.T) {
	t.Parallel()
	powerShell := func(script string) map[string]any {
		return map[string]any{
			"exec": map[string]any{"command": []any{
				"powershell.exe", "-NoProfile", "-NonInteractive", "-Command",
				"$$ErrorActionPreference = 'Stop'\n" + script + "\nexit $$LASTEXITCODE",
			}},
			"timeoutSeconds": 30, "periodSeconds": 30,
		}
	}
	tests := []struct {
		name  string
		probe corev1.ProbeArgs
		want  map[string]any
	}{
		{"HTTP", workload.HTTPProbe("/ready", 8080), map[string]any{
			"httpGet": map[string]any{"path": "/ready", "port": 8080}, "timeoutSeconds": 10,
		}},
		{"HTTP without a path", workload.HTTPProbe("", 80), map[string]any{
			"httpGet": map[string]any{"port": 80}, "timeoutSeconds": 10,
		}},
		{"TCP", workload.TCPProbe(1433), map[string]any{"tcpSocket": map[string]any{"port": 1433}}},
		{"PowerShell", workload.PowerShellProbe("Get-Service w3svc"), powerShell("Get-Service w3svc")},
		{
			"PowerShell with each kind of $ and with quotes",
			workload.PowerShellProbe(`if ("$(HOST)" -ne $env:HOST) { "$$"; exit 3 } # $`),
			powerShell(`if ("$$(HOST)" -ne $$env:HOST) { "$$$$"; exit 3 } # $$`),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, recordedProbe(t, tt.probe)); diff != "" {
				t.Errorf("the probe (-want +got):\n%s", diff)
			}
		})
	}
}

// expand expands an argument of a probe's command in the same way as the kubelet: $$ is $, and $(NAME) is a variable if
// there is one (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#Container).
func expand(text string, variables map[string]string) string {
	var b strings.Builder
	for text != "" {
		before, after, found := strings.Cut(text, "$")
		b.WriteString(before)
		text = after
		name, rest, closed := strings.Cut(strings.TrimPrefix(after, "("), ")")
		value, known := variables[name]
		switch {
		case !found:
		case strings.HasPrefix(after, "$"):
			b.WriteString("$")
			text = after[1:]
		case strings.HasPrefix(after, "(") && closed && known:
			b.WriteString(value)
			text = rest
		default:
			b.WriteString("$")
		}
	}
	return b.String()
}

func FuzzScriptReachesPowerShellUnchanged(f *testing.F) {
	for _, script := range []string{
		"", "$", "$$", "$(HOST)", "$$(HOST)", "$$$(HOST)$", `"$(Get-Date)" -eq '$x'`,
		"a\n$b\r\n",
	} {
		f.Add(script)
	}
	if expand("$(HOST) $$(HOST) $$$(HOST) $(NONE) $x $",
		map[string]string{"HOST": "web"}) != "web $(HOST) $web $(NONE) $x $" {
		f.Fatal("the test does not expand as the kubelet does")
	}
	f.Fuzz(func(t *testing.T, script string) {
		command := workload.PowerShellProbe(script).Exec.(corev1.ExecActionArgs).Command.(pulumi.StringArray)
		got := expand(string(command[len(command)-1].(pulumi.String)), map[string]string{"HOST": "web", "": "none"})
		if want := "$ErrorActionPreference = 'Stop'\n" + script + "\nexit $LASTEXITCODE"; got != want {
			t.Errorf("PowerShell gets %q, want %q", got, want)
		}
	})
}
