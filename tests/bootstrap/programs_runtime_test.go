package bootstrap

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/wine"
	"github.com/mixedkube/mixedkube/tests/internal/loopback"
)

// runContainerd starts containerd.exe with the node's configuration, and gives the address
// where it serves the kubelet. Go programs do not get at each other's pipes in Wine 8, so it
// is TCP.
func runContainerd(t *testing.T, m wine.Machine, n node) (address string) {
	t.Helper()
	address = loopback.Address(t)
	const file = "C:/Program Files/containerd/config.toml"
	const byTCP = `
[grpc]
tcp_address = %q

[plugins."io.containerd.grpc.v1.cri"]
disable_tcp_service = false
`
	check(t, m.Write(file, n.file(t, "config.toml").Content+fmt.Sprintf(byTCP, address)))
	ctx, stop := context.WithCancel(t.Context())
	var out lockedBuffer
	cmd := m.Command(ctx, "C:/Program Files/containerd/containerd.exe")
	cmd.Stdout, cmd.Stderr = &out, &out
	check(t, cmd.Start())
	t.Cleanup(func() { stop(); m.End(); _ = cmd.Wait() })
	deadline := time.Now().Add(2 * time.Minute)
	for !strings.Contains(out.String(), "containerd successfully booted") {
		if time.Now().After(deadline) {
			t.Fatalf("containerd.exe does not start: %s", out.String())
		}
		time.Sleep(200 * time.Millisecond)
	}
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "level=error") || strings.Contains(line, "Ignoring unknown key") ||
			strings.Contains(line, "failed to load plugin") {
			t.Errorf("containerd.exe says %s", line)
		}
	}
	if !strings.Contains(out.String(), `\\pipe\\containerd-containerd"`) {
		t.Errorf("containerd.exe does not listen at the pipe: %s", out.String())
	}
	return address
}

// lateRuntime forwards connections to containerd, and what it answers only after a while.
type lateRuntime struct {
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
	deleted  bool
}

func late(t *testing.T, to string) *lateRuntime {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	l := &lateRuntime{listener: listener}
	t.Cleanup(l.stop)
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil || !l.keep(from, server) {
				_ = from.Close()
				continue
			}
			go forward(from, server, 0)
			go forward(server, from, 1500*time.Millisecond)
		}
	}()
	return l
}

func (l *lateRuntime) address() string { return l.listener.Addr().String() }

func (l *lateRuntime) keep(conns ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = append(l.open, conns...)
	return !l.deleted
}

// stop ends all connections, and lets in no other.
func (l *lateRuntime) stop() {
	_ = l.listener.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deleted = true
	for _, c := range l.open {
		_ = c.Close()
	}
}

func forward(from, to net.Conn, delay time.Duration) {
	defer func() { _, _ = from.Close(), to.Close() }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		time.Sleep(delay)
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
