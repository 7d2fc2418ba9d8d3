package vm_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// Names of sizes tell what a machine has, and Azure's rules tell which accounts it can have.
func Example() {
	cpus, memory, known := vm.Capacity("Standard_D4s_v5")
	fmt.Println(cpus, "CPUs,", memory, "GiB", known)
	fmt.Println("Arm64:", vm.IsArm64("Standard_D4ps_v5"))
	fmt.Println(vm.CheckUsername("admin"))
	fmt.Println(vm.CheckPassword("short"))
	// Output:
	// 4 CPUs, 16 GiB true
	// Arm64: true
	// Azure refuses this name: use one that is less common, for example azureuser
	// must have 8 to 123 characters: use another
}
