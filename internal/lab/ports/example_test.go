package ports_test

import (
	"fmt"
	"log"

	"github.com/mixedkube/mixedkube/internal/lab/ports"
)

func Example() {
	reserved, err := ports.Reserve(2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(reserved.Ports), "ports, for etcd and its peers")
	// The programs start here. They listen on TCP, which the reservation leaves free.
	fmt.Println(ports.CheckFree(reserved.Ports[0]))
	reserved.Release()
	// Output:
	// 2 ports, for etcd and its peers
	// <nil>
}
