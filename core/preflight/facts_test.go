package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// published returns the facts of the image shop, whose digest is shop@: those of an index with variants such as
// "windows/amd64/10.0.20348.1", with a user and the sizes of layers in MiB. A text without commas that begins with an
// equals sign is a single manifest.
func published(variants string, more ...func(*platform.Variant)) *platform.Facts {
	f := &platform.Facts{Digest: "sha256:index"}
	for text := range strings.SplitSeq(strings.TrimPrefix(variants, "="), ", ") {
		parts := strings.SplitN(text+"//", "/", 4)
		v := platform.Variant{
			OS: platform.OS(parts[0]), Architecture: parts[1], OSVersion: parts[2], Digest: "sha256:" + text,
			Layers: []int64{200 << 20}, User: "1000",
		}
		if strings.HasPrefix(variants, "=") {
			v.Digest = f.Digest
		}
		for _, change := range more {
			change(&v)
		}
		f.Variants = append(f.Variants, v)
	}
	return f
}

func user(name string) func(*platform.Variant) { return func(v *platform.Variant) { v.User = name } }

func unread(v *platform.Variant) { v.User, v.Layers = "", nil }

func layers(mib ...int64) func(*platform.Variant) {
	return func(v *platform.Variant) {
		v.Layers = nil
		for _, size := range mib {
			v.Layers = append(v.Layers, size<<20)
		}
	}
}

const (
	pinned = "shop@sha256:" + "1111111111111111111111111111111111111111111111111111111111111111"
	tol    = "tolerations: [{key: os, value: windows, effect: NoSchedule}]\n"
	onLin  = "os: {name: linux}\nnodeSelector: {kubernetes.io/os: linux}\n"
	nonRt  = "securityContext: {runAsNonRoot: true}\n"
)

// by returns options with facts about shop and side.
func by(o preflight.Options, all ...*platform.Facts) preflight.Options {
	o.Images = &images.Lock{}
	for i, facts := range all {
		refs := [][]string{{"shop", pinned}, {"side"}}[i]
		for _, ref := range refs {
			if err := o.Images.Set(ref, facts); err != nil {
				panic(err)
			}
		}
	}
	return o
}

// arm returns a cluster with pools of both architectures, and one of unknown architecture.
func arm() preflight.Options {
	return preflight.Options{KubernetesVersion: "1.36", Topology: topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D4s_v5"},
		{Name: "arm", Platform: platform.Linux, Count: 3, Size: "Standard_D4ps_v5"},
		{Name: "some", Platform: platform.Linux, Count: 3},
	}}}
}

const (
	in2019 = "windows/amd64/10.0.17763.1"
	in2022 = "windows/amd64/10.0.20348.1"
	in2025 = "windows/amd64/10.0.26100.1"
	both   = "containers: [{name: a, image: shop}, {name: b, image: side}]\n"
)

// Facts from registries take precedence over names of images.
func TestPublishedImagesNameTheirSystem(t *testing.T) {
	t.Parallel()
	shop := container("shop")
	none := preflight.Options{KubernetesVersion: "1.36"}
	runPodCases(t, []podCase{
		{
			name:    "an image for both systems",
			spec:    onWindows + shop,
			options: by(none, published("linux/amd64, "+in2022)),
		},
		{
			name: "images of different systems",
			want: []string{`error spec.containers[1].image: "side": is a Windows image (Windows Server 2022), but ` +
				`spec.containers[0].image is a Linux image (Linux/amd64), and all containers of a pod run on one ` +
				`node: use images for one operating system (MK203)`},
			spec:    both,
			options: by(none, published("linux/amd64"), published(in2022)),
		},
		{
			name: "one image for both systems, one for Linux", spec: both,
			options: by(none, published("linux/amd64, "+in2022), published("linux/amd64")),
		},
	})
}

