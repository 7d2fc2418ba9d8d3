package policy

import (
	"context"
	"sync"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/mixedkube/mixedkube/internal/system/loopback"
)

// closesWithin is how long a call on another connection waits for the engine's to close: a client that connects again
// can be faster than the news that its last connection has ended.
const closesWithin = time.Second

// connection is the connection of the engine: the one with the first handshake. Other programs of this user can connect
// too; they get only the version.
//
// The engine connects again when its connection breaks, and gRPC closes it after half an hour without a call. It does
// not repeat the handshake. So a call on another connection is accepted when the engine's has ended. This changes
// nothing: the handshake and the configuration stay as they are.
type connection struct {
	mu     sync.Mutex
	engine *loopback.Conn
}

// admit returns an interceptor that refuses calls from other connections.
func (c *connection) admit(
	ctx context.Context, req any, call *grpc.UnaryServerInfo, handle grpc.UnaryHandler,
) (any, error) {
	switch call.FullMethod {
	case pulumirpc.Analyzer_GetPluginInfo_FullMethodName:
	case pulumirpc.Analyzer_Handshake_FullMethodName:
		if c.waits() {
			response, err := handle(ctx, req)
			if err == nil {
				c.first(loopback.Of(ctx))
			}
			return response, err
		}
		fallthrough
	default:
		if err := c.check(ctx, loopback.Of(ctx)); err != nil {
			return nil, err
		}
	}
	return handle(ctx, req)
}

// waits reports whether there was no handshake yet.
func (c *connection) waits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.engine == nil
}

// first makes a connection that of the engine if there is none.
func (c *connection) first(from *loopback.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.engine == nil {
		c.engine = from
	}
}

// check returns an error if a call did not come from the engine.
func (c *connection) check(ctx context.Context, from *loopback.Conn) error {
	c.mu.Lock()
	engine := c.engine
	c.mu.Unlock()
	switch engine {
	case nil:
		return status.Error(codes.PermissionDenied,
			"the pack waits for the handshake of Pulumi's engine: no other call is accepted before it")
	case from:
		return nil
	}
	select {
	case <-engine.Closed():
	case <-time.After(closesWithin):
		return errOther
	case <-ctx.Done():
		return ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.engine != engine && c.engine != from {
		return errOther
	}
	c.engine = from
	return nil
}

var errOther = status.Error(codes.PermissionDenied,
	"the pack serves another connection, on which the handshake of Pulumi's engine came: start a pack of your own")

// again reports whether a request was already made, as have. A different one is an error.
func again[T proto.Message](have, req T, what string) (bool, error) {
	if !have.ProtoReflect().IsValid() {
		return false, nil
	}
	if !proto.Equal(have, req) {
		return false, status.Errorf(codes.FailedPrecondition,
			"the pack already has another %s, and keeps it: start another pack for this one", what)
	}
	return true, nil
}
