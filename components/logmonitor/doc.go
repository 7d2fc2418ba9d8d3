// Package logmonitor brings the logs of Windows containers to `kubectl logs`.
//
// Programs of Windows write to the event log, to event tracing (ETW) and to files, none
// of which Kubernetes collects. Microsoft's LogMonitor
// (https://github.com/microsoft/windows-container-tools/tree/main/LogMonitor) runs in the
// container in front of the program, reads all of these and writes them to standard
// output. It must be in the image as C:\LogMonitor\LogMonitor.exe, of release 2.1.3 or
// 2.1.4. Do not use 2.1.0, which misreads numbers of its configuration, nor 2.2.0 and
// 2.2.1, which refuse the absolute path of a configuration: the container ends at once
// with exit code 0 (https://github.com/microsoft/windows-container-tools/issues/229).
// A release after 2.2.1 works again if it takes absolute paths.
//
// [NewConfig] creates a ConfigMap of what LogMonitor reads: [IIS] or [ASPNET], [EventLog],
// [File] and [ETW] in any combination. LogMonitor skips a source that is wrong and the
// logs are missing when they are needed: here each mistake is an error of the preview,
// with path, value and fix. [Config.PodTemplate] puts configuration and program into the
// pods of a workload, before they are handed to package workload or to pulumi-kubernetes:
//
//	logs, err := logmonitor.NewConfig(ctx, "shop", &logmonitor.ConfigArgs{Sources: logmonitor.IIS()})
//	...
//	template, err = logs.PodTemplate(template)
//
// [LogConfig] is the configuration without Pulumi, for a file that is built into an image
// for example.
//
// The sources are in source.go, their checks in check.go, the file in encode.go: these do not
// depend on Pulumi. The changes to pods are in pod.go and volume.go.
package logmonitor
