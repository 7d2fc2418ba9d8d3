package policy

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	ofAnother = "PermissionDenied: the pack serves another connection, on which the handshake of Pulumi's engine " +
		"came: start a pack of your own"
	tooEarly = "PermissionDenied: the pack waits for the handshake of Pulumi's engine: no other call is accepted " +
		"before it"
)

// calls returns all calls of the protocol, as anyone can make them, with the greatest harm.
func calls(client pulumirpc.AnalyzerClient) map[string]func(context.Context) error {
	off := &pulumirpc.ConfigureAnalyzerRequest{PolicyConfig: map[string]*pulumirpc.PolicyConfig{}}
	for _, r := range rules {
		off.PolicyConfig[r.ID] = &pulumirpc.PolicyConfig{EnforcementLevel: pulumirpc.EnforcementLevel_DISABLED}
	}
	return map[string]func(context.Context) error{
		"Analyze": func(ctx context.Context) error {
			_, err := client.Analyze(ctx, &pulumirpc.AnalyzeRequest{})
			return err
		},
		"AnalyzeStack": func(ctx context.Context) error {
			_, err := client.AnalyzeStack(ctx, &pulumirpc.AnalyzeStackRequest{})
			return err
		},
		"Remediate": func(ctx context.Context) error {
			_, err := client.Remediate(ctx, &pulumirpc.AnalyzeRequest{})
			return err
		},
		"Configure": func(ctx context.Context) error {
			_, err := client.Configure(ctx, off)
			return err
		},
		"ConfigureStack": func(ctx context.Context) error {
			_, err := client.ConfigureStack(ctx, &pulumirpc.AnalyzerStackConfigureRequest{DryRun: true})
			return err
		},
		"GetAnalyzerInfo": func(ctx context.Context) error {
			_, err := client.GetAnalyzerInfo(ctx, &emptypb.Empty{})
			return err
		},
		"Cancel": func(ctx context.Context) error {
			_, err := client.Cancel(ctx, &emptypb.Empty{})
			return err
		},
		"Handshake": func(ctx context.Context) error {
			_, err := client.Handshake(ctx, &pulumirpc.AnalyzerHandshakeRequest{EngineAddress: "127.0.0.1:1"})
			return err
		},
	}
}

// answersOf makes all calls except the ones that are left out, and returns their errors.
func answersOf(ctx context.Context, client pulumirpc.AnalyzerClient, without ...string) map[string]string {
	var mu sync.Mutex
	var all sync.WaitGroup
	answers := map[string]string{}
	for name, call := range calls(client) {
		if slices.Contains(without, name) {
			continue
		}
		all.Go(func() {
			err := call(ctx)
			mu.Lock()
			defer mu.Unlock()
			answers[name] = answer(err)
		})
	}
	all.Wait()
	return answers
}

func answer(err error) string {
	if err == nil {
		return ""
	}
	return status.Code(err).String() + ": " + status.Convert(err).Message()
}

// each returns the same answer for all calls except the ones that are left out.
func each(answer string, without ...string) map[string]string {
	answers := map[string]string{}
	for name := range calls(nil) {
		if !slices.Contains(without, name) {
			answers[name] = answer
		}
	}
	return answers
}

func TestTheProtocolHasNoOtherCalls(t *testing.T) {
	t.Parallel()
	known := append(slices.Collect(maps.Keys(calls(nil))), "GetPluginInfo")
	for _, method := range pulumirpc.Analyzer_ServiceDesc.Methods {
		if !slices.Contains(known, method.MethodName) {
			t.Errorf("%s is not tested", method.MethodName)
		}
	}
	if len(pulumirpc.Analyzer_ServiceDesc.Streams) > 0 {
		t.Errorf("the interceptor does not see the streams %v", pulumirpc.Analyzer_ServiceDesc.Streams)
	}
}

