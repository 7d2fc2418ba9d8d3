package provider

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// TestErrorsAreShownAtTheirResource shows an error as Pulumi's SDK returns it, without the prefix of gRPC. The engine
// gets only an error that refers to it.
func TestErrorsAreShownAtTheirResource(t *testing.T) {
	t.Parallel()
	const message = `mixedkube:workload:Pod "web": spec.hostPID: Forbidden: cannot be set for a windows pod`
	req := &pulumirpc.ConstructRequest{
		Stack: "dev", Project: "shop", Type: "mixedkube:workload:Pod", Name: "web",
		Parent: "urn:pulumi:dev::shop::shop:index:Site::north",
	}
	const urn = "urn:pulumi:dev::shop::shop:index:Site$mixedkube:workload:Pod::web"
	for name, err := range map[string]error{
		"as a status": status.Error(codes.Unknown, message), "unwrapped": errors.New(message),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			noted, connection := newEngine(t)
			if got := show(t.Context(), req, connection, err); !errors.Is(got, errShown) {
				t.Errorf("the engine gets %v", got)
			}
			if diff := cmp.Diff([]string{"ERROR " + urn + ": " + message}, noted.logged); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("of a component that is canceled", func(t *testing.T) {
		t.Parallel()
		noted, connection := newEngine(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got := show(ctx, req, connection, context.Canceled); !errors.Is(got, context.Canceled) ||
			len(noted.logged) > 0 {
			t.Errorf("the engine gets %v, and shows %q", got, noted.logged)
		}
	})
}
