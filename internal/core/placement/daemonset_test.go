package placement_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func TestDaemonSet(t *testing.T) {
	t.Parallel()
	class22 := windowsClass(platform.WindowsServer2022)
	const (
		noLinux = "selector: RuntimeClass windows-2022 selects kubernetes.io/os=windows, but its nodes have linux | " +
			"use a RuntimeClass that selects kubernetes.io/os=linux"
		noBuild = "selector: needs build 10.0.20348 (Windows Server 2022), but its nodes run Linux | use a " +
			"RuntimeClass that does not select node.kubernetes.io/windows-build"
		not25 = "build: needs build 10.0.20348 (Windows Server 2022), but its nodes have 10.0.26100 (Windows Server " +
			"2025) | use a RuntimeClass that selects node.kubernetes.io/windows-build=10.0.26100"
		tolerate = "tolerate os=windows:NoSchedule"
		ignored  = "its taint os=windows:NoSchedule is tolerated by RuntimeClass windows-2022 only, which the " +
			"DaemonSet controller ignores | " + tolerate + " in the DaemonSet's own pod template"
		untainted = "taint: its taint os=windows:NoSchedule is not tolerated | " + tolerate
	)
	tests := []struct {
		name string
		pod  placement.Pod
		want []string
	}{
		{
			"the controller ignores the class: pending pods on Linux, none on Windows",
			placement.Pod{RuntimeClass: class22},
			[]string{
				"linux: schedules no, runs yes, pending pods", noLinux, noBuild,
				"win22: schedules no, runs yes", "RuntimeClass: " + ignored,
				"win25: schedules no, runs yes", not25, "taint: " + ignored,
			},
		},
		{
			"with its own tolerations, pending pods where only the class excludes a pool",
			placement.Pod{RuntimeClass: class22, Tolerations: tolerateWindows()},
			[]string{
				"linux: schedules no, runs yes, pending pods", noLinux, noBuild,
				"win22: schedules yes, runs yes",
				"win25: schedules no, runs yes, pending pods", not25,
			},
		},
		{
			"with its own selector and tolerations, no pending pods",
			placement.Pod{NodeSelector: class22.NodeSelector, RuntimeClass: class22, Tolerations: tolerateWindows()},
			[]string{
				"linux: schedules no, runs yes",
				"selector: selects kubernetes.io/os=windows, but its nodes have linux | select kubernetes.io/os=linux",
				"selector: needs build 10.0.20348 (Windows Server 2022), but its nodes run Linux | remove " +
					"node.kubernetes.io/windows-build from the node selector",
				"win22: schedules yes, runs yes",
				"win25: schedules no, runs yes",
				"build: needs build 10.0.20348 (Windows Server 2022), but its nodes have 10.0.26100 (Windows Server " +
					"2025) | select node.kubernetes.io/windows-build=10.0.26100",
			},
		},
		{
			"an unknown class does not affect the controller",
			placement.Pod{Unknown: placement.PartRuntimeClass},
			[]string{
				"linux: schedules unknown, runs yes",
				"win22: schedules no, runs yes", untainted,
				"win25: schedules no, runs yes", untainted,
			},
		},
		{
			"unknown tolerations may affect the controller",
			placement.Pod{RuntimeClass: class22, Unknown: placement.PartTolerations},
			[]string{
				"linux: schedules no, runs yes, pending pods", noLinux, noBuild,
				"win22: schedules unknown, runs yes",
				"win25: schedules no, runs yes", not25,
			},
		},
		{
			"the controller does not check requests",
			placement.Pod{Requests: requests("16", "")},
			[]string{
				"linux: schedules no, runs yes, pending pods",
				"resources: requests 16 CPUs, a node of Standard_D4s_v5 has 4 | request at most 4 CPUs, or use " +
					"larger nodes",
				"win22: schedules no, runs yes", untainted,
				"resources: requests 16 CPUs, a node of Standard_D4s_v5 has 4 | request at most 4 CPUs, or use " +
					"larger nodes",
				"win25: schedules no, runs yes", untainted,
				"resources: requests 16 CPUs, a node of Standard_D4s_v5 has 4 | request at most 4 CPUs, or use " +
					"larger nodes",
			},
		},
		{
			"no pod is pending if none can be created",
			placement.Pod{
				RuntimeClass: class22, NodeSelector: set("kubernetes.io/os", "linux"),
				Unknown: placement.PartTolerations,
			},
			[]string{
				"linux: schedules no, runs yes",
				"RuntimeClass: selects kubernetes.io/os=linux, but RuntimeClass windows-2022 selects windows: the " +
					"API server refuses such a pod | remove kubernetes.io/os from the node selector, or use another " +
					"RuntimeClass",
				noBuild,
				"win22: schedules no, runs yes",
				"RuntimeClass: selects kubernetes.io/os=linux, but RuntimeClass windows-2022 selects windows: the " +
					"API server refuses such a pod | remove kubernetes.io/os from the node selector, or use another " +
					"RuntimeClass",
				"selector: selects kubernetes.io/os=linux, but its nodes have windows | select " +
					"kubernetes.io/os=windows",
				"win25: schedules no, runs yes",
				"RuntimeClass: selects kubernetes.io/os=linux, but RuntimeClass windows-2022 selects windows: the " +
					"API server refuses such a pod | remove kubernetes.io/os from the node selector, or use another " +
					"RuntimeClass",
				"selector: selects kubernetes.io/os=linux, but its nodes have windows | select " +
					"kubernetes.io/os=windows",
				not25,
			},
		},
		{
			"no pending pods are reported if the controller's answer is not known",
			placement.Pod{RuntimeClass: class22, Unknown: placement.PartSelector | placement.PartTolerations},
			[]string{
				"linux: schedules no, runs yes", noLinux, noBuild,
				"win22: schedules unknown, runs yes",
				"win25: schedules no, runs yes", not25,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.pod.DaemonSet = true
			wantPlacement(t, place(tt.pod, mixed()...), tt.want...)
		})
	}
}

