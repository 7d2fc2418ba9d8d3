package preflight_test

import "testing"

func TestArchitecturesThatWindowsDoesNotHave(t *testing.T) {
	t.Parallel()
	const wrong = "spec.nodeSelector[kubernetes.io/arch]: … (MK316)" // the example of package workload has the sentence
	for architecture, want := range map[string][]string{"arm64": {wrong}, "amd64": nil, `"$unknown"`: nil} {
		pod := object(t, "{kind: Pod, spec: {os: {name: windows}, nodeSelector: {kubernetes.io/os: windows, "+
			"kubernetes.io/arch: "+architecture+"}, containers: [{name: shop, image: shop.example.com/shop:1.4}]}}")
		wantFindings(t, pod, v136, "MK316", want...)
	}
}