func TestPublishedImagesNameTheirReleases(t *testing.T) {
	t.Parallel()
	shop := container("shop")
	none := preflight.Options{KubernetesVersion: "1.36"}
	runPodCases(t, []podCase{
		{
			name: "no entry for the release",
			want: []string{`error spec.containers[0].image: "shop": has Linux/amd64, Windows Server 2019 and 2025, ` +
				`but the pod targets windows-2022: use an image for Windows Server 2022 (MK201)`},
			spec:    on2022 + shop,
			options: by(none, published("linux/amd64, "+in2019+", "+in2025)),
		},
		{name: "an entry for it", spec: on2022 + shop, options: by(none, published(in2019+", "+in2022))},
		{
			name: "one that some nodes take",
			want: []string{`warning spec.containers[0].image: "shop": has Windows Server 2022, and the pod targets ` +
				`windows-2025, which does not run it everywhere: use an image for Windows Server 2025 (MK210)`},
			spec:    on2025 + shop,
			options: by(none, published(in2022)),
		},
		{
			name: "no release for both images",
			want: []string{
				`info spec.containers[0].image: "shop": is for Windows Server 2019, which Kubernetes 1.36 ` +
					`no longer names for nodes: use an image for Windows Server 2022 (MK211)`,
				`error spec.containers[1].image: "side": is an image for Linux/amd64, Windows Server 2022, ` +
					`but spec.containers[0].image is one for windows-2019, and all containers of a pod run on ` +
					`one node: use images for one Windows release (MK203)`,
			},
			spec:    onWindows + both,
			options: by(none, published(in2019), published("linux/amd64, "+in2022)),
		},
		{
			name: "a release for both images", spec: onWindows + both,
			options: by(none, published(in2019+", "+in2022), published(in2022)),
		},
		{
			name:    "the base image of host-process containers elsewhere",
			want:    []string{"error spec.containers[0].image: … (MK204)"},
			spec:    onWindows + shop,
			options: by(none, published("=windows/amd64", layers(0, 30))),
		},
	})
}

func TestPublishedImagesFitThePools(t *testing.T) {
	t.Parallel()
	shop := container("shop")
	two := mixed(platform.WindowsServer2022, platform.WindowsServer2025)
	runPodCases(t, []podCase{
		{
			name: "a pool without an entry",
			want: []string{`error spec.template.spec.containers[0].image: "shop": has Windows Server 2022, but the ` +
				`deployment can land on the pool win25: select node.kubernetes.io/windows-build=10.0.20348` +
				orRelaxed + ` (MK305)`},
			kind:    "Deployment",
			spec:    onWindows + tol + shop,
			options: by(two, published(in2022)),
		},
		{
			name: "an entry for each pool", kind: "Deployment", spec: onWindows + tol + shop,
			options: by(two, published(in2022+", "+in2025)),
		},
		{
			name:    "a name alone",
			want:    []string{"info spec.template.spec.containers[0].image: … (MK315)"},
			kind:    "Deployment",
			spec:    onWindows + tol + shop,
			options: two,
		},
		{
			name: "a digest of one release",
			want: []string{`error spec.template.spec.containers[0].image: ` +
				`"shop@sha256:1111111111111111111111111111111111111111111111111111111111111111": has Windows Server ` +
				`2022, but the deployment can land on the pool win25: pin the digest of the index that has all ` +
				`platforms, or select node.kubernetes.io/windows-build=10.0.20348 (MK215)`},
			kind: "Deployment", spec: onWindows + tol + container(pinned),
			options: by(two, published("="+in2022)),
		},
		{
			name: "a digest of an index", kind: "Deployment", spec: onWindows + tol + container(pinned),
			options: by(two, published(in2022+", "+in2025)),
		},
		{
			name: "pools of both systems", kind: "Deployment", spec: shop,
			options: by(open(), published("linux/amd64, "+in2022)),
		},
		{
			name: "pools of both systems, and no entry for one",
			want: []string{`error spec.template.spec.containers[0].image: "shop": has Linux/amd64, Windows Server ` +
				`2025, but the deployment can land on the pool win22: use an image for Windows Server 2022 (MK305)`},
			kind: "Deployment", spec: shop,
			options: by(open(), published("linux/amd64, "+in2025)),
		},
		{
			name: "no pool",
			want: []string{`error spec.template.spec: fits no pool of the topology; the nearest is sys (selects ` +
				`kubernetes.io/os=windows, but its nodes have linux; spec.os.name is windows, but its nodes run ` +
				`Linux; image shop is a Windows image, but its nodes run Linux): select kubernetes.io/os=linux, and ` +
				`set spec.os.name to linux, and use an image for Linux (MK303)`},
			kind:    "Deployment",
			spec:    onWindows + tol + shop,
			options: by(mixed(), published(in2022)),
		},
	})
}

