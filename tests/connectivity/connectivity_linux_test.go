package connectivity

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// The requests are in a golden file, as tests/powershell compares those of Windows with
// them.
func TestChecksPassInAHealthyCluster(t *testing.T) {
	tools := busybox(t)
	w := healthy(t, nil)
	z := newZone(t, names())
	containers := slices.DeleteFunc(linuxContainers(t), func(c container) bool { return c.name == "server" })
	if len(containers) != 25 {
		t.Fatalf("%d containers, want 12 on nodes and 13 in pods", len(containers))
	}
	requests := map[string]bool{}
	for _, c := range containers {
		output, passed := c.run(t, tools)
		from, to := c.env["FROM"], c.env["TO"]
		if want := fmt.Sprintf("%s from %s to %s: ok: %s\n", c.name, from, to, c.env["URL"]); !passed ||
			output != want {
			t.Errorf("%s in %s: passed %t with %q, want %q", c.name, c.pod, passed, output, want)
		}
		received := w.take()
		for _, name := range z.take() {
			received = append(received, "A "+name)
		}
		slices.Sort(received)
		requests[fmt.Sprintf("%s to %s: %s", c.name, to, strings.Join(slices.Compact(received), ", "))] = true
	}
	var lines []string
	for line := range requests {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	golden.Equal(t, "testdata/requests.golden", strings.Join(lines, "\n")+"\n")
}

func TestLinuxServerAnswersAsItsChecksExpect(t *testing.T) {
	tools := busybox(t)
	containers := linuxContainers(t)
	server := find(t, containers, "net-linux", "server")
	cmd := server.start(t, tools)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // of httpd, as the script has become it
		_ = cmd.Wait()
	})
	output, passed := find(t, containers, "net-linux-to-linux", "3-pod-to-pod").run(t, tools)
	if want := "3-pod-to-pod from linux pod to linux: ok: http://127.1.0.1:80/\n"; !passed || output != want {
		t.Errorf("passed %t with %q, want %q", passed, output, want)
	}
	// It is no one else's server.
	output, passed = find(t, containers, "net-linux-to-windows-2022", "3-pod-to-pod").with("TIMEOUT_SECONDS",
		"1").run(t, tools)
	if want := `answered by another: "net linux", not "net windows-2022"`; passed || !strings.Contains(output, want) {
		t.Errorf("passed %t with %q, want %q", passed, output, want)
	}
}

