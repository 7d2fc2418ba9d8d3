package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Windows Server 2019 is reported if the version is known not to support it, unless a topology has such nodes.
func TestWindowsServer2019(t *testing.T) {
	t.Parallel()
	const image, finding = "apiVersion: v1, kind: Pod, spec: {nodeSelector: {kubernetes.io/os: windows}, containers: " +
		"[{image: 'mcr.microsoft.com/windows/nanoserver:ltsc2019'}]}",
		`spec.containers[0].image: "mcr.microsoft.com/windows/nanoserver:ltsc2019": is for Windows Server 2019, ` +
			`which Kubernetes 1.36 no longer names for nodes: use the tag ltsc2022 (MK211)`
	const class, classFinding = "apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: windows-2019}, " +
		"handler: runhcs-wcow-process, scheduling: {nodeSelector: {node.kubernetes.io/windows-build: 10.0.17763}}",
		`scheduling.nodeSelector[node.kubernetes.io/windows-build]: "10.0.17763": is the build of Windows Server ` +
			`2019, which Kubernetes 1.36 no longer names for nodes: add another class for 10.0.20348, Windows Server ` +
			`2022 (MK211)`
	withNodes := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System},
		{Name: "win19", Platform: platform.WindowsServer2019},
	}}
	for name, tt := range map[string]struct {
		object  string
		options preflight.Options
		want    []string
	}{
		"an image on 1.36":        {image, v136, []string{finding}},
		"an image on 1.35":        {image, preflight.Options{KubernetesVersion: "1.35"}, nil},
		"an image on any version": {image, preflight.Options{}, nil},
		"an image for such nodes": {image, preflight.Options{Topology: withNodes}, nil},
		"a class on 1.36":         {class, v136, []string{classFinding}},
		"a class on 1.35":         {class, preflight.Options{KubernetesVersion: "1.35"}, nil},
		"a class for such nodes":  {class, preflight.Options{Topology: withNodes}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, "{"+tt.object+"}"), tt.options, "MK211,MK309", tt.want...)
		})
	}
}

// A class selects builds in the same way as pods.
func TestBuildsThatClassesSelect(t *testing.T) {
	t.Parallel()
	const detail = ": write 10.0.20348 for Windows Server 2022, for example (MK309)"
	for build, want := range map[string][]string{
		"10.0.20348": nil,
		"10.0.18362": {`scheduling.nodeSelector[node.kubernetes.io/windows-build]: "10.0.18362": is the build of ` +
			`Windows Server, version 1903, which Kubernetes no longer supports as a node` + detail},
		"10.0.20348.2340": {"scheduling.nodeSelector[node.kubernetes.io/windows-build]: … (MK309)"},
		"2022": {`scheduling.nodeSelector[node.kubernetes.io/windows-build]: "2022": is not the build of a known ` +
			`Windows Server release` + detail},
		"$unknown": nil,
	} {
		wantFindings(t, class(t,
			`handler: runhcs-wcow-process, scheduling: {nodeSelector: {node.kubernetes.io/windows-build: "`+build+
				`"}}`), v136, "MK309", want...)
	}
}

func TestImagesThatAreNotPublished(t *testing.T) {
	t.Parallel()
	const notPublished = "is no longer published for Windows: "
	for image, want := range map[string][]string{
		"microsoft/iis": {`spec.containers[0].image: "microsoft/iis": ` + notPublished +
			"use mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022 or the tag of another release " +
			"(MK212)"},
		"redis:3.0-nanoserver": {`spec.containers[0].image: "redis:3.0-nanoserver": ` + notPublished +
			"run it on Linux nodes, or build an image on mcr.microsoft.com/windows/nanoserver (MK212)"},
		"redis:8": nil,
	} {
		wantFindings(t, object(t,
			"{apiVersion: v1, kind: Pod, spec: {nodeSelector: {kubernetes.io/os: windows}, containers: [{image: '"+
				image+"'}]}}"), v136, "MK212", want...)
		wantFindings(t, object(t,
			"{apiVersion: v1, kind: Pod, spec: {nodeSelector: {kubernetes.io/os: linux}, containers: [{image: '"+image+
				"'}]}}"), v136, "MK212")
	}
}

func TestImagesOfRetiredReleases(t *testing.T) {
	t.Parallel()
	const core = "mcr.microsoft.com/windows/servercore:"
	pod := func(more, tag string) string {
		return "{apiVersion: v1, kind: Pod, spec: {" + more + "containers: [{name: a, image: '" + core + tag + "'}]}}"
	}
	const onWindows = "nodeSelector: {kubernetes.io/os: windows}, "
	for tag, release := range map[string]string{
		"20H2": ", version 20H2", "2004": ", version 2004", "1909": ", version 1909", "1903": ", version 1903",
		"1803": ", version 1803", "1709": ", version 1709", "ltsc2016": " 2016",
	} {
		wantFindings(t, object(t, pod(onWindows, tag)), v136, "MK223", `spec.containers[0].image: "`+core+tag+
			`": is for Windows Server`+release+", which Kubernetes no longer supports as a node: use the tag "+
			"ltsc2022 (MK223)")
	}
	for name, spec := range map[string]string{
		"2019":                   pod(onWindows, "ltsc2019"),
		"2025":                   pod(onWindows, "ltsc2025"),
		"host process":           pod(onWindows+"securityContext: {windowsOptions: {hostProcess: true}}, ", "20H2"),
		"a class, maybe Hyper-V": pod(onWindows+"runtimeClassName: hyperv, ", "20H2"),
		"Linux":                  pod("nodeSelector: {kubernetes.io/os: linux}, ", "20H2"),
		"MK201 says it": pod("nodeSelector: {kubernetes.io/os: windows, "+
			"node.kubernetes.io/windows-build: 10.0.20348}, ", "20H2"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, spec), v136, "MK223")
		})
	}
	wantFindings(t, object(t, pod(onWindows, "20H2")), mixed(win22), "MK223")
}
