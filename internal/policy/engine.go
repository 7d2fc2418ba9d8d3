package policy

import (
	"context"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// engine is Pulumi's engine, which shows the messages of the pack that are not violations. It is nil if there is none.
type engine struct{ client pulumirpc.EngineClient }

// sayWithin is how long the engine may take to show a line. A line that cannot be shown is not an error.
const sayWithin = 10 * time.Second

// dial connects to the engine at an address on this machine. Without an address it returns nil.
func dial(address string) (*engine, error) {
	if address == "" {
		return nil, nil
	}
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	return &engine{pulumirpc.NewEngineClient(conn)}, nil
}

func (e *engine) info(ctx context.Context, urn, text string) {
	e.say(ctx, pulumirpc.LogSeverity_INFO, urn, text)
}

func (e *engine) warn(ctx context.Context, urn, text string) {
	e.say(ctx, pulumirpc.LogSeverity_WARNING, urn, text)
}

// say shows a text for a resource, or for the stack if the URN is empty.
func (e *engine) say(ctx context.Context, severity pulumirpc.LogSeverity, urn, text string) {
	if e == nil {
		return
	}
	ctx, done := context.WithTimeout(ctx, sayWithin)
	defer done()
	_, _ = e.client.Log(ctx, &pulumirpc.LogRequest{Severity: severity, Urn: urn, Message: escape.Lines(text)})
}
