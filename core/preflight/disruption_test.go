package preflight_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// budget returns a PodDisruptionBudget for the pods of [replicated].
func budget(spec string) string {
	return "\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: shop, namespace: shop}\nspec: {" +
		spec + "}\n---\n"
}

// replicated returns a workload; spec is added to its own.
func replicated(kind, name, spec string) string {
	return "\nkind: " + kind + "\nmetadata: {name: " + name + ", namespace: shop}\nspec:\n" + spec + `
  template:
    metadata: {labels: {app: shop, tier: web}}
    spec: {containers: [{name: shop, image: shop.example.com/shop:1.4, resources: {limits: {memory: 1Gi}}}]}
---
`
}

func TestDisruptionBudgets(t *testing.T) {
	t.Parallel()
	const selector = ", selector: {matchLabels: {app: shop}}"
	const never = ": no pod may ever be evicted, so no node with one of them can be drained: allow at least " +
		"one, with maxUnavailable: 1 for example (MK570)"
	all := func(value, pods, fix string) string {
		return fmt.Sprintf("0 warning spec.minAvailable: %s: needs all of the %s that it selects among the "+
			"objects, so no node with one of them can be drained: %s (MK571)", value, pods, fix)
	}
	const less = "write less, or maxUnavailable: 1"
	three := replicated("Deployment", "shop", "  replicas: 3")
	one := replicated("StatefulSet", "shop", "  serviceName: shop")
	autoscaler := func(name string) string {
		return "kind: HorizontalPodAutoscaler\napiVersion: autoscaling/v2\nmetadata: {name: shop, namespace: " +
			"shop}\nspec: {scaleTargetRef: {kind: Deployment, name: " + name + "}}\n---\n"
	}
	for _, tt := range []struct {
		name, objects string
		want          []string
	}{
		{"none unavailable", budget("maxUnavailable: 0"+selector) + three, []string{"0 warning spec.maxUnavailable: 0" +
			never}},
		{"0%", budget("maxUnavailable: 0%"+selector) + three, []string{`0 warning spec.maxUnavailable: "0%"` + never}},
		{"all available", budget("minAvailable: 100%"+selector) + three, []string{`0 warning spec.minAvailable: ` +
			`"100%"` + never}},
		{"a little of three is rounded up to one", budget("maxUnavailable: 1%"+selector) + three, nil},
		{"as many as there are", budget("minAvailable: 3"+selector) + three, []string{all("3", "3 pods", less)}},
		{"more than there are", budget("minAvailable: 5"+selector) + three, []string{all("5", "3 pods", less)}},
		{"fewer than there are", budget("minAvailable: 2"+selector) + three, nil},
		{"a share that is rounded up to all", budget("minAvailable: 80%"+selector) + three, []string{
			all(`"80%"`, "3 pods", less),
		}},
		{"a share that is not", budget("minAvailable: 66%"+selector) + three, nil},
		{"a single replica by default", budget("minAvailable: 1"+selector) + one, []string{"0 warning " +
			"spec.minAvailable: 1: needs the only pod that it selects among the objects, so its node cannot be " +
			"drained: write maxUnavailable: 1, or run more than one replica (MK571)"}},
		{"two workloads together", budget("minAvailable: 3"+selector) + three + one, nil},
		{"two workloads that are too few", budget("minAvailable: 4"+selector) + three + one, []string{
			all("4", "4 pods", less),
		}},
		{"by an expression", budget("minAvailable: 3, selector: {matchExpressions: [{key: tier, operator: In, "+
			"values: [web, api]}]}") + three, []string{all("3", "3 pods", less)}},
		{"others", budget("maxUnavailable: 0, selector: {matchLabels: {app: bank}}") + three, nil},
		{"everything", budget("maxUnavailable: 0, selector: {}") + three, []string{"0 warning spec.maxUnavailable: 0" +
			never}},
		{"nothing, without a selector", budget("maxUnavailable: 0") + three, nil},
		{"nobody", budget("maxUnavailable: 0" + selector), nil},
		{"no replicas", budget("minAvailable: 1"+selector) + replicated("Deployment", "shop", "  replicas: 0"), nil},
		{"pods of each node", budget("maxUnavailable: 0"+selector) + replicated("DaemonSet", "shop", "  x: 1"), nil},
		{"an autoscaler", budget("minAvailable: 3"+selector) + three + autoscaler("shop"), nil},
		{"an autoscaler of others", budget("minAvailable: 3"+selector) + three + autoscaler("bank"), []string{
			all("3", "3 pods", less),
		}},
		{"an autoscaler changes nothing where none may go", budget("maxUnavailable: 0"+selector) + three +
			autoscaler("shop"), []string{"0 warning spec.maxUnavailable: 0" + never}},
		{"unknown replicas", budget("minAvailable: 1"+selector) +
			replicated("Deployment", "shop", "  replicas: $unknown"), nil},
		{"an unknown share", budget("minAvailable: $unknown"+selector) + one, nil},
		{"an unknown selector", budget("minAvailable: 1, selector: {matchLabels: {app: $unknown}}") + one, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for i, findings := range acrossOf(t, v136, fromYAML(t, tt.objects)) {
				for _, f := range findings {
					if f.Rule == "MK538" {
						continue // the autoscaler's own pods
					}
					got = append(got, fmt.Sprintf("%d %s %s", i, f.Severity, f))
				}
			}
			diffFindings(t, tt.want, got)
		})
	}
}

// The findings name the pools that an update drains and where the pods land.
func TestDisruptionBudgetsOfPoolsThatLeave(t *testing.T) {
	t.Parallel()
	const selector = ", selector: {matchLabels: {app: shop}}"
	win, lin := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022},
		topology.Pool{Name: "lin", Platform: platform.Linux}
	options := v136
	options.Topology = topology.Topology{Pools: []topology.Pool{lin, win}, Leaving: []topology.Pool{lin}}
	three := replicated("Deployment", "shop", "  replicas: 3")
	one := replicated("StatefulSet", "db", "  serviceName: db")
	with := func(objects, spec string) string {
		return strings.ReplaceAll(objects, "spec: {containers", "spec: {"+spec+", containers")
	}
	onWindows := with(three, "nodeSelector: {kubernetes.io/os: windows}, tolerations: [{operator: Exists}]")
	never := "no pod may ever be evicted, so no node with one of them can be drained"
	const drains = "; this update drains the nodes of lin, where pods of Deployment/shop run, and would stop there"
	for _, tt := range []struct{ name, objects, want string }{
		{"none", budget("maxUnavailable: 0"+selector) + with(three, inLinux), never + drains},
		{"all", budget("minAvailable: 3"+selector) + with(three, inLinux), "needs all of the 3 pods that it selects " +
			"among the objects, so no node with one of them can be drained" + drains},
		{"two", budget("maxUnavailable: 0"+selector) + with(three+one, inLinux), never +
			strings.Replace(drains, "shop", "shop, StatefulSet/db", 1)},
		{"another pool", budget("maxUnavailable: 0"+selector) + onWindows, never},
		{"an unknown pool", budget("maxUnavailable: 0"+selector) + with(three, "nodeSelector: $unknown"), never},
		{
			"a secret name",
			strings.Replace(budget("maxUnavailable: 0"+selector)+with(three, inLinux), "name: shop, namesp",
				"name: $secret-shop, namesp", 2), never + strings.Replace(drains, "/shop", "", 1),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found := acrossOf(t, options, fromYAML(t, tt.objects))[0]
			if len(found) != 1 || found[0].Detail != tt.want {
				t.Errorf("%v, want %s", found, tt.want)
			}
		})
	}
}
