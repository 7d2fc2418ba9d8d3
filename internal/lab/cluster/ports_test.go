package cluster

import (
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

func TestChoosePorts(t *testing.T) {
	t.Parallel()
	first, err := choosePorts(6443)
	if err != nil {
		t.Fatal(err)
	}
	defer first.release()
	ports := first.ports
	if ports[0] != 6443 {
		t.Errorf("the API server's port is %d, want the configured one", ports[0])
	}
	sorted := slices.Sorted(slices.Values(ports[:]))
	if len(slices.Compact(sorted)) != len(ports) {
		t.Errorf("a port is in %v twice", ports)
	}
	second, err := choosePorts(0)
	if err != nil {
		t.Fatal(err)
	}
	defer second.release()
	others := second.ports
	for _, port := range slices.Concat(ports[1:], others[:]) {
		if port < 20000 || port > 29999 {
			t.Errorf("port %d is not from 20000 to 29999", port)
		}
	}
}

// Labs that start at once, in one process or in several, do not choose the same port.
func TestPortsAreReservedUntilTheyAreReleased(t *testing.T) {
	t.Parallel()
	taken := map[int]bool{}
	var all []*reserved
	for range 200 {
		r, err := choosePorts(0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
		for _, port := range r.ports {
			if taken[port] {
				t.Errorf("port %d is chosen twice", port)
			}
			taken[port] = true
		}
	}
	for _, r := range all {
		r.release()
	}
	socket, err := net.ListenPacket("udp", loopback(all[0].ports[0]))
	if err != nil {
		t.Fatalf("still reserved: %v", err)
	}
	_ = socket.Close()
}

func TestListenSeesABusyPort(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if listen(port) == nil {
		t.Errorf("listen on port %d, which is in use, does not fail", port)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCheckPort(t *testing.T) {
	t.Parallel()
	c := Cluster{Dir: t.TempDir()}
	for port, want := range map[int]string{
		-1:    "-1 is not a valid port: choose one from 1 to 65535, or 0 for one that is free",
		65536: "65536 is not a valid port: choose one from 1 to 65535, or 0 for one that is free",
	} {
		if err := c.checkPort(port); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := c.checkPort(0); err != nil {
		t.Errorf("0 is always right: %v", err)
	}
}

func TestKwokctlIsToldToStayOnLoopback(t *testing.T) {
	t.Parallel()
	var first struct {
		Kind    string
		Options map[string]any
	}
	if err := yaml.Unmarshal([]byte(kwokctlConfig([6]int{1, 2, 3, 4, 5, 6}, etcdKey{}, true)), &first); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"bindAddress": "127.0.0.1", "kubeApiserverPort": 1, "kubeControllerManagerPort": 2, "kubeSchedulerPort": 3,
		"kwokControllerPort": 4, "etcdPort": 5, "etcdPeerPort": 6, "disableQPSLimits": true,
		"kubeControllerManagerNodeMonitorGracePeriodMilliseconds": 720000,
	}
	if diff := cmp.Diff(want, first.Options); diff != "" || first.Kind != "KwokctlConfiguration" {
		t.Errorf("options of %s (-want +got):\n%s", first.Kind, diff)
	}
}

func TestServicesGetAddressesWhereTheCloudHasLoadBalancers(t *testing.T) {
	t.Parallel()
	for _, loadBalancers := range []bool{true, false} {
		if got := strings.Contains(kwokctlConfig([6]int{}, etcdKey{}, loadBalancers),
			"\n  name: service-load-balancer\n"); got != loadBalancers {
			t.Errorf("with load balancers %t: the stage exists: %t", loadBalancers, got)
		}
	}
}