func TestPublishedImagesNameTheirProcessors(t *testing.T) {
	t.Parallel()
	shop := container("shop")
	none := preflight.Options{KubernetesVersion: "1.36"}
	runPodCases(t, []podCase{
		{
			name: "no entry for arm64",
			want: []string{`error spec.template.spec.containers[0].image: "shop": has Linux/amd64, but the ` +
				`deployment can land on the arm64 nodes of pool arm: use an image for arm64, or select ` +
				`kubernetes.io/arch=amd64 (MK213)`},
			kind:    "Deployment",
			spec:    onLin + shop,
			options: by(arm(), published("linux/amd64")),
		},
		{
			name: "none for amd64, which is not known of one pool", kind: "Deployment",
			want: []string{`error spec.template.spec.containers[0].image: "shop": has Linux/arm64, but the ` +
				`deployment can land on the amd64 nodes of pool sys: use an image for amd64, or select ` +
				`kubernetes.io/arch=arm64 (MK213)`},
			spec:    onLin + shop,
			options: by(arm(), published("linux/arm64")),
		},
		{
			name: "entries for both", kind: "Deployment",
			spec:    onLin + shop,
			options: by(arm(), published("linux/amd64, linux/arm64")),
		},
		{
			name: "a manifest for amd64",
			want: []string{`warning spec.template.spec.containers[0].image: ` +
				`"shop@sha256:1111111111111111111111111111111111111111111111111111111111111111": has Linux/amd64, ` +
				`but the deployment can land on the arm64 nodes of pool arm: pin the digest of the index that has ` +
				`all platforms, or select kubernetes.io/arch=amd64 (MK214)`},
			kind:    "Deployment",
			spec:    onLin + container(pinned),
			options: by(arm(), published("=linux/amd64")),
		},
		{
			name: "led to amd64", kind: "Deployment",
			spec:    "nodeSelector: {kubernetes.io/os: linux, kubernetes.io/arch: amd64}\n" + shop,
			options: by(arm(), published("linux/amd64")),
		},
		{
			name:    "led to arm64",
			want:    []string{"error spec.template.spec.containers[0].image: … (MK213)"},
			kind:    "Deployment",
			spec:    "nodeSelector: {kubernetes.io/os: linux, kubernetes.io/arch: arm64}\n" + shop,
			options: by(arm(), published("linux/amd64")),
		},
		{
			name: "led to arm64, and no other pool", // MK303 would say no more
			want: []string{"error spec.template.spec.containers[0].image: … (MK213)"},
			kind: "Deployment",
			spec: "nodeSelector: {kubernetes.io/os: linux, kubernetes.io/arch: arm64}\n" + shop,
			options: by(preflight.Options{KubernetesVersion: "1.36", Topology: topology.Topology{
				Pools: arm().Topology.Pools[:2],
			}}, published("linux/amd64")),
		},
		{
			name: "led to arm64, without a topology",
			want: []string{`error spec.containers[0].image: "shop": has Linux/amd64, but the pod selects arm64 ` +
				`nodes: use an image for arm64, or select kubernetes.io/arch=amd64 (MK213)`},
			spec:    "nodeSelector: {kubernetes.io/os: linux, kubernetes.io/arch: arm64}\n" + shop,
			options: by(none, published("linux/amd64")),
		},
		{
			name:    "led to arm64, with an entry",
			spec:    "nodeSelector: {kubernetes.io/os: linux, kubernetes.io/arch: arm64}\n" + shop,
			options: by(none, published("linux/amd64, linux/arm64")),
		},
	})
}

func TestPublishedImagesOfHostProcesses(t *testing.T) {
	t.Parallel()
	shop := container("shop")
	two := mixed(platform.WindowsServer2022, platform.WindowsServer2025)
	runPodCases(t, []podCase{
		{
			name: "an index that names a release",
			want: []string{`warning spec.template.spec.containers[0].image: "shop": is an index that has Windows ` +
				`Server 2022, from which containerd chooses nothing on pool win25: build it from the base image of ` +
				`host-process containers, whose manifest names no release, or select ` +
				`node.kubernetes.io/windows-build (MK219)`},
			kind: "DaemonSet", spec: hostProc + onWindows + tol + shop,
			options: by(two, published(in2022)),
		},
		{
			name: "an index that names another release, and no other pool",
			want: []string{"warning spec.template.spec.containers[0].image: … (MK219)"},
			kind: "Deployment", spec: hostProc + onWindows + tol + shop,
			options: by(mixed(platform.WindowsServer2025), published(in2022)),
		},
		{
			name: "an index that names none", kind: "DaemonSet", spec: hostProc + onWindows + tol + shop,
			options: by(two, published("windows/amd64")),
		},
		{
			name: "a manifest of one release", kind: "DaemonSet", spec: hostProc + onWindows + tol + shop,
			options: by(two, published("="+in2022)),
		},
		{
			name: "an index that the nodes take", kind: "DaemonSet", spec: hostProc + onWindows + tol + shop,
			options: by(relaxed(two), published(in2022)),
		},
	})
}
