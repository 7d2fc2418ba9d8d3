package ports

import (
	"net"
	"testing"
)

// Programs that start at once, from one process or from several, do not get the same port.
func TestPortsAreReservedUntilTheyAreReleased(t *testing.T) {
	t.Parallel()
	taken := map[int]bool{}
	var all []*Reserved
	for range 200 {
		r, err := Reserve(6)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Ports) != 6 {
			t.Errorf("got %v, want six ports", r.Ports)
		}
		all = append(all, r)
		for _, port := range r.Ports {
			if taken[port] {
				t.Errorf("port %d is chosen twice", port)
			}
			if port < 20000 || port > 29999 {
				t.Errorf("port %d is not from 20000 to 29999", port)
			}
			taken[port] = true
		}
	}
	for _, r := range all {
		r.Release()
	}
	socket, err := net.ListenPacket("udp", Address(all[0].Ports[0]))
	if err != nil {
		t.Fatalf("still reserved: %v", err)
	}
	_ = socket.Close()
}

func TestReserveFailsWithoutEnoughPorts(t *testing.T) {
	t.Parallel()
	const want = "there are not 10001 free ports on 127.0.0.1 from 20000 to 29999"
	if r, err := Reserve(10001); err == nil || err.Error() != want {
		t.Errorf("got %v and %v, want %s", r, err, want)
	}
}

func TestCheckFree(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if CheckFree(port) == nil {
		t.Errorf("CheckFree does not fail for port %d, which is in use", port)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
}