// A second program of the same user can neither switch off the policies nor read what the pack knows.
func TestOtherClientsGetOnlyTheVersion(t *testing.T) {
	t.Parallel()
	e := start(t, true, "{}")
	other := pulumirpc.NewAnalyzerClient(connect(t, e.address))
	if diff := cmp.Diff(each(ofAnother), answersOf(t.Context(), other)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	plugin, err := other.GetPluginInfo(t.Context(), &emptypb.Empty{})
	if err != nil || plugin.GetVersion() != "1.2.3" {
		t.Errorf("the version is %q: %v", plugin.GetVersion(), err)
	}
	if got := e.register("a", fsGroup); !cmp.Equal(got, []string{"mandatory a: " + fsGroupFound}, golden.AnySentence) {
		t.Errorf("the engine's pack finds %q", got)
	}
}

func TestNothingIsAcceptedBeforeTheHandshake(t *testing.T) {
	t.Parallel()
	client := pulumirpc.NewAnalyzerClient(connect(t, run(t, t.TempDir())))
	if diff := cmp.Diff(each(tooEarly, "Handshake"), answersOf(t.Context(), client, "Handshake")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheSameOnceMoreIsFineAndAnotherIsAnError(t *testing.T) {
	t.Parallel()
	e := start(t, true, `{"MK118": "advisory"}`)
	another := func(what string) string {
		return "FailedPrecondition: the pack already has another " + what +
			", and keeps it: start another pack for this one"
	}
	_, engine := e.client.Handshake(t.Context(), &pulumirpc.AnalyzerHandshakeRequest{EngineAddress: "127.0.0.1:1"})
	_, stack := e.client.ConfigureStack(t.Context(), &pulumirpc.AnalyzerStackConfigureRequest{Stack: "prod"})
	_, same := e.client.Handshake(t.Context(), e.handshake)
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"the same configuration": {e.configure(`{"MK118": "advisory"}`), ""},
		"another configuration":  {e.configure(`{"MK118": "disabled"}`), another("configuration")},
		"the same engine":        {same, ""},
		"another engine":         {engine, another("engine")},
		"another stack":          {stack, another("stack")},
	} {
		if got := answer(tt.err); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	if got := e.register("a", fsGroup); !cmp.Equal(got, []string{"advisory a: " + fsGroupFound}, golden.AnySentence) {
		t.Errorf("the pack finds %q", got)
	}
}

// A pack whose first call used the default configuration keeps that one.
func TestTheDefaultConfigurationIsRetained(t *testing.T) {
	t.Parallel()
	e := serve(t, t.TempDir(), true)
	e.register("a", fsGroup)
	const want = "FailedPrecondition: the pack already has another configuration, and keeps it: " +
		"start another pack for this one"
	if got := answer(e.configure(`{"MK118": "disabled"}`)); got != want {
		t.Errorf("got %q", got)
	}
}

func TestTwoPacksAtOnce(t *testing.T) {
	t.Parallel()
	packs := []*engineOf{start(t, true, `{"MK118": "advisory"}`), start(t, true, `{"MK118": "disabled"}`)}
	want := []string{"advisory a: " + fsGroupFound, ""}
	for i, e := range packs {
		if got := strings.Join(e.register("a", fsGroup), "\n"); !cmp.Equal(got, want[i], golden.AnySentence) {
			t.Errorf("pack %d finds %q", i, got)
		}
		if got := e.end(); len(got) > 0 {
			t.Errorf("the stack of pack %d has %q", i, got)
		}
	}
}

// breakable is a connection of gRPC whose TCP connection can be closed under it.
type breakable struct {
	*grpc.ClientConn

	mu    sync.Mutex
	under net.Conn
}

func (b *breakable) cut(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.under.Close(); err != nil {
		t.Fatal(err)
	}
}

func connectBreakable(t *testing.T, address string) *breakable {
	t.Helper()
	b := &breakable{}
	var err error
	b.ClientConn, err = grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			under, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
			b.mu.Lock()
			defer b.mu.Unlock()
			b.under = under
			return under, err
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// The engine does not repeat its handshake when gRPC connects again. The pack retains its configuration and the
// resources.
func TestABrokenConnectionComesBack(t *testing.T) {
	t.Parallel()
	address := run(t, t.TempDir())
	conn := connectBreakable(t, address)
	e := shakeHands(t, address, conn, t.TempDir(), true)
	if err := e.configure(`{"MK118": "advisory"}`); err != nil {
		t.Fatal(err)
	}
	ask := func() error {
		_, err := e.client.GetAnalyzerInfo(t.Context(), &emptypb.Empty{}, grpc.WaitForReady(true))
		return err
	}
	for range 20 {
		conn.cut(t)
		// A call during the break fails; the pack itself refuses none.
		for err := ask(); err != nil; err = ask() {
			if status.Code(err) != codes.Unavailable {
				t.Fatal(err)
			}
		}
	}
	if got := e.register("a", fsGroup); !cmp.Equal(got, []string{"advisory a: " + fsGroupFound}, golden.AnySentence) {
		t.Errorf("the pack finds %q", got)
	}
	if got := answer(e.configure(`{"MK118": "disabled"}`)); !strings.HasPrefix(got, "FailedPrecondition: ") {
		t.Errorf("another configuration after the break: %q", got)
	}
	other := pulumirpc.NewAnalyzerClient(connect(t, address))
	if diff := cmp.Diff(each(ofAnother), answersOf(t.Context(), other)); diff != "" {
		t.Errorf("another client after the break (-want +got):\n%s", diff)
	}
}

// A program that connects when the engine's connection has broken can stop the engine, and change nothing.
func TestABreakGivesNobodyTheConfiguration(t *testing.T) {
	t.Parallel()
	address := run(t, t.TempDir())
	conn := connectBreakable(t, address)
	e := shakeHands(t, address, conn, t.TempDir(), false)
	if err := e.configure("{}"); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	other := pulumirpc.NewAnalyzerClient(connect(t, address))
	got := answersOf(t.Context(), other, "Analyze", "AnalyzeStack", "Remediate", "GetAnalyzerInfo", "Cancel")
	const retained = ", and keeps it: start another pack for this one"
	want := map[string]string{
		"Handshake":      "FailedPrecondition: the pack already has another engine" + retained,
		"Configure":      "FailedPrecondition: the pack already has another configuration" + retained,
		"ConfigureStack": "FailedPrecondition: the pack already has another stack" + retained,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// refuses reads from a connection that the pack must close without a byte: gRPC's server speaks first.
func refuses(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	n, err := conn.Read(make([]byte, 1))
	if n > 0 || !errors.Is(err, io.EOF) {
		return errors.Join(errors.New("the pack answers"), err)
	}
	return nil
}
