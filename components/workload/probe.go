package workload

import (
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/input"
)

// How long probes may take, in seconds. Kubernetes' own default is 1
// (https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes).
const (
	httpTimeoutSeconds       = 10
	powerShellTimeoutSeconds = 30
	powerShellPeriodSeconds  = 30
)

// HTTPProbe asks for a path of the pod's, "" for "/", on a port. The kubelet asks from
// the node, so that nothing has to be in the image, and nothing to be started in the
// container: prefer it on Windows.
//
// An answer may take 10 seconds: the first request to an application of IIS or ASP.NET
// starts its worker process and compiles it. Other fields keep Kubernetes' defaults; all
// of them may be changed in the result.
func HTTPProbe(path string, port int) corev1.ProbeArgs {
	return corev1.ProbeArgs{
		HttpGet:        corev1.HTTPGetActionArgs{Path: input.NonEmpty(path), Port: pulumi.Int(port)},
		TimeoutSeconds: pulumi.Int(httpTimeoutSeconds),
	}
}

// TCPProbe connects to a port of the pod's. The kubelet does so from the node, as in
// [HTTPProbe]. All fields keep Kubernetes' defaults.
func TCPProbe(port int) corev1.ProbeArgs {
	return corev1.ProbeArgs{TcpSocket: corev1.TCPSocketActionArgs{Port: pulumi.Int(port)}}
}

// PowerShellProbe runs a script of Windows PowerShell in the container, for what no
// port tells. The image must have powershell.exe: those with Server Core do, those with
// Nano Server do not.
//
// The probe fails where a cmdlet fails or the script throws, at exit with another code
// than 0, and where the last program that the script has started has ended with another
// code than 0. That a last expression is $false is no failure: write
//
//	if (-not $healthy) { exit 1 }
//
// Other statements precede the script, so it cannot begin with using or param.
//
// The script reaches PowerShell as it is written: Kubernetes expands $(NAME) in the
// commands of probes and makes $ of $$
// (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#Container),
// so every $ is doubled here. Hooks of a container's lifecycle are not expanded: the
// command is not for them.
//
// It may take 30 seconds, and runs every 30: PowerShell takes seconds to start, more on
// a busy node, and processor time each time. At the default of 1 second every probe would
// fail, and a liveness probe would kill the container. Drivers and agents for Windows
// give commands 15 seconds, and found those too few
// (https://github.com/kubernetes-sigs/secrets-store-csi-driver/pull/729,
// https://github.com/Azure/prometheus-collector/pull/727). All fields may be changed in
// the result.
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

// withExitCode makes a script end at the first error of a cmdlet, with 1, and at its end
// with the code of the last program. PowerShell itself continues after most errors. The
// lines are of their own: a script may end with a comment.
func withExitCode(script string) string {
	return "$ErrorActionPreference = 'Stop'\n" + script + "\nexit $LASTEXITCODE"
}
