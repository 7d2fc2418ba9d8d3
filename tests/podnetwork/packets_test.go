//go:build linux

package podnetwork

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// receivers are sockets of UDP by their addresses.
type receivers map[string]*net.UDPConn

func listen(t *testing.T, at map[string]namespace) receivers {
	t.Helper()
	r := receivers{}
	for address, ns := range at {
		ns.do(t, func() (err error) {
			// A socket stays in the namespace that it was created in.
			r[address], err = net.ListenUDP("udp", addressOf(address))
			return err
		})
		t.Cleanup(func() { _ = r[address].Close() })
	}
	return r
}

func addressOf(text string) *net.UDPAddr {
	return net.UDPAddrFromAddrPort(netip.MustParseAddrPort(text))
}

// want sends a packet to each of the addresses. The one that it comes from need not be the
// sender's own.
func (r receivers) want(t *testing.T, what string, from namespace, source string, want bool, to ...string) {
	t.Helper()
	for _, address := range to {
		from.send(t, source, address, []byte(what))
		r.wantText(t, what, want, address)
	}
}

// wantText waits for a text, which has been sent.
func (r receivers) wantText(t *testing.T, text string, want bool, address string) {
	t.Helper()
	wait := silence
	if want {
		wait = timeout
	}
	if err := r[address].SetReadDeadline(time.Now().Add(wait)); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 100)
	size, err := r[address].Read(buffer)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	if got := string(buffer[:size]) == text; got != want {
		t.Errorf("a packet %s to %s arrives: %v, want %v", text, address, got, want)
	}
}

// send sends a packet.
func (ns namespace) send(t *testing.T, source, to string, content []byte) {
	t.Helper()
	transparent := net.ListenConfig{Control: func(family, _ string, c syscall.RawConn) (err error) {
		controlled := c.Control(func(fd uintptr) {
			level, option := unix.SOL_IP, unix.IP_TRANSPARENT
			if strings.HasSuffix(family, "6") {
				level, option = unix.SOL_IPV6, unix.IPV6_TRANSPARENT
			}
			err = unix.SetsockoptInt(int(fd), level, option, 1)
		})
		return errors.Join(err, controlled)
	}}
	ns.do(t, func() error {
		conn, err := transparent.ListenPacket(t.Context(), "udp", net.JoinHostPort(source, "0"))
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		_, err = conn.WriteTo(content, addressOf(to))
		if errors.Is(err, unix.EPERM) {
			return nil // what a chain at the hook output drops
		}
		return err
	})
}
