// Command windows-exporter serves the metrics of each Windows node on its port 9182, for Prometheus.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	exporter, err := hostprocess.NewWindowsExporter(ctx, "windows-exporter", &hostprocess.WindowsExporterArgs{
		// The defaults and the connections of each node. ServiceMonitor: true lets the Prometheus operator find all.
		Collectors: append(hostprocess.DefaultCollectors(), "tcp"),
	})
	if err != nil {
		return err
	}
	ctx.Export("service", exporter.Service.Metadata.Name())
	return nil
}
