package policy

import (
	"context"
	"path/filepath"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// server implements the pack's side of the protocol.
type server struct {
	pulumirpc.UnimplementedAnalyzerServer

	version string
	dirs    directories

	mu        sync.Mutex
	engine    *engine
	handshake *pulumirpc.AnalyzerHandshakeRequest
	stack     *pulumirpc.AnalyzerStackConfigureRequest
	config    *pulumirpc.ConfigureAnalyzerRequest
	settings  *settings
	seen      map[string]*resource // by URN, after remediation
	held      map[string]bool      // by URN: the ones that are hidden from the API server
	context   []*resource          // the ones that rules about other objects depend on, in the order of registration
	reported  map[string]bool      // findings that were reported, by their resource and text
}

func newServer(version, dir string) *server {
	return &server{
		version: version, dirs: directories{pack: dir},
		seen: map[string]*resource{}, held: map[string]bool{}, reported: map[string]bool{},
	}
}

// Handshake receives the address of the engine and the directory of the pack.
func (s *server) Handshake(
	_ context.Context, req *pulumirpc.AnalyzerHandshakeRequest,
) (*pulumirpc.AnalyzerHandshakeResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if same, err := again(s.handshake, req, "engine"); same || err != nil {
		return &pulumirpc.AnalyzerHandshakeResponse{}, err
	}
	var err error
	if s.engine, err = dial(req.GetEngineAddress()); err != nil {
		return nil, err
	}
	// The engine passes the directory in the form of --policy-pack. A relative path is relative to the working
	// directory of the engine, while the working directory of the pack is already the directory.
	if filepath.IsAbs(req.GetRootDirectory()) {
		s.dirs.pack = req.GetRootDirectory()
	}
	if filepath.IsAbs(req.GetProgramDirectory()) {
		s.dirs.program = req.GetProgramDirectory()
	}
	s.handshake = req
	return &pulumirpc.AnalyzerHandshakeResponse{}, nil
}

// GetPluginInfo returns the version of the pack.
func (s *server) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: s.version}, nil
}

// GetAnalyzerInfo lists the policies.
func (s *server) GetAnalyzerInfo(context.Context, *emptypb.Empty) (*pulumirpc.AnalyzerInfo, error) {
	all, err := policies()
	if err != nil {
		return nil, err
	}
	return &pulumirpc.AnalyzerInfo{
		Name: Name, DisplayName: "mixedkube", Version: s.version, Policies: all, SupportsConfig: true,
		Description: "what goes wrong with Windows on Kubernetes, before it is deployed",
	}, nil
}

// ConfigureStack receives whether this is a preview.
func (s *server) ConfigureStack(
	_ context.Context, req *pulumirpc.AnalyzerStackConfigureRequest,
) (*pulumirpc.AnalyzerStackConfigureResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if same, err := again(s.stack, req, "stack"); same || err != nil {
		return &pulumirpc.AnalyzerStackConfigureResponse{}, err
	}
	s.stack = req
	return &pulumirpc.AnalyzerStackConfigureResponse{}, nil
}

// Configure reads the configuration, into which the engine has filled the defaults.
func (s *server) Configure(_ context.Context, req *pulumirpc.ConfigureAnalyzerRequest) (*emptypb.Empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if same, err := again(s.config, req, "configuration"); same || err != nil {
		return &emptypb.Empty{}, err
	}
	made, err := configured(s.dirs, req.GetPolicyConfig())
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	s.config, s.settings = req, made
	return &emptypb.Empty{}, nil
}

// Cancel does nothing.
func (s *server) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// ready returns the configuration, or the default one if the engine has not configured the pack.
func (s *server) ready() (*settings, error) {
	if s.settings == nil {
		made, err := configured(s.dirs, nil)
		if err != nil {
			return nil, err
		}
		s.config, s.settings = &pulumirpc.ConfigureAnalyzerRequest{}, made
	}
	return s.settings, nil
}
