package clustermap

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// objects reads manifests.
func objects(tb testing.TB, text string) []map[string]any {
	tb.Helper()
	var all []map[string]any
	for doc := range strings.SplitSeq(text, "\n---\n") {
		var value any
		if err := yaml.Unmarshal([]byte(doc), &value); err != nil {
			tb.Fatal(err)
		}
		all = append(all, tree.Map(tree.Normalize(value)))
	}
	return all
}

// threePools returns a small cluster.
func threePools() topology.Topology {
	return topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
		{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 2, Size: "Standard_D4s_v5"},
		{
			Name: "win25", Platform: platform.WindowsServer2025, Count: 1, Size: "Standard_D4s_v5",
			Zones: []string{"1", "2"}, Autoscaling: topology.Autoscaling{Min: 1, Max: 5},
		},
	}}
}

// shop has a workload that cannot run on any pool, one with a choice of pools, one for each node, and two plain ones.
const shop = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: storefront}
spec:
  replicas: 3
  template:
    spec:
      os: {name: windows}
      runtimeClassName: windows-2022
      containers:
      - name: web
        image: mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022
        resources: {requests: {cpu: "1", memory: 2Gi}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: orders, namespace: shop}
spec:
  replicas: 2
  template:
    spec:
      nodeSelector: {kubernetes.io/os: linux}
      containers:
      - {name: api, image: nginx, resources: {requests: {cpu: 250m, memory: 256Mi}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node-exporter, namespace: monitoring}
spec:
  template:
    spec:
      tolerations: [{operator: Exists}]
      containers:
      - {name: exporter, image: example.com/exporter, resources: {requests: {cpu: 50m, memory: 64Mi}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: import, namespace: shop}
spec:
  parallelism: 2
  template:
    spec:
      nodeSelector: {kubernetes.io/os: windows}
      tolerations: [{key: os, value: windows}]
      containers:
      - {name: import, image: example.com/import, resources: {requests: {cpu: 500m, memory: 1Gi}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: legacy-soap, namespace: shop}
spec:
  replicas: 3
  template:
    spec:
      os: {name: windows}
      containers:
      - {name: soap, image: "mcr.microsoft.com/windows/servercore:ltsc2019"}
`

func small(tb testing.TB) Source {
	tb.Helper()
	return Source{
		Title: "shop", From: "cluster.yaml and deploy/", Options: preflight.Options{Topology: threePools()},
		Objects: objects(tb, strings.TrimSpace(shop)),
	}
}

// large returns a cluster with many pools and workloads, the same at each call.
func large(tb testing.TB, pools, workloads int) Source {
	tb.Helper()
	platforms := []platform.Platform{
		platform.Linux, platform.Linux, platform.WindowsServer2022, platform.WindowsServer2022,
		platform.WindowsServer2019, platform.WindowsServer2025,
	}
	sizes := []string{"Standard_D4s_v5", "Standard_D8s_v5", "Standard_E8s_v5", "Standard_D16s_v5", ""}
	t := topology.Topology{KubernetesVersion: "1.36"}
	for i := range pools {
		p := platforms[i%len(platforms)]
		t.Pools = append(t.Pools, topology.Pool{
			Name: fmt.Sprintf("%s-%02d", strings.Replace(string(p), "windows-20", "win", 1), i), Platform: p,
			Count: 1 + i*7%9, Size: sizes[i*3%len(sizes)], Labels: map[string]string{"pool": fmt.Sprintf("p%d", i)},
		})
	}
	teams := []string{"shop", "billing", "search", "identity", "logistics"}
	names := []string{"api", "worker", "web", "cache", "gateway", "import", "export"}
	s := Source{Title: "production-westeurope", From: "kubectl", Options: preflight.Options{Topology: t}}
	for i := range workloads {
		pool := t.Pools[i*11%pools]
		selector := fmt.Sprintf("pool: p%d", i*11%pools)
		switch {
		case i%29 == 7:
			selector = `pool: nowhere`
		case i%6 == 0:
			selector = "kubernetes.io/os: " + string(pool.Platform.OS())
		}
		s.Objects = append(s.Objects, objects(tb, fmt.Sprintf(`
apiVersion: apps/v1
kind: %s
metadata: {name: %s-%d, namespace: %s}
spec:
  replicas: %d
  template:
    spec:
      nodeSelector: {%s}
      tolerations: [{key: os, value: windows}]
      containers:
      - {name: a, image: example.com/a, resources: {requests: {cpu: %dm, memory: %dMi}}}
`, []string{"Deployment", "StatefulSet"}[i%2], names[i%len(names)], i, teams[i%len(teams)], 1+i%5, selector,
			100+i%7*150, 128+i%5*512))...)
	}
	return s
}
