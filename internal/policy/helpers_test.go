package policy

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	property "github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/core/value/treetest"
)

// shownBy records the messages that an engine shows.
type shownBy struct {
	pulumirpc.UnimplementedEngineServer

	mu    sync.Mutex
	lines []string
}

func (e *shownBy) Log(_ context.Context, req *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, name, _ := strings.Cut(req.GetUrn(), "::shop::")
	e.lines = append(e.lines, strings.ToLower(req.GetSeverity().String())+" "+name+": "+req.GetMessage())
	return &emptypb.Empty{}, nil
}

func (e *shownBy) take() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	lines := e.lines
	e.lines = nil
	return lines
}

// engineOf acts as the engine for a pack: it registers resources one after the other.
type engineOf struct {
	t         *testing.T
	client    pulumirpc.AnalyzerClient
	shown     *shownBy
	address   string // of the pack
	handshake *pulumirpc.AnalyzerHandshakeRequest
	resources []*pulumirpc.AnalyzerResource
}

// serve starts a pack of a directory, and connects to it. It ends with the test.
func serve(t *testing.T, dir string, preview bool) *engineOf {
	t.Helper()
	return serveIn(t, "", dir, preview)
}

// serveIn is serve for a pack that is started in a directory, and is told another path to it.
func serveIn(t *testing.T, in, dir string, preview bool) *engineOf {
	t.Helper()
	address := run(t, in)
	return shakeHands(t, address, connect(t, address), dir, preview)
}

// run starts a pack in a directory, and returns its address. It ends with the test.
func run(t *testing.T, in string) string {
	t.Helper()
	stdin, alive := io.Pipe()
	port, stdout := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(t.Context(), "1.2.3", in, stdin, stdout) }()
	t.Cleanup(func() {
		_ = alive.Close()
		if err := <-ended; err != nil {
			t.Errorf("the pack ends with %v when the engine does", err)
		}
	})
	line, err := bufio.NewReader(port).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return "127.0.0.1:" + strings.TrimSpace(line)
}

