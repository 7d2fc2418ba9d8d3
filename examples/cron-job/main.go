// Command cron-job runs a script in PowerShell on Windows nodes: once now, and then each night.
package main

import (
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	report := corev1.ContainerArgs{
		Name:  pulumi.String("report"),
		Image: pulumi.String("mcr.microsoft.com/windows/servercore:ltsc2022"),
		// The first cmdlet that fails ends PowerShell with the exit code 1. Kubernetes turns $$ into $.
		Command: pulumi.ToStringArray([]string{
			"powershell.exe", "-NoProfile", "-Command",
			"$$ErrorActionPreference = 'Stop'; Get-Date; Get-PSDrive C",
		}),
	}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{report}, RestartPolicy: pulumi.String("OnFailure")}
	job := batchv1.JobSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: pods}, BackoffLimit: pulumi.Int(3)}
	_, err := workload.NewJob(ctx, "first",
		&workload.JobArgs{Platform: platform.WindowsServer2022, Scheduling: workload.BySelector, Spec: job})
	if err != nil {
		return err
	}
	_, err = workload.NewCronJob(ctx, "nightly", &workload.CronJobArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		Spec: batchv1.CronJobSpecArgs{
			Schedule: pulumi.String("30 2 * * *"), TimeZone: pulumi.String("Etc/UTC"),
			ConcurrencyPolicy: pulumi.String("Forbid"),
			JobTemplate:       batchv1.JobTemplateSpecArgs{Spec: job},
		},
	})
	return err
}
