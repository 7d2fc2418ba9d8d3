package azurenative

import (
	"context"
	"sync"

	p "github.com/pulumi/pulumi-go-provider"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// Version is the release of azure-native that is simulated. The SDK of clusters belongs to it. The SDKs of other
// resources may be older: the newest SDK determines the provider.
const Version = "3.23.0"

// New returns the provider. It opens its Azure when it first needs it.
func New(open func() (*armclient.Client, error)) p.Provider {
	life, end := context.WithCancel(context.Background())
	s := &server{open: sync.OnceValues(open), life: life, locations: map[string]string{}}
	return p.Provider{
		GetSchema: func(context.Context, p.GetSchemaRequest) (p.GetSchemaResponse, error) {
			return p.GetSchemaResponse{Schema: schema()}, nil
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
	life context.Context //nolint:containedctx // the context of the process

	mutex sync.Mutex
	// location is the location of the configuration.
	location string
	// locations are the known locations of resource groups.
	locations map[string]string
}

func (s *server) configure(_ context.Context, r p.ConfigureRequest) error {
	s.location = r.Variables["azure-native:config:location"]
	if v, ok := r.Args.GetOk("location"); ok && v.IsString() {
		s.location = v.AsString()
	}
	return nil
}

// request returns a context that ends with the request or with the provider.
func (s *server) request(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.life, func() { cancel(context.Cause(s.life)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}
