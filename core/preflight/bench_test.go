package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// deployment returns a typical Deployment for Windows without any findings.
func deployment() map[string]any {
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "shop", "namespace": "shop", "labels": map[string]any{"app": "shop"}},
		"spec": map[string]any{
			"replicas": int64(3),
			"selector": map[string]any{"matchLabels": map[string]any{"app": "shop"}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": "shop"}},
				"spec": map[string]any{
					"os": map[string]any{"name": "windows"},
					"nodeSelector": map[string]any{
						"kubernetes.io/os":                 "windows",
						"node.kubernetes.io/windows-build": "10.0.20348",
					},
					"tolerations": []any{map[string]any{
						"key": "os", "operator": "Equal", "value": "windows",
						"effect": "NoSchedule",
					}},
					"containers": []any{map[string]any{
						"name":  "shop",
						"image": "mcr.microsoft.com/dotnet/framework/runtime:4.8-windowsservercore-ltsc2022",
						"ports": []any{map[string]any{"name": "http", "containerPort": int64(8080), "protocol": "TCP"}},
						"env": []any{
							map[string]any{"name": "ASPNETCORE_URLS", "value": "http://+:8080"},
							map[string]any{
								"name": "CONNECTION",
								"valueFrom": map[string]any{"secretKeyRef": map[string]any{
									"name": "shop",
									"key":  "connection",
								}},
							},
						},
						"resources": map[string]any{
							"requests": map[string]any{"cpu": "500m", "memory": "2Gi"},
							"limits":   map[string]any{"cpu": "2", "memory": "2Gi"},
						},
						"readinessProbe": map[string]any{
							"httpGet":       map[string]any{"path": "/health", "port": "http"},
							"periodSeconds": int64(10),
						},
						"livenessProbe": map[string]any{
							"httpGet":       map[string]any{"path": "/health", "port": "http"},
							"periodSeconds": int64(30),
						},
						"volumeMounts": []any{map[string]any{"name": "data", "mountPath": `C:\data`}},
						"securityContext": map[string]any{
							"windowsOptions": map[string]any{"runAsUserName": "ContainerUser"},
						},
					}},
					"volumes": []any{map[string]any{"name": "data", "emptyDir": map[string]any{}}},
				},
			},
		},
	}
}

// BenchmarkCheck measures the check of one object of a program: 22 µs at most.
func BenchmarkCheck(b *testing.B) {
	object := deployment()
	checker := preflight.New(preflight.Options{KubernetesVersion: "1.36"})
	b.ReportAllocs()
	for b.Loop() {
		checker.Check(object)
	}
}

func TestDeploymentOfTheBenchmarkHasNoFindings(t *testing.T) {
	t.Parallel()
	wantFindings(t, deployment(), v136, "MK")
}
