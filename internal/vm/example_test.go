package vm_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/vm"
)

// Names of sizes tell what a machine has, and Azure's rules tell which accounts it can have.
func Example() {
	cpus, memory, known := vm.Capacity("Standard_D4s_v5")
	fmt.Println(cpus, "CPUs,", memory, "GiB", known)
	fmt.Println("Arm64:", vm.IsArm64("Standard_D4ps_v5"))
	fmt.Println(vm.CheckUsername("admin"))
	fmt.Println(vm.CheckPassword("short"))
	// Output:
}
