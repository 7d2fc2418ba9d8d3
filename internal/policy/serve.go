package policy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"

	"github.com/mixedkube/mixedkube/internal/system/loopback"
)

// largest is the size of the largest message that Pulumi sends: the message of a whole stack can be large.
const largest = 400 << 20

// Serve serves the pack of a directory to the engine, and prints the port as the engine expects it. It ends without an
// error with the context, or when the engine closes stdin, which it holds open as long as it runs. It serves only the
// engine: see connection.
func Serve(ctx context.Context, version, dir string, stdin io.Reader, stdout io.Writer) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the engine: %w", err)
	}
	s := grpc.NewServer(grpc.MaxRecvMsgSize(largest), grpc.Creds(loopback.Credentials()),
		grpc.UnaryInterceptor(new(connection).admit))
	pulumirpc.RegisterAnalyzerServer(s, newServer(version, dir))
	go func() {
		_, _ = io.Copy(io.Discard, stdin)
		s.Stop()
	}()
	defer context.AfterFunc(ctx, s.Stop)()
	if _, err := fmt.Fprintln(stdout, listener.Addr().(*net.TCPAddr).Port); err != nil {
		return fmt.Errorf("write the port for the engine: %w", err)
	}
	if err := s.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("serve the engine: %w", err)
	}
	return nil
}