func TestTheDaemonSetControllerAddsTolerations(t *testing.T) {
	t.Parallel()
	taint := func(key string, effect corev1.TaintEffect) func(*topology.Pool) {
		return func(p *topology.Pool) { p.Taints = []corev1.Taint{{Key: key, Effect: effect}} }
	}
	for _, tt := range []struct {
		key            string
		effect         corev1.TaintEffect
		any, onNetwork platform.Answer
	}{
		{corev1.TaintNodeNotReady, "NoExecute", yes, yes},
		{corev1.TaintNodeNotReady, "NoSchedule", no, no},
		{corev1.TaintNodeUnreachable, "NoExecute", yes, yes},
		{corev1.TaintNodeDiskPressure, "NoSchedule", yes, yes},
		{corev1.TaintNodeDiskPressure, "NoExecute", no, no},
		{corev1.TaintNodeMemoryPressure, "NoSchedule", yes, yes},
		{corev1.TaintNodePIDPressure, "NoSchedule", yes, yes},
		{corev1.TaintNodeUnschedulable, "NoSchedule", yes, yes},
		{corev1.TaintNodeNetworkUnavailable, "NoSchedule", no, yes},
		{corev1.TaintNodeNetworkUnavailable, "NoExecute", no, no},
		{corev1.TaintNodeOutOfService, "NoExecute", no, no},
	} {
		t.Run(tt.key+":"+string(tt.effect), func(t *testing.T) {
			t.Parallel()
			answer := func(pod placement.Pod) platform.Answer {
				return place(pod, linux(taint(tt.key, tt.effect))).Verdicts[0].Schedules
			}
			if got := answer(placement.Pod{}); got != no {
				t.Errorf("any other pod: got %s, want no", got)
			}
			if got := answer(placement.Pod{DaemonSet: true}); got != tt.any {
				t.Errorf("got %s, want %s", got, tt.any)
			}
			if got := answer(placement.Pod{DaemonSet: true, HostNetwork: true}); got != tt.onNetwork {
				t.Errorf("on the host's network: got %s, want %s", got, tt.onNetwork)
			}
		})
	}
}
