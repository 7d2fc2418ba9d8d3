package machine_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// A machine reads the formats that package bootstrap writes, and refuses others.
func ExampleCheckCustomData() {
	fmt.Println(machine.CheckCustomData(false, []byte(bootstrap.CloudConfig([]bootstrap.File{
		{Path: "/etc/motd", Content: "welcome\n"},
	}))))
	fmt.Println(machine.CheckCustomData(false, []byte("#!/bin/sh\nreboot\n")))
	// Output:
	// <nil>
	// line 1 is not "#cloud-config": bootstrap.CloudConfig writes only write_files with path, owner root:root, permissions 0600, 0644, 0700 or 0755 and content, as a block or with encoding b64, the package nftables for a file that needs it, and the commands that start mixedkube-bootstrap
}
