package provider

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

// engine records what the plugin logs.
type engine struct {
	pulumirpc.UnimplementedEngineServer
	logged []string
}

func (e *engine) Log(_ context.Context, in *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	e.logged = append(e.logged, in.GetSeverity().String()+" "+in.GetUrn()+": "+in.GetMessage())
	return &emptypb.Empty{}, nil
}

// newEngine starts an engine and returns it with a connection to it.
func newEngine(t *testing.T) (*engine, *grpc.ClientConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	noted := &engine{}
	listening := grpc.NewServer()
	pulumirpc.RegisterEngineServer(listening, noted)
	go func() { _ = listening.Serve(listener) }()
	t.Cleanup(listening.Stop)
	host, err := provider.NewHostClient(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return noted, host.EngineConn()
}

// check checks the inputs of a provider, and returns the log and the failures.
func check(t *testing.T, plugin, name string, inputs map[string]any) (logged, failures []string) {
	t.Helper()
	noted, connection := newEngine(t)
	news, err := structpb.NewStruct(inputs)
	if err != nil {
		t.Fatal(err)
	}
	response, err := serve(t, newServer(plugin, connection)).CheckConfig(t.Context(),
		&pulumirpc.CheckRequest{Urn: "urn", Name: name, News: news})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(inputs, response.GetInputs().AsMap()); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	for _, f := range response.GetFailures() {
		failures = append(failures, f.GetProperty()+": "+f.GetReason())
	}
	return noted.logged, failures
}

// TestVersionsOfSDKAndPlugin sends the version of a program's SDK to plugins with other versions.
func TestVersionsOfSDKAndPlugin(t *testing.T) {
	t.Parallel()
	message := func(sdk, plugin, what string) []string {
		return []string{"the program's SDK of mixedkube has version " + sdk + ", and the plugin that the engine has " +
			"found has version " + plugin + ": " + what + ": install the plugin " + sdk + " with \"pulumi plugin " +
			"install resource mixedkube " + sdk + " --file FILE\" (a pulumi-resource-mixedkube on PATH is taken " +
			"first, whatever its version is), or the SDK " + plugin}
	}
	const warned, refused = "what only one of them has does not work", "these do not work together"
	for name, tt := range map[string]struct{ sdk, plugin, what string }{
		"the same":                        {"1.2.3", "1.2.3", ""},
		"no SDK":                          {"", "1.2.3", ""},
		"development":                     {"0.0.0-dev.0", DevelopmentVersion, ""},
		"the plugin is newer":             {"1.2.3", "1.3.0", warned},
		"the plugin is older":             {"1.2.3", "1.2.2", warned},
		"the plugin is not released":      {"1.2.3", DevelopmentVersion, warned},
		"the SDK is not released":         {DevelopmentVersion, "1.2.3", warned},
		"a major version apart":           {"2.0.0", "1.9.0", refused},
		"a minor version apart before 1":  {"0.4.0", "0.5.1", refused},
		"a patch version apart before 1":  {"0.5.0", "0.5.1", warned},
		"a release, and one before 1.0.0": {"1.0.0", "0.9.0", refused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inputs := map[string]any{}
			if tt.sdk != "" {
				inputs[versionKey] = tt.sdk
			}
			var wantLogged, wantFailures []string
			switch tt.what {
			case warned:
				wantLogged = []string{"WARNING urn: " + message(tt.sdk, tt.plugin, warned)[0]}
			case refused:
				wantFailures = []string{"version: " + message(tt.sdk, tt.plugin, refused)[0]}
			}
			logged, failures := check(t, tt.plugin, "default", inputs)
			if diff := cmp.Diff(wantLogged, logged); diff != "" {
				t.Errorf("logged (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(wantFailures, failures); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTheProviderHasNoConfiguration configures a provider of a program, which is an error. A default provider gets the
// stack's configuration, even that of a project called mixedkube: it is not an error.
func TestTheProviderHasNoConfiguration(t *testing.T) {
	t.Parallel()
	inputs := map[string]any{"kubeconfig": "x", "version": "1.2.3", "pluginDownloadURL": "https://example.com"}
	_, failures := check(t, "1.2.3", "mine", inputs)
	want := "kubeconfig: unknown key: the provider takes no configuration, as components use the providers of their " +
		"resources: remove it, and give the component that provider"
	if got := strings.Join(failures, "\n"); got != want {
		t.Errorf("failures:\n%s\nwant:\n%s", got, want)
	}
	for _, name := range []string{"default", "default_1_2_3"} {
		if _, failures := check(t, "1.2.3", name, inputs); len(failures) > 0 {
			t.Errorf("the stack's configuration is refused by %s: %s", name, failures)
		}
	}
}
