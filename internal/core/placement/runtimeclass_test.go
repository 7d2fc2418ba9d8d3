package placement_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func TestRuntimeClass(t *testing.T) {
	t.Parallel()
	class22 := windowsClass(platform.WindowsServer2022)
	conflict := "RuntimeClass: selects kubernetes.io/os=linux, but RuntimeClass windows-2022 selects windows: the " +
		"API server refuses such a pod | " +
		"remove kubernetes.io/os from the node selector, or use another RuntimeClass"
	tests := []struct {
		name string
		pod  placement.Pod
		want []string
	}{
		{
			"its scheduling is added to the pod's",
			placement.Pod{RuntimeClass: class22},
			[]string{
				"linux: schedules no, runs yes",
				"selector: RuntimeClass windows-2022 selects kubernetes.io/os=windows, but its nodes have linux | " +
					"use a RuntimeClass that selects kubernetes.io/os=linux",
				"selector: needs build 10.0.20348 (Windows Server 2022), but its nodes run Linux | use a " +
					"RuntimeClass that does not select node.kubernetes.io/windows-build",
				"win22: schedules yes, runs yes",
				"win25: schedules no, runs yes",
				"build: needs build 10.0.20348 (Windows Server 2022), but its nodes have 10.0.26100 (Windows Server " +
					"2025) | use a RuntimeClass that selects node.kubernetes.io/windows-build=10.0.26100",
			},
		},
		{
			"the pod is the reason for a label that both select",
			placement.Pod{NodeSelector: set("kubernetes.io/os", "windows"), RuntimeClass: class22},
			[]string{
				"linux: schedules no, runs yes",
				"selector: selects kubernetes.io/os=windows, but its nodes have linux | select kubernetes.io/os=linux",
				"selector: needs build 10.0.20348 (Windows Server 2022), but its nodes run Linux | use a " +
					"RuntimeClass that does not select node.kubernetes.io/windows-build",
				"win22: schedules yes, runs yes",
				"win25: schedules no, runs yes",
				"build: needs build 10.0.20348 (Windows Server 2022), but its nodes have 10.0.26100 (Windows Server " +
					"2025) | use a RuntimeClass that selects node.kubernetes.io/windows-build=10.0.26100",
			},
		},
		{
			"a conflict is refused on every pool, and is the first reason",
			placement.Pod{NodeSelector: set("kubernetes.io/os", "linux"), RuntimeClass: class22},
			[]string{
				"linux: schedules no, runs yes", conflict,
				"selector: needs build 10.0.20348 (Windows Server 2022), but its nodes run Linux | use a " +
					"RuntimeClass that does not select node.kubernetes.io/windows-build",
				"win22: schedules no, runs yes", conflict,
				"selector: selects kubernetes.io/os=linux, but its nodes have windows | select " +
					"kubernetes.io/os=windows",
				"win25: schedules no, runs yes", conflict,
				"selector: selects kubernetes.io/os=linux, but its nodes have windows | select " +
					"kubernetes.io/os=windows",
				"build: needs build 10.0.20348 (Windows Server 2022), but its nodes have 10.0.26100 (Windows Server " +
					"2025) | use a RuntimeClass that selects node.kubernetes.io/windows-build=10.0.26100",
			},
		},
		{
			"a conflict is refused even if the pod names its node",
			placement.Pod{NodeName: "win22-0", NodeSelector: set("kubernetes.io/os", "linux"), RuntimeClass: class22},
			[]string{
				"linux: schedules no, runs yes", conflict,
				"win22: schedules no, runs yes", conflict,
				"win25: schedules no, runs yes", conflict,
			},
		},
		{
			"an unknown class may select and tolerate anything",
			placement.Pod{NodeSelector: set("kubernetes.io/os", "windows"), Unknown: placement.PartRuntimeClass},
			[]string{
				"linux: schedules no, runs yes",
				"selector: selects kubernetes.io/os=windows, but its nodes have linux | select kubernetes.io/os=linux",
				"win22: schedules unknown, runs yes",
				"win25: schedules unknown, runs yes",
			},
		},
		{
			"a missing label",
			placement.Pod{
				RuntimeClass: &placement.RuntimeClass{Name: "class", NodeSelector: set("os", "windows")},
				Tolerations:  tolerateWindows(),
			},
			[]string{
				"linux: schedules no, runs yes",
				"selector: RuntimeClass class selects os=windows, but its nodes have no label os, only " +
					"kubernetes.io/os=linux | use a RuntimeClass that selects kubernetes.io/os=linux",
				"win22: schedules no, runs yes",
				"selector: RuntimeClass class selects os=windows, but its nodes have no label os, only " +
					"kubernetes.io/os=windows | use a RuntimeClass that selects kubernetes.io/os=windows",
				"win25: schedules no, runs yes",
				"selector: RuntimeClass class selects os=windows, but its nodes have no label os, only " +
					"kubernetes.io/os=windows | use a RuntimeClass that selects kubernetes.io/os=windows",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantPlacement(t, place(tt.pod, mixed()...), tt.want...)
		})
	}
}

func TestConflictsAreSorted(t *testing.T) {
	t.Parallel()
	pod := placement.Pod{
		NodeSelector: set("c", "1", "a", "1", "b", "1"),
		RuntimeClass: &placement.RuntimeClass{Name: "class", NodeSelector: set("c", "2", "b", "2", "a", "2")},
	}
	wantPlacement(
		t, place(pod, linux(labels("a", "1", "b", "1", "c", "1"))),
		"linux: schedules no, runs yes",
		"RuntimeClass: selects a=1, but RuntimeClass class selects 2: the API server refuses such a pod | remove a "+
			"from the node selector, or use another RuntimeClass",
		"RuntimeClass: selects b=1, but RuntimeClass class selects 2: the API server refuses such a pod | remove b "+
			"from the node selector, or use another RuntimeClass",
		"RuntimeClass: selects c=1, but RuntimeClass class selects 2: the API server refuses such a pod | remove c "+
			"from the node selector, or use another RuntimeClass",
	)
}

func TestNodeName(t *testing.T) {
	t.Parallel()
	pod := placement.Pod{
		NodeName: "win22-0", OS: windowsOS, NodeSelector: set("disktype", "ssd"), Requests: requests("64", ""),
		Images: []placement.Image{image("mcr.microsoft.com/windows/nanoserver:ltsc2022")},
	}
	wantPlacement(
		t, place(pod, mixed()...),
		"linux: schedules unknown, runs no",
		"OS: spec.os.name is windows, but its nodes run Linux | set spec.os.name to linux",
		"OS: image mcr.microsoft.com/windows/nanoserver:ltsc2022 is a Windows image, but its nodes run Linux | use an "+
			"image for Linux",
		"win22: schedules unknown, runs yes",
		"win25: schedules unknown, runs no",
		"build: image mcr.microsoft.com/windows/nanoserver:ltsc2022 needs Windows Server 2022, but its nodes run "+
			"Windows Server 2025 | use an image for Windows Server 2025",
	)
}
