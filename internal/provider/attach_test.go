package provider

import (
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// Only a plugin that no engine has started lets one attach, and then the next one.
func TestAttach(t *testing.T) {
	t.Parallel()
	own, err := grpc.NewClient("127.0.0.1:1", grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() })
	attach := func(s *server, address string) string {
		_, err := serve(t, s).Attach(t.Context(), &pulumirpc.PluginAttach{Address: address})
		return status.Convert(err).Message()
	}
	const want = "this plugin belongs to the engine that has started it: to attach to one, start it without the " +
		"address of an engine"
	started := newServer("1.2.3", own)
	if got := attach(started, "127.0.0.1:2"); got != want || started.engine != own {
		t.Errorf("the error is %q, and the engine is %s", got, started.engine.Target())
	}
	debugged := newServer("1.2.3", nil)
	for _, address := range []string{"127.0.0.1:3", "127.0.0.1:4"} {
		if got := attach(debugged, address); got != "" || debugged.engine.Target() != address {
			t.Errorf("the error is %q, and the engine is %s", got, debugged.engine.Target())
		}
	}
}
