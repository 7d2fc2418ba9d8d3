package azurenative

import (
	"context"
	"sync"

	p "github.com/pulumi/pulumi-go-provider"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// Version is the release of azure-native that is simulated, of which the SDK of clusters
// is. SDKs of other resources may be older: the provider is that of the newest.
const Version = "3.23.0"

// New is the provider. It asks for its Azure once something needs it.
func New(open func() (*armclient.Client, error)) p.Provider {
	life, end := context.WithCancel(context.Background())
	s := &server{open: sync.OnceValues(open), life: life, locations: map[string]string{}}
	return p.Provider{
		GetSchema: func(context.Context, p.GetSchemaRequest) (p.GetSchemaResponse, error) {
			return p.GetSchemaResponse{Schema: `{"name":"azure-native","version":"` + Version + `"}`}, nil
		},
		Cancel: func(context.Context) error {
			end()
			return nil
		},
		CheckConfig: func(_ context.Context, r p.CheckRequest) (p.CheckResponse, error) {
			return p.CheckResponse{Inputs: r.Inputs}, nil
		},
		DiffConfig: func(context.Context, p.DiffRequest) (p.DiffResponse, error) { return p.DiffResponse{}, nil },
		Configure:  s.configure,
		Invoke:     s.invoke,
		Check:      s.check,
		Diff:       diff,
		Create:     s.create,
		Read:       s.read,
		Update:     s.update,
		Delete:     s.delete,
	}
}

type server struct {
	open func() (*armclient.Client, error)
	// life ends when the engine cancels.
	life context.Context //nolint:containedctx // it is that of the process

	mutex sync.Mutex
	// location is that of the configuration.
	location string
	// locations are those of resource groups that were asked for.
	locations map[string]string
}

func (s *server) configure(_ context.Context, r p.ConfigureRequest) error {
	s.location = r.Variables["azure-native:config:location"]
	if v, ok := r.Args.GetOk("location"); ok && v.IsString() {
		s.location = v.AsString()
	}
	return nil
}

// request is the context of a request: it ends with it, or with the provider.
func (s *server) request(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.life, func() { cancel(context.Cause(s.life)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}
