package preflight_test

import "testing"

func TestArchitecturesThatWindowsDoesNotHave(t *testing.T) {
	t.Parallel()
	const wrong = `spec.nodeSelector[kubernetes.io/arch]: "arm64": is not an architecture of Windows nodes: ` +
		"write amd64, or remove it (MK316)"
	for architecture, want := range map[string][]string{"arm64": {wrong}, "amd64": nil, `"!unknown"`: nil} {
		pod := object(t, "{kind: Pod, spec: {os: {name: windows}, nodeSelector: {kubernetes.io/os: windows, "+
			"kubernetes.io/arch: "+architecture+"}, containers: [{name: shop, image: shop.example.com/shop:1.4}]}}")
		wantFindings(t, pod, v136, "MK316", want...)
	}
}
