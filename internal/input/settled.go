package input

import (
	"context"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
)

// settling is how long to wait for a value. One of the configuration is there at once,
// but a goroutine later.
const settling = time.Second

// Settled is a text that is there already, or soon: a secret of the configuration, for
// one. What another resource makes is not known: nobody can say how long it takes.
func Settled(ctx context.Context, in pulumi.StringInput) (text string, known bool) {
	if s, ok := Plain[string](in); ok {
		return s, true
	}
	if in == nil {
		return "", false
	}
	got := make(chan string, 1)
	go func() {
		result, err := internals.UnsafeAwaitOutput(ctx, in.ToStringOutput())
		if s, ok := result.Value.(string); ok && err == nil && result.Known {
			got <- s
		}
	}()
	select {
	case text := <-got:
		return text, true
	case <-time.After(settling):
		return "", false
	}
}
