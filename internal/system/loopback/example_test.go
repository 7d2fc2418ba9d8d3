package loopback_test

import (
	"fmt"
	"net"

	"google.golang.org/grpc"

	"github.com/mixedkube/mixedkube/internal/system/loopback"
)

// A server with these credentials serves this user only.
func Example() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	server := grpc.NewServer(grpc.Creds(loopback.Credentials()))
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	fmt.Println(loopback.Credentials().Info().SecurityProtocol)
	// Output: insecure
}
