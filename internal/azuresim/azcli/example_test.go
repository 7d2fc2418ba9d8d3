package azcli_test

import (
	"context"
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/azuresim/azcli"
)

// The command line asks a simulated Azure as az asks the real one.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "azure")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	world := azcli.World{Stdout: os.Stdout, Stderr: os.Stdout, Open: func() (*armclient.Client, error) {
		cloud, err := arm.Open(dir, arm.Options{})
		return armclient.New(cloud, 0), err
	}}
	code := azcli.Run(context.Background(), []string{"aks", "nodepool", "list", "--cluster-name", "shop"}, world)
	fmt.Println("exit code", code)
	// Output:
	// ERROR: the following arguments are required: --resource-group/-g
	// exit code 2
}
