// Command seeds deploys manifests, completed for the lab's cluster, under the guard: the
// file of the configuration files, with the answer of the configuration platform for pods
// that do not tell their Windows release.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	given := config.New(ctx, "")
	args := &manifest.GroupArgs{Options: manifest.Options{
		Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Count: 2, Size: "Standard_D4s_v5"},
			{Name: "win19", Platform: platform.WindowsServer2019, Count: 2, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
			{Name: "win25", Platform: platform.WindowsServer2025, Count: 2, Size: "Standard_D4s_v5"},
		}},
		Platforms: map[string]platform.Platform{},
	}}
	given.RequireObject("files", &args.Files)
	var answers map[string]string
	given.GetObject("platforms", &answers)
	for object, answer := range answers {
		p, err := platform.Parse(answer)
		if err != nil {
			return err
		}
		args.Platforms[object] = p
	}
	if err := guard.Enforce(ctx, guard.Args{Topology: args.Topology}); err != nil {
		return err
	}
	_, err := manifest.NewGroup(ctx, "seeds", args)
	return err
}
