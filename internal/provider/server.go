package provider

import (
	"context"
	_ "embed" // the schema
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// schema is the package's schema, without its version.
//
//go:embed schema.json
var schema []byte

// Serve serves the components to the engine that started this process.
func Serve(version string) error {
	return provider.Main("mixedkube", func(host *provider.HostClient) (pulumirpc.ResourceProviderServer, error) {
		if host == nil {
			return newServer(version, nil), nil // an engine attaches to it
		}
		return newServer(version, host.EngineConn()), nil
	})
}

// server answers the engine.
type server struct {
	pulumirpc.UnimplementedResourceProviderServer
	version    string
	engine     *grpc.ClientConn
	started    bool // by the engine
	components map[string]Component
	functions  map[string]Function
}

func newServer(version string, engine *grpc.ClientConn) *server {
	s := &server{
		version: version, engine: engine, started: engine != nil,
		components: map[string]Component{}, functions: map[string]Function{},
	}
	for _, c := range Components() {
		s.components[c.Token()] = c
	}
	for _, f := range Functions() {
		s.functions[f.Token] = f
	}
	return s
}

func (s *server) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: s.version}, nil
}

func (s *server) GetSchema(
	_ context.Context, req *pulumirpc.GetSchemaRequest,
) (*pulumirpc.GetSchemaResponse, error) {
	if v := req.GetVersion(); v != 0 {
		return nil, status.Errorf(codes.InvalidArgument, "schema version %d is not supported: only 0 is", v)
	}
	versioned, err := Schema(s.version)
	return &pulumirpc.GetSchemaResponse{Schema: string(versioned)}, err
}

// DevelopmentVersion is the version of a plugin that is not a release.
const DevelopmentVersion = "0.0.0-dev"

// Schema returns the package's schema, with a version.
func Schema(version string) ([]byte, error) {
	var document map[string]any
	if err := json.Unmarshal(schema, &document); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	document["version"] = version
	return json.Marshal(document)
}

// DiffConfig reports no changes: the provider has no configuration. Its components use the providers of their
// resources.
func (s *server) DiffConfig(context.Context, *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}, nil
}

func (s *server) Configure(context.Context, *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	return &pulumirpc.ConfigureResponse{
		AcceptSecrets: true, SupportsPreview: true, AcceptResources: true, AcceptOutputs: true,
	}, nil
}

func (s *server) Construct(
	ctx context.Context, req *pulumirpc.ConstructRequest,
) (*pulumirpc.ConstructResponse, error) {
	c, ok := s.components[req.GetType()]
	if !ok {
		return nil, status.Errorf(codes.NotFound, "%q: %s", req.GetType(),
			fielderrors.Unknown("component", req.GetType(), slices.Sorted(maps.Keys(s.components))))
	}
	return c.run(ctx, req, s.engine)
}

func (s *server) Invoke(_ context.Context, req *pulumirpc.InvokeRequest) (*pulumirpc.InvokeResponse, error) {
	f, ok := s.functions[req.GetTok()]
	if !ok {
		return nil, status.Errorf(codes.NotFound, "%q: %s", req.GetTok(),
			fielderrors.Unknown("function", req.GetTok(), slices.Sorted(maps.Keys(s.functions))))
	}
	return f.run(req)
}

func (s *server) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// Attach connects to an engine that attaches to a plugin in a debugger, and to the next engine after it. A plugin that an
// engine has started keeps that one: every user of the machine can call it.
func (s *server) Attach(_ context.Context, req *pulumirpc.PluginAttach) (*emptypb.Empty, error) {
	if s.started {
		return nil, status.Error(codes.PermissionDenied, "this plugin belongs to the engine that has started it: "+
			"to attach to one, start it without the address of an engine")
	}
	host, err := provider.NewHostClient(req.GetAddress())
	if err != nil {
		return nil, err
	}
	s.engine = host.EngineConn()
	return &emptypb.Empty{}, nil
}
