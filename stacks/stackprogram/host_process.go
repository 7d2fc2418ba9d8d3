package stackprogram

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
)

// deployHostProcess runs a command on each Windows node, as the node sees itself.
func deployHostProcess(ctx *pulumi.Context, name string, cluster target) error {
	_, err := hostprocess.NewDaemonSet(ctx, name, &hostprocess.DaemonSetArgs{
		Topology: cluster.Topology,
		Pods: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:    pulumi.String("node"),
			Image:   pulumi.String(hostprocess.DefaultImage),
			Command: containerCommand("Get-ComputerInfo -Property OsVersion; " + idle),
		}}},
	}, cluster.Options...)
	return err
}

// deployWindowsExporter deploys Prometheus' exporter onto the Windows nodes.
func deployWindowsExporter(ctx *pulumi.Context, name string, cluster target) error {
	_, err := hostprocess.NewWindowsExporter(ctx, name, &hostprocess.WindowsExporterArgs{Topology: cluster.Topology},
		cluster.Options...)
	return err
}
