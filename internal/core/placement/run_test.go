package placement_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

const isLinux = " is a Linux image, but its nodes run Windows Server 2022 | use an image for Windows Server 2022"

func TestRuns(t *testing.T) {
	t.Parallel()
	const (
		linuxImage = "alpine:3.20"
		core19     = "mcr.microsoft.com/windows/servercore:ltsc2019"
		core22     = "mcr.microsoft.com/windows/servercore:ltsc2022"
		core       = "mcr.microsoft.com/windows/servercore"
		private    = "example.com/shop:1"
	)
	pod := func(refs ...string) placement.Pod {
		var p placement.Pod
		for _, ref := range refs {
			p.Images = append(p.Images, image(ref))
		}
		return p
	}
	open := taints()
	tests := []struct {
		name    string
		pool    topology.Pool
		pod     placement.Pod
		want    platform.Answer
		reasons []string
	}{
		{"nothing said", linux(), placement.Pod{}, yes, nil},
		{"the operating system", win22(open), placement.Pod{OS: windowsOS}, yes, nil},
		{
			"another operating system", linux(),
			placement.Pod{OS: windowsOS},
			no,
			[]string{"OS: spec.os.name is windows, but its nodes run Linux | set spec.os.name to linux"},
		},
		{
			"Linux pods on Windows", win22(open),
			placement.Pod{OS: linuxOS},
			no,
			[]string{"OS: spec.os.name is linux, but its nodes run Windows | set spec.os.name to windows"},
		},
		{"an unknown operating system", linux(), placement.Pod{OS: windowsOS, Unknown: placement.PartOS}, unknown, nil},
		{"a Linux image", linux(), pod(linuxImage), yes, nil},
		{"a Windows image", win22(open), pod(core22), yes, nil},
		{
			"a Windows image on Linux", linux(), pod(core22), no,
			[]string{"OS: image " + core22 + " is a Windows image, but its nodes run Linux | use an image for Linux"},
		},
		{"a Linux image on Windows", win22(open), pod(linuxImage), no, []string{"OS: image alpine:3.20" + isLinux}},
		{
			"an older image", win22(open), pod(core19), no,
			[]string{"build: image " + core19 + " needs Windows Server 2019, but its nodes run Windows Server 2022 | " +
				"use an image for Windows Server 2022"},
		},
		{
			"a release without its own images",
			pool("win23", platform.WindowsServer23H2, 1, []func(*topology.Pool){open}), pod(core19), no,
			[]string{"build: image " + core19 + " needs Windows Server 2019, but its nodes run Windows Server, " +
				"version 23H2 | use an image for Windows Server, version 23H2"},
		},
		{"a Windows image of some release", win22(open), pod(core), unknown, nil},
		{
			"a Windows image of some release on Linux", linux(), pod(core), no,
			[]string{"OS: image " + core + " is a Windows image, but its nodes run Linux | use an image for Linux"},
		},
		{
			"a host-process image", win22(open),
			pod("mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0"), yes, nil,
		},
		{"an unknown image", linux(), pod(private), unknown, nil},
		{
			"unknown images", linux(),
			placement.Pod{Images: pod(linuxImage).Images, Unknown: placement.PartImages},
			unknown, nil,
		},
		{
			"one image is enough", win22(open), pod(private, core22, core19), no,
			[]string{"build: image " + core19 + " needs Windows Server 2019, but its nodes run Windows Server 2022 | " +
				"use an image for Windows Server 2022"},
		},
		{
			"all reasons, each image once, the operating system first", win22(open),
			placement.Pod{OS: linuxOS, Images: pod(core19, linuxImage, core19, linuxImage).Images},
			no,
			[]string{
				"OS: spec.os.name is linux, but its nodes run Windows | set spec.os.name to windows",
				"OS: image alpine:3.20" + isLinux,
				"build: image " + core19 + " needs Windows Server 2019, but its nodes run Windows Server 2022 | use " +
					"an image for Windows Server 2022",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := append([]string{tt.pool.Name + ": schedules yes, runs " + tt.want.String()}, tt.reasons...)
			wantPlacement(t, place(tt.pod, tt.pool), want...)
		})
	}
}

func TestMatching(t *testing.T) {
	t.Parallel()
	pod := placement.Pod{
		Tolerations: tolerateWindows(),
		Images:      []placement.Image{image("mcr.microsoft.com/windows/nanoserver:ltsc2022")},
	}
	cluster := topology.Topology{Pools: mixed()}
	for m, want := range map[platform.Matching]string{
		platform.Strict:  "win22 (2 nodes)",
		platform.Relaxed: "win22 (2 nodes), win25 (1 node)",
	} {
		if got := placement.NewNodes(cluster.WithDefaults(), m).Place(pod).String(); got != want {
			t.Errorf("%s: got %s, want %s", m, got, want)
		}
	}
}

func TestAReasonNamesItsContainer(t *testing.T) {
	t.Parallel()
	pod := placement.Pod{
		OS:     windowsOS,
		Images: []placement.Image{image("alpine"), image("mcr.microsoft.com/windows/nanoserver:1809")},
	}
	pod.Images[1].Container = "spec.initContainers[0]"
	var got []string
	for _, r := range place(pod, linux()).Verdicts[0].Reasons() {
		got = append(got, r.Container)
	}
	if diff := cmp.Diff([]string{"", "spec.initContainers[0]"}, got); diff != "" {
		t.Errorf("containers (-want +got):\n%s", diff)
	}
}
