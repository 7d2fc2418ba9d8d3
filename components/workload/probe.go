package workload

import (
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

// The timeouts of probes, in seconds. Kubernetes' own default is 1
// (https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes).
const (
	httpTimeoutSeconds       = 10
	powerShellTimeoutSeconds = 30
	powerShellPeriodSeconds  = 30
)

// HTTPProbe requests a path of the pod, "" for "/", on a port. The kubelet sends the request from the node, so the
// image needs no program for it, and the container starts none: prefer it on Windows.
//
// An answer may take 10 seconds: the first request to an application of IIS or ASP.NET starts its worker process and
// compiles it. Other fields keep Kubernetes' defaults; you can change all of them in the result.
func HTTPProbe(path string, port int) corev1.ProbeArgs {
	return corev1.ProbeArgs{
		HttpGet:        corev1.HTTPGetActionArgs{Path: input.NonEmpty(path), Port: pulumi.Int(port)},
		TimeoutSeconds: pulumi.Int(httpTimeoutSeconds),
	}
}

// TCPProbe connects to a port of the pod. The kubelet does so from the node, as in [HTTPProbe]. All fields keep
// Kubernetes' defaults.
func TCPProbe(port int) corev1.ProbeArgs {
	return corev1.ProbeArgs{TcpSocket: corev1.TCPSocketActionArgs{Port: pulumi.Int(port)}}
}

// PowerShellProbe runs a script of Windows PowerShell in the container, for a state that no port shows. The image must
// have powershell.exe: images with Server Core do, images with Nano Server do not.
//
// The probe fails if a cmdlet fails or the script throws, if the script exits with a code other than 0, and if the last
// program that the script started ended with a code other than 0. A last expression with the value $false is not a
// failure: write
//
//	if (-not $healthy) { exit 1 }
//
// Other statements precede the script, so it cannot begin with using or param.
//
// The script reaches PowerShell unchanged: Kubernetes expands $(NAME) in the commands of probes and turns $$ into $
// (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#Container), so every $ is doubled
// here. Kubernetes does not expand the hooks of a container's lifecycle: do not use the command for them.
//
// It may take 30 seconds, and runs every 30: PowerShell takes seconds to start, more on a busy node, and processor time
// each time. At the default of 1 second every probe would fail, and a liveness probe would kill the container. Drivers
// and agents for Windows allowed 15 seconds, which was too short
// (https://github.com/kubernetes-sigs/secrets-store-csi-driver/pull/729,
// https://github.com/Azure/prometheus-collector/pull/727). You can change all fields in the result.
func PowerShellProbe(script string) corev1.ProbeArgs {
	return corev1.ProbeArgs{
		Exec: corev1.ExecActionArgs{Command: pulumi.ToStringArray([]string{
			"powershell.exe", "-NoProfile", "-NonInteractive", "-Command",
			strings.ReplaceAll(withExitCode(script), "$", "$$"),
		})},
		TimeoutSeconds: pulumi.Int(powerShellTimeoutSeconds),
		PeriodSeconds:  pulumi.Int(powerShellPeriodSeconds),
	}
}

// withExitCode makes a script end with 1 at the first error of a cmdlet, and otherwise with the code of the last
// program. PowerShell itself continues after most errors. The added text has separate lines, because a script may end
// with a comment.
func withExitCode(script string) string {
	return "$ErrorActionPreference = 'Stop'\n" + script + "\nexit $LASTEXITCODE"
}
