package machine_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// A machine reads the formats that package bootstrap writes, and refuses others.
func ExampleCheckCustomData() {
	fmt.Println(machine.CheckCustomData(false, []byte(bootstrap.CloudConfig([]bootstrap.File{
		{Path: "/etc/motd", Content: "welcome\n"},
	}))))
	fmt.Println(machine.CheckCustomData(false, []byte("#!/bin/sh\nreboot\n")))
	// Output:
}
