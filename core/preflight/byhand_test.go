package preflight_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// byHand returns a Windows pod as a user writes it in Go, with the obvious types.
func byHand() map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]string{"name": "shop"},
		"spec": map[string]any{
			"os":                            map[string]string{"name": "windows"},
			"nodeSelector":                  map[string]string{"kubernetes.io/os": "windows"},
			"terminationGracePeriodSeconds": 5, "runtimeClassName": "sql",
			"securityContext": map[string]any{
				"runAsUser": 1000, "supplementalGroups": []int{1, 2}, "windowsOptions": map[string]any(nil),
			},
			"containers": []map[string]any{{
				"name": "shop", "image": "mcr.microsoft.com/windows/nanoserver:ltsc2022",
				"command":   []string{"sh", "-c", "exit"},
				"resources": map[string]map[string]string{"limits": {"memory": "1Gi"}},
			}},
		},
	}
}

func TestValuesMayHaveAnyTypeOfGo(t *testing.T) {
	t.Parallel()
	checker := preflight.New(v136)
	diffFindings(t, []string{
		"error spec.containers[0].command[0]: … (MK205)", "error spec.securityContext.runAsUser: … (MK121)",
		"error spec.securityContext.supplementalGroups: … (MK123)",
		"info spec.terminationGracePeriodSeconds: … (MK510)",
	}, texts(checker.Check(byHand())))
	class := map[string]any{
		"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": map[string]string{"name": "sql"},
		"handler":    "runhcs-wcow-process",
		"scheduling": map[string]any{"nodeSelector": map[string]string{"kubernetes.io/os": "linux"}},
	}
	across := checker.Across([]map[string]any{byHand(), class})
	diffFindings(t, []string{
		"error spec.nodeSelector[kubernetes.io/os]: … (MK402)", "error spec.os.name: … (MK406)",
	}, texts(across[0]))
	landing, ok := preflight.New(without()).Landing(byHand())
	if diff := cmp.Diff("perhaps win22 (1 node)", landing.String()); diff != "" || !ok {
		t.Errorf("Landing has pods: %t (-want +got):\n%s", ok, diff)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, spec string
		want       bool
	}{
		{"a field for Linux", "os: {name: windows}, hostPID: true", true},
		{"a field that is refused when it is true", "os: {name: windows}, hostPID: false", false},
		{"resources of the pod", "os: {name: windows}, resources: {limits: {cpu: 1}}", true},
		{"options of Linux pods", "os: {name: linux}, securityContext: {windowsOptions: {runAsUserName: a}}", true},
		{"without os", "hostPID: true", false},
		{"another os", "os: {name: plan9}, hostPID: true", false},
		{"a stop signal", "os: {name: windows}, containers: [{lifecycle: {stopSignal: SIGHUP}}]", false},
		{"an empty user", "os: {name: windows}, securityContext: {windowsOptions: {runAsUserName: ''}}", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := pods.ReadObject(object(t, "{kind: Pod, spec: {"+tt.spec+"}}"))
			if got := preflight.Refused(o); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestContradiction(t *testing.T) {
	t.Parallel()
	windows2022 := preflight.Options{Platform: platform.WindowsServer2022}
	linux := preflight.Options{OS: platform.LinuxOS}
	const (
		agree     = ": remove it, or change the platform (MK207)"
		toLinux   = `says Linux, but the platform windows-2022 says Windows` + agree
		toWindows = "says Windows, but the platform linux says Linux" + agree
	)
	const pod, build = "kind: Pod, spec: {", "node.kubernetes.io/windows-build"
	const image2019 = "containers: [{name: a, image: 'mcr.microsoft.com/windows/servercore:ltsc2019'}]"
	for _, tt := range []struct {
		name, object string
		options      preflight.Options
		want         []string
	}{
		{"pods that name nothing", pod + "containers: []}", windows2022, nil},
		{"pods that agree", pod + "os: {name: windows}, nodeSelector: {" + build + ": 10.0.20348}}", windows2022, nil},
		{"pods that agree with an operating system", pod + "os: {name: linux}}", linux, nil},
		{"an object without pods", "kind: Service, spec: {type: LoadBalancer}", windows2022, nil},
		{"other mistakes", pod + "os: {name: windows}, hostPID: true, " + image2019 + "}", windows2022, nil},
		{"os.name", pod + "os: {name: linux}}", windows2022, []string{`error spec.os.name: "linux": ` + toLinux}},
		{"a template", "kind: Deployment, spec: {template: {spec: {os: {name: linux}}}}", windows2022, []string{
			`error spec.template.spec.os.name: "linux": ` + toLinux,
		}},
		{"a node selector", pod + "nodeSelector: {kubernetes.io/os: windows}}", linux, []string{`error ` +
			`spec.nodeSelector[kubernetes.io/os]: "windows": ` + toWindows}},
		{"a secret one", pod + "nodeSelector: {kubernetes.io/os: '$secret-windows'}}", linux, []string{"error " +
			"spec.nodeSelector[kubernetes.io/os]: [secret]: " + toWindows}},
		{"the build of another release", pod + "nodeSelector: {" + build + ": 10.0.17763}}", windows2022, []string{
			"error spec.nodeSelector[node.kubernetes.io/windows-build]: … (MK208)",
		}},
		{"several", pod + "os: {name: linux}, nodeSelector: {kubernetes.io/os: linux}}", windows2022, []string{
			`error spec.nodeSelector[kubernetes.io/os]: "linux": ` + toLinux,
			`error spec.os.name: "linux": ` + toLinux,
		}},
		{
			"an annotation",
			"kind: Pod, metadata: {annotations: {mixedkube.dev/platform: linux}}, spec: {}",
			windows2022,
			[]string{`error metadata.annotations[mixedkube.dev/platform]: "linux": contradicts the platform ` +
				"windows-2022: remove it, or change the platform (MK903)"},
		},
		{
			"a claim that contradicts only an annotation",
			"kind: Pod, metadata: {annotations: {mixedkube.dev/platform: linux}}, spec: {os: {name: windows}}",
			windows2022, nil,
		},
		{
			"a rule that does not exist", "kind: Pod, metadata: {annotations: {mixedkube.dev/ignore: MK2O7}}, spec: {}",
			windows2022,
			[]string{`error metadata.annotations[mixedkube.dev/ignore]: "MK2O7": is not a rule: did you mean MK207? ` +
				"(MK901)"},
		},
		{"host process on Linux", pod + "securityContext: {windowsOptions: {hostProcess: true}}}", linux, []string{
			"warning spec.securityContext.windowsOptions.hostProcess: … (MK209)",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := pods.ReadObject(object(t, "{"+tt.object+"}"))
			diffFindings(t, tt.want, texts(preflight.New(tt.options).Contradiction(o)))
		})
	}
}
