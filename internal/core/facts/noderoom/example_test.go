package noderoom_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

// Pods do not get all of a machine: here what AKS leaves them on a Windows node with 4 CPUs and 16 GiB.
func Example() {
	nominal := corev1.ResourceList{"cpu": resource.MustParse("4"), "memory": resource.MustParse("16Gi")}
	reserved := noderoom.AKS(nominal, true, "1.36", 30)
	room := noderoom.Allocatable(noderoom.Reported(nominal, true), reserved)
	fmt.Println("reserved:", reserved.Cpu(), reserved.Memory())
	fmt.Println("for pods:", room.Cpu(), room.Memory())
	// Output:
	// reserved: 140m 2698Mi
	// for pods: 3860m 14014004Ki
}
