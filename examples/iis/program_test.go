package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestTheAddressOfTheLoadBalancerIsExported(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, program, mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		if r.Type != "kubernetes:core/v1:Service" {
			return nil
		}
		return resource.NewPropertyMapFromMap(map[string]any{
			"status": map[string]any{
				"loadBalancer": map[string]any{"ingress": []any{map[string]any{"ip": "203.0.113.7"}}},
			},
		})
	}))
	want := map[string]any{"ingress": []any{map[string]any{"ip": "203.0.113.7"}}}
	if diff := cmp.Diff(want, mocktest.Plain(graph.Exports())); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
}

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, program, mocktest.Preview())
	if diff := cmp.Diff(want, graph.String()); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
}

const want = `project-stack (preview)
  kubernetes:core/v1:Service "iis"
    inputs:
      apiVersion: v1
      kind: Service
      metadata: {labels: {app: iis}, name: iis}
      spec:
        ports: [{port: 80, protocol: TCP}]
        selector: {app: iis}
        type: LoadBalancer
  mixedkube:runtimeclass:Set "windows" (component)
    outputs:
      names: [windows-2022]
    kubernetes:node.k8s.io/v1:RuntimeClass "windows-windows-2022"
      delete before replace
      replace on changes: handler
      inputs:
        apiVersion: node.k8s.io/v1
        handler: runhcs-wcow-process
        kind: RuntimeClass
        metadata: {name: windows-2022}
        scheduling:
          nodeSelector:
            kubernetes.io/arch: amd64
            kubernetes.io/os: windows
            node.kubernetes.io/windows-build: 10.0.20348
          tolerations: [{effect: NoSchedule, key: os, operator: Equal, value: windows}]
  mixedkube:workload:Deployment "iis" (component)
    depends on:
      kubernetes:node.k8s.io/v1:RuntimeClass "windows-windows-2022"
    outputs:
      name: iis
    kubernetes:apps/v1:Deployment "iis-deployment"
      timeouts: create 30m, update 30m
      alias: type kubernetes:extensions/v1beta1:Deployment
      inputs:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {labels: {app: iis}, name: iis}
        spec:
          replicas: 1
          selector: {matchLabels: {app: iis}}
          template:
            metadata: {labels: {app: iis}}
            spec:
              containers:
                - image: mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022
                  name: iis
                  ports: [{containerPort: 80}]
                  resources: {limits: {cpu: "1", memory: 800Mi}, requests: {cpu: "0.1", memory: 300Mi}}
              os: {name: windows}
              runtimeClassName: windows-2022
exports:
  ingress: [unknown]
`
