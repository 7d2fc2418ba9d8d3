package input_test

import (
	"fmt"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

// Tree converts the arguments of a constructor to a plain tree, in which an output is unknown.
func ExampleTree() {
	spec := corev1.PodSpecArgs{
		HostPID:  pulumi.Bool(true),
		NodeName: pulumi.String("a").ToStringOutput(),
	}
	fmt.Println(input.Tree(spec))
	// Output:
	// map[hostPID:true nodeName:[unknown]]
}

// An edit adds to a copy of the arguments.
func ExampleEdit() {
	spec := corev1.PodSpecArgs{HostPID: pulumi.Bool(true)}
	edited, err := input.Edit(spec, []mutate.Edit{{Path: []string{"os", "name"}, Value: "windows"}})
	fmt.Println(input.Tree(spec), input.Tree(edited), err)
	// Output:
	// map[hostPID:true] map[hostPID:true os:map[name:windows]] <nil>
}
