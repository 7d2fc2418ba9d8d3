// Command node-logs gathers the logs of a Windows node into one archive: for yourself, or for a bug report.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	logs, err := hostprocess.NewNodeLogs(ctx, "node-logs", &hostprocess.NodeLogsArgs{
		Node: "win22-0", // as `kubectl get nodes` shows it
		Run:  "1",       // another number gathers them again
	})
	if err != nil {
		return err
	}
	ctx.Export("fetch", pulumi.String(logs.FetchCommand))
	return nil
}
