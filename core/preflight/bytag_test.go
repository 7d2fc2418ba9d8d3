package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

// A word of a tag may mislead: there are Windows images with the tags of their Linux originals.
func TestNoErrorDependsOnOneWordOfATag(t *testing.T) {
	t.Parallel()
	const (
		rebuilt  = "e2e.example.com/nginx:1.14-alpine"
		tagged22 = "shop.example.com/shop:ltsc2022"
		onLinux  = "nodeSelector: {kubernetes.io/os: linux}\n"
	)
	pair := func(first, second string) string {
		return "containers: [{name: a, image: '" + first + "'}, {name: b, image: '" + second + "'}]\n"
	}
	const onlyTag = "; only the tag of spec.containers[0].image says "
	runPodCases(t, []podCase{
		{
			name: "a Linux word on Windows pods", spec: onWindows + tolerates + container(rebuilt),
			options: mixed(win22),
			want:    []string{"warning spec.containers[0].image: … (MK202)"},
		},
		{
			name: "a Linux word in a host-process pod",
			spec: "nodeSelector: {pool: a}\n" + hostProc + container(rebuilt),
			want: []string{`warning spec.containers[0].image: "e2e.example.com/nginx:1.14-alpine": is a Linux image ` +
				`by its tag alone, but host process makes these Windows pods: use a Windows image, unless this is ` +
				`one (MK202)`},
		},
		{
			name: "a release on Linux pods", spec: onLinux + container(tagged22),
			want: []string{`warning spec.containers[0].image: "shop.example.com/shop:ltsc2022": is a Windows image ` +
				`by its tag alone, but the node selector kubernetes.io/os=linux makes these Linux pods: use a Linux ` +
				`image, unless this is one (MK202)`},
		},
		{
			name: "two words on Linux pods", spec: onLinux + container("shop.example.com/shop:1.0-nanoserver-ltsc2022"),
			want: []string{`error spec.containers[0].image: "shop.example.com/shop:1.0-nanoserver-ltsc2022": is a ` +
				`Windows image, but the node selector kubernetes.io/os=linux makes these Linux pods: use a Linux ` +
				`image (MK202)`},
		},
		{
			name: "a Linux word beside an image of Microsoft's",
			spec: pair(rebuilt, "mcr.microsoft.com/windows/nanoserver:ltsc2022"),
			want: []string{"warning spec.containers[1].image: … (MK203)"},
		},
		{
			name: "a Linux word on a pool for Windows", spec: container(rebuilt), options: open(),
			want: []string{"warning spec.nodeSelector: … (MK304)"},
		},
		{
			name: "a release on a pool for Linux", spec: container(tagged22), options: mixed(win22),
			want: []string{`warning spec.nodeSelector: nothing keeps these Windows pods off the Linux pool sys` +
				onlyTag + `Windows: select kubernetes.io/os=windows (MK301)`},
		},
		{
			name: "a release on a pool of another", spec: "nodeSelector: {pool: a}\n" + container(tagged22),
			options: labeled(win25),
			want: []string{`warning spec.containers[0].image: "shop.example.com/shop:ltsc2022": needs a Windows ` +
				`Server 2022 node, but the pod can land on the pool win25; only its tag says Windows: use an image ` +
				`for Windows Server 2025` + orRelaxed + ` (MK305)`},
		},
		{
			name: "what only Windows pods cannot have",
			spec: container(tagged22) + "volumes: [{name: a, nfs: {server: a, path: /b}}]\n",
			want: []string{
				`warning spec.nodeSelector: nothing keeps these Windows pods off Linux nodes: select ` +
					`kubernetes.io/os=windows, or name a RuntimeClass (MK302)`,
				"warning spec.volumes[0].nfs: … (MK504)",
			},
		},
		{
			name: "a release, where the pods say Windows themselves",
			spec: on2022 + container("shop.example.com/shop:ltsc2019"),
			want: []string{"error spec.containers[0].image: … (MK201)"},
		},
		{
			name:    "a release, where the repository is Windows",
			spec:    onWindows + tolerates + container("shop.example.com/windows/servercore:ltsc2019"),
			options: mixed(win22),
			want:    []string{"error spec.containers[0].image: … (MK305)"},
		},
		{
			name: "a release, where another image says Windows",
			spec: "nodeSelector: {pool: a}\n" +
				pair("mcr.microsoft.com/windows/nanoserver:ltsc2022", "shop.example.com/shop:ltsc2019"),
			want: []string{"error spec.containers[1].image: … (MK203)"},
		},
		{name: "a Linux word on Linux pods", spec: onLinux + container(rebuilt), options: mixed(win22)},
	})
}

// A word of a tag must not cause the finding that pods fit no pool.
func TestWordsOfTagsExcludeNoPool(t *testing.T) {
	t.Parallel()
	checker := preflight.New(mixed(platform.WindowsServer2022))
	pod := inSpec(t, "Pod", onWindows+tolerates+container("e2e.example.com/nginx:1.14-alpine"))
	if landing, ok := checker.Landing(pod); !ok || landing.String() != "win22 (2 nodes)" {
		t.Errorf("Landing() = %s, %t, want win22 (2 nodes)", landing, ok)
	}
}

// Findings across objects also depend on the tag.
func TestNoErrorAcrossObjectsDependsOnOneWordOfATag(t *testing.T) {
	t.Parallel()
	objects := fromYAML(t, `
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: restricted}}
---
apiVersion: v1
kind: Pod
metadata: {name: shop, namespace: shop}
spec:
  nodeSelector: {pool: a}
  containers: [{name: shop, image: 'shop.example.com/shop:ltsc2022', `+
		`securityContext: {runAsNonRoot: false, allowPrivilegeEscalation: false, `+
		`capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}}]
`)
	got := texts(preflight.New(v136).Across(objects)[1])
	want := `warning spec.containers[0].securityContext.runAsNonRoot: false: the namespace shop enforces the ` +
		`restricted Pod Security Standard, which demands runAsNonRoot, on Windows too; only the tag of ` +
		`spec.containers[0].image says Windows: set it to true (MK409)`
	if len(got) != 1 || got[0] != want {
		t.Errorf("Across() = %q, want %q", got, want)
	}
}