func TestFailedChecksReportTheReason(t *testing.T) {
	tools := busybox(t)
	containers := linuxContainers(t)
	third := slices.Index(platforms, platform.WindowsServer2022)
	name := serviceName(platform.WindowsServer2022)
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	broken := func(out http.ResponseWriter, _ *http.Request) {
		http.Error(out, "net windows-2022", http.StatusInternalServerError)
	}
	nodeAddress := fmt.Sprintf("%s:%d", hostIP(third), nodePort(third))
	tests := []struct {
		name       string
		pod, check string
		instead    map[string]http.HandlerFunc
		// names changes those of a healthy cluster; nil ones are removed.
		names map[string]string
		want  string
	}{
		{
			name: "another pod answers at the pod's address", pod: "net-linux-to-windows-2022", check: "3-pod-to-pod",
			instead: map[string]http.HandlerFunc{"127.1.0.3:80": respond("net windows-2019")},
			want: `3-pod-to-pod from linux pod to windows-2022: failed for 1 seconds: http://127.1.0.3:80/: ` +
				`answered by another: "net windows-2019", not "net windows-2022"`,
		},
		{
			name: "a page that only holds the answer", pod: "net-linux-node-to-windows-2022", check: "2-node-to-pod",
			instead: map[string]http.HandlerFunc{"127.1.0.3:80": respond("<h1>\nnet windows-2022\n</h1>")},
			want: `2-node-to-pod from linux node to windows-2022: failed for 1 seconds: http://127.1.0.3:80/: ` +
				`answered by another: "<h1> net windows-2022 </h1>", not "net windows-2022"`,
		},
		{
			name: "the pod takes connections and is silent", pod: "net-linux-node-to-windows-2022",
			check:   "2-node-to-pod",
			instead: map[string]http.HandlerFunc{"127.1.0.3:80": silent},
			want: `2-node-to-pod from linux node to windows-2022: failed for 1 seconds: http://127.1.0.3:80/: no ` +
				`answer within 5 seconds`,
		},
		{
			name: "nothing listens at the pod's address", pod: "net-linux-to-windows-2022", check: "3-pod-to-pod",
			instead: map[string]http.HandlerFunc{"127.1.0.3:80": nil},
			want: `3-pod-to-pod from linux pod to windows-2022: failed for 1 seconds: http://127.1.0.3:80/: wget: ` +
				`can't connect to remote host (127.1.0.3): Connection refused`,
		},
		{
			name: "the pod answers with an error, and the right text", pod: "net-linux-to-windows-2022",
			check:   "4-service-to-pod",
			instead: map[string]http.HandlerFunc{"127.3.0.3:80": broken},
			want: `4-service-to-pod from linux pod to windows-2022: failed for 1 seconds: http://127.3.0.3:80/: ` +
				`wget: server returned error: HTTP/1.1 500 Internal Server Error`,
		},
		{
			name: "the Service leads to another pod, from a node", pod: "net-linux-node-to-windows-2022",
			check:   "4-service-to-pod",
			instead: map[string]http.HandlerFunc{"127.3.0.3:80": respond("net linux")},
			want: `4-service-to-pod from linux node to windows-2022: failed for 1 seconds: http://127.3.0.3:80/: ` +
				`answered by another: "net linux", not "net windows-2022"`,
		},
		{
			name: "DNS does not know the name", pod: "net-linux-to-windows-2022", check: "5-service-discovery",
			names: map[string]string{name: ""},
			want: `5-service-discovery from linux pod to windows-2022: failed for 1 seconds: http://` + name +
				`:80/: DNS has no address of ` + name +
				`: ** server can't find ` + name + `: NXDOMAIN`,
		},
		{
			name: "DNS says another address, at which the right pod is", pod: "net-linux-to-windows-2022",
			check: "5-service-discovery",
			names: map[string]string{name: "127.1.0.3"},
			want: `5-service-discovery from linux pod to windows-2022: failed for 1 seconds: http://` + name +
				`:80/: DNS says that ` + name +
				` is 127.1.0.3, not 127.3.0.3`,
		},
		{
			name: "the name is right, and nothing listens there", pod: "net-linux-to-windows-2022",
			check:   "5-service-discovery",
			instead: map[string]http.HandlerFunc{"127.3.0.3:80": nil},
			want: `5-service-discovery from linux pod to windows-2022: failed for 1 seconds: http://` + name +
				`:80/: wget: can't connect to remote host (127.3.0.3): Connection refused`,
		},
		{
			name: "the node port is closed", pod: "net-linux-node-to-windows-2022", check: "6-inbound",
			instead: map[string]http.HandlerFunc{nodeAddress: nil},
			want: `6-inbound from linux node to windows-2022: failed for 1 seconds: http://` + nodeAddress +
				`/: wget: can't connect to remote host (127.2.0.3): Connection refused`,
		},
		{
			name: "a login page is between the pod and the world", pod: "net-linux-to-outside", check: "7-outbound",
			instead: map[string]http.HandlerFunc{outboundAddress + ":80": respond("Please log in")},
			want: `7-outbound from linux pod to outside: failed for 1 seconds: ` +
				`http://www.msftconnecttest.com/connecttest.txt: answered by another: ` +
				`"Please log in", not "Microsoft Connect Test"`,
		},
		{
			name: "the name of the world is not known", pod: "net-linux-to-outside", check: "7-outbound",
			names: map[string]string{outboundName: ""},
			want: `7-outbound from linux pod to outside: failed for 1 seconds: ` +
				`http://www.msftconnecttest.com/connecttest.txt: wget: bad address 'www.msftconnecttest.com'`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			healthy(t, tt.instead)
			zone := names()
			for name, address := range tt.names {
				delete(zone, name)
				if address != "" {
					zone[name] = netip.MustParseAddr(address)
				}
			}
			newZone(t, zone)
			output, passed := find(t, containers, tt.pod, tt.check).with("TIMEOUT_SECONDS", "1").run(t, tools)
			if passed {
				t.Error("the check passes")
			}
			if diff := cmp.Diff(tt.want+"\n", output); diff != "" {
				t.Errorf("what it says (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDNSThatIsSilentFailsTheCheckInTime(t *testing.T) {
	tools := busybox(t)
	healthy(t, nil)
	conn, err := net.ListenPacket("udp", net.JoinHostPort(nameServer, "53"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	started := time.Now()
	output, passed := find(t, linuxContainers(t), "net-linux-to-linux", "5-service-discovery").with("TIMEOUT_SECONDS",
		"1").run(t, tools)
	if took := time.Since(started); took > 15*time.Second {
		t.Errorf("it took %s", took)
	}
	name := serviceName(platform.Linux)
	want := "5-service-discovery from linux pod to linux: failed for 1 seconds: http://" + name +
		":80/: DNS has no address of " + name + ": "
	if passed || !strings.HasPrefix(output, want) || strings.Count(output, "\n") != 1 {
		t.Errorf("passed %t with %q, want %q…", passed, output, want)
	}
}

// The rules of a Service reach the nodes a while after the Service is created.
func TestChecksTryAgain(t *testing.T) {
	tools := busybox(t)
	var tries atomic.Int32
	healthy(t, map[string]http.HandlerFunc{"127.3.0.1:80": func(out http.ResponseWriter, r *http.Request) {
		switch tries.Add(1) {
		case 1:
			http.Error(out, "not yet", http.StatusServiceUnavailable)
		case 2:
			respond("net windows-2019")(out, r)
		default:
			respond("net linux")(out, r)
		}
	}})
	output, passed := find(t, linuxContainers(t), "net-linux-to-linux", "4-service-to-pod").run(t, tools)
	if want := "4-service-to-pod from linux pod to linux: ok: http://127.3.0.1:80/\n"; !passed || output != want ||
		tries.Load() != 3 {
		t.Errorf("passed %t after %d tries with %q, want %q", passed, tries.Load(), output, want)
	}
}

// Another address than the default says what it wants.
func TestConfiguredAddressAcceptsAnyResponse(t *testing.T) {
	tools := busybox(t)
	healthy(t, map[string]http.HandlerFunc{outboundAddress + ":80": respond("hello")})
	outbound := find(t, linuxContainers(t), "net-linux-to-outside", "7-outbound").
		with("ANSWER", "").with("URL", "http://"+outboundAddress+"/")
	output, passed := outbound.run(t, tools)
	if want := "7-outbound from linux pod to outside: ok: http://127.4.0.1/\n"; !passed || output != want {
		t.Errorf("passed %t with %q, want %q", passed, output, want)
	}
}

// The shell that the containers have is stricter than others about what it reads.
func TestScriptsRunInASmallShell(t *testing.T) {
	tools := busybox(t)
	for _, c := range linuxContainers(t) {
		if output, err := exec.CommandContext(t.Context(), tools+"/sh", "-n", "-c",
			c.command[2]).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", c.name, err, output)
		}
	}
}
