package childoptions_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
)

// A component splits its options: what is about one resource goes to the child that stands for the component.
func Example() {
	component := childoptions.Component{
		Token: "shop:index:Web", Name: "web",
		Main: childoptions.Child{Type: "kubernetes:apps/v1:Deployment", Name: "deployment"},
	}
	split, errs := component.Split([]pulumi.ResourceOption{
		pulumi.IgnoreChanges([]string{"spec.replicas"}), pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1h"}),
	})
	fmt.Println(errs)

	program := func(ctx *pulumi.Context) error {
		var web struct{ pulumi.ResourceState }
		if err := ctx.RegisterComponentResource(component.Token, component.Name, &web, split.Component...); err != nil {
			return err
		}
		var deployment struct{ pulumi.CustomResourceState }
		return ctx.RegisterResource(component.Main.Type, component.Main.Name, nil, &deployment,
			split.Main(pulumi.Parent(&web))...)
	}
	graph, err := mocktest.Run(program)
	changes := map[string][]string{}
	for _, r := range graph.Resources() {
		changes[r.Name] = r.IgnoreChanges
	}
	fmt.Println(changes["web"], changes["deployment"])
	fmt.Println(err)
	// Output:
	// []
	// [] [spec.replicas]
	// <nil>
}
