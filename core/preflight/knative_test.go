package preflight_test

import "testing"

// Only a set of objects can have Knative's ConfigMap, so one object alone has no finding.
func TestFlagsOfKnative(t *testing.T) {
	t.Parallel()
	service := func(spec string) string {
		return "{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: hello}, spec: {template: {spec: " +
			"{" +
			flow(spec, "containers: [{image: shop.example.com/hello:1.4}]") + "}}}}\n---\n"
	}
	flag := func(value string) string {
		return "{apiVersion: v1, kind: ConfigMap, metadata: {name: config-features, namespace: knative-serving}, " +
			"data: {kubernetes.podspec-nodeselector: " + value + "}}\n"
	}
	const wrong = "0 warning spec.template.spec.nodeSelector: is refused unless Knative has the flag " +
		"kubernetes.podspec-nodeselector: make sure that it is enabled in the ConfigMap config-features of " +
		"knative-serving (MK416)"
	runAcrossCases(t, []acrossCase{
		{name: "a node selector", objects: service(inLinux) + flag("disabled"), want: []string{wrong}},
		{name: "with the flag", objects: service(inLinux) + flag("enabled")},
		{name: "no node selector", objects: service("") + flag("disabled")},
	})
}