// shakeHands begins as the engine does on a connection to the pack at an address.
func shakeHands(t *testing.T, address string, conn grpc.ClientConnInterface, dir string, preview bool) *engineOf {
	t.Helper()
	shown := &shownBy{}
	engine := listen(t, func(s *grpc.Server) { pulumirpc.RegisterEngineServer(s, shown) })
	e := &engineOf{
		t: t, client: pulumirpc.NewAnalyzerClient(conn), shown: shown, address: address,
		handshake: &pulumirpc.AnalyzerHandshakeRequest{
			EngineAddress: engine, RootDirectory: &dir, ProgramDirectory: &dir,
		},
	}
	if _, err := e.client.Handshake(t.Context(), e.handshake); err != nil {
		t.Fatal(err)
	}
	_, err := e.client.ConfigureStack(t.Context(), &pulumirpc.AnalyzerStackConfigureRequest{
		Stack: "dev", Project: "shop", DryRun: preview,
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func listen(t *testing.T, register func(*grpc.Server)) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	register(s)
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(s.Stop)
	return listener.Addr().String()
}

func connect(t *testing.T, address string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// configure configures the pack as the engine does: with the defaults, and the file of --policy-pack-config.
func (e *engineOf) configure(file string) error {
	e.t.Helper()
	info, err := e.client.GetAnalyzerInfo(e.t.Context(), &emptypb.Empty{})
	if err != nil {
		e.t.Fatal(err)
	}
	config := map[string]*pulumirpc.PolicyConfig{}
	for _, p := range info.GetPolicies() {
		config[p.GetName()] = &pulumirpc.PolicyConfig{EnforcementLevel: p.GetEnforcementLevel()}
	}
	values := map[string]any{}
	if err := json.Unmarshal([]byte(file), &values); err != nil {
		e.t.Fatal(err)
	}
	for name, value := range values {
		properties, _ := value.(map[string]any)
		level, _ := value.(string)
		if properties != nil {
			level, _ = properties["enforcementLevel"].(string)
			delete(properties, "enforcementLevel")
		}
		if config[name] == nil {
			config[name] = &pulumirpc.PolicyConfig{}
		}
		if config[name].Properties, err = structpb.NewStruct(properties); err != nil {
			e.t.Fatal(err)
		}
		if level != "" {
			config[name].EnforcementLevel = pulumirpc.EnforcementLevel(
				pulumirpc.EnforcementLevel_value[strings.ToUpper(level)])
		}
	}
	_, err = e.client.Configure(e.t.Context(), &pulumirpc.ConfigureAnalyzerRequest{PolicyConfig: config})
	return err
}

// start returns a pack that is configured, with the topology of most tests.
func start(t *testing.T, preview bool, file string) *engineOf {
	t.Helper()
	e := serve(t, t.TempDir(), preview)
	if err := e.configure(file); err != nil {
		t.Fatal(err)
	}
	return e
}

// pools is the beginning of a configuration file, with the topology.
const pools = `"cluster": {"topology": {"kubernetesVersion": "1.36", "pools": [{"name": "linux", "platform": "linux"},
	{"name": "win22", "platform": "windows-2022", "count": 2}]}}`

const defaultKubernetes = "default_4_25_0"

// register registers an object in YAML, with the marks of [treetest.Marked]. It returns the violations.
func (e *engineOf) register(name, object string) []string {
	e.t.Helper()
	return e.registerWith(defaultKubernetes, name, parse(e.t, object))
}

func parse(t *testing.T, object string) map[string]any {
	t.Helper()
	docs, err := manifests.ReadYAML(strings.NewReader(object), "object")
	if err != nil || len(docs) != 1 {
		t.Fatalf("%v, %d documents in:\n%s", err, len(docs), object)
	}
	return tree.Map(docs[0].Value)
}

func (e *engineOf) registerWith(provider, name string, object map[string]any) []string {
	e.t.Helper()
	version, kind := fmt.Sprint(object["apiVersion"]), fmt.Sprint(object["kind"])
	if !strings.Contains(version, "/") {
		version = "core/" + version
	}
	return e.registerAs("kubernetes:"+version+":"+kind, provider, name, object)
}

// registerAs registers a resource of a type, after the types of the components above it. A component has no provider.
func (e *engineOf) registerAs(types, provider, name string, inputs map[string]any) []string {
	e.t.Helper()
	marked, _ := mark(treetest.Marked(inputs)).(property.PropertyValue)
	req := &pulumirpc.AnalyzeRequest{
		Type: types[strings.LastIndexByte(types, '$')+1:], Name: name,
		Urn:        "urn:pulumi:dev::shop::" + types + "::" + name,
		Properties: onWire(e.t, marked.ObjectValue()),
	}
	if provider != "" {
		req.Provider = &pulumirpc.AnalyzerProviderResource{Type: providerType, Name: provider}
	}
	fixed, err := e.client.Remediate(e.t.Context(), req)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, r := range fixed.GetRemediations() {
		req.Properties = r.GetProperties()
	}
	answer, err := e.client.Analyze(e.t.Context(), req)
	if err != nil {
		e.t.Fatal(err)
	}
	e.resources = append(e.resources, &pulumirpc.AnalyzerResource{
		Type: req.GetType(), Name: req.GetName(), Urn: req.GetUrn(), Properties: req.GetProperties(),
		Provider: req.GetProvider(),
	})
	return violations(answer.GetDiagnostics())
}

// end ends the registrations, and returns the violations of the stack.
func (e *engineOf) end() []string {
	e.t.Helper()
	answer, err := e.client.AnalyzeStack(e.t.Context(), &pulumirpc.AnalyzeStackRequest{Resources: e.resources})
	if err != nil {
		e.t.Fatal(err)
	}
	return violations(answer.GetDiagnostics())
}

// last returns the properties of the resource that was registered last, as they go to the provider.
func (e *engineOf) last() property.PropertyMap {
	e.t.Helper()
	return fromWire(e.t, e.resources[len(e.resources)-1].GetProperties())
}

func violations(of []*pulumirpc.AnalyzeDiagnostic) []string {
	var all []string
	for _, d := range of {
		_, name, _ := strings.Cut(d.GetUrn(), "::shop::") // empty for the stack
		name = name[strings.LastIndex("::"+name, "::"):]
		all = append(all, strings.ToLower(d.GetEnforcementLevel().String())+" "+name+": "+d.GetMessage())
	}
	return all
}

// mark converts a tree with marks to a property.
func mark(v any) any {
	switch v := v.(type) {
	case tree.Unknown:
		return unknownProperty(property.NewProperty(""))
	case tree.Secret:
		return property.MakeSecret(mark(v.Value).(property.PropertyValue))
	case map[string]any:
		m := property.PropertyMap{}
		for key, element := range v {
			m[property.PropertyKey(key)] = mark(element).(property.PropertyValue)
		}
		return property.NewProperty(m)
	case []any:
		list := make([]property.PropertyValue, len(v))
		for i, element := range v {
			list[i] = mark(element).(property.PropertyValue)
		}
		return property.NewProperty(list)
	case int64:
		return property.NewProperty(float64(v))
	default:
		return property.NewPropertyValue(v)
	}
}
