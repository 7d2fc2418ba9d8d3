package connectivity

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// zone is a name server of some names with addresses of IPv4. It answers about any other
// that it does not exist.
type zone struct {
	mu       sync.Mutex
	names    map[string]netip.Addr
	received []string
}

// newZone serves a zone at the address in resolv.conf.
func newZone(t *testing.T, names map[string]netip.Addr) *zone {
	t.Helper()
	conn, err := net.ListenPacket("udp", net.JoinHostPort(nameServer, "53"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	z := &zone{names: names}
	go func() {
		message := make([]byte, 512)
		for {
			n, from, err := conn.ReadFrom(message)
			if err != nil {
				return
			}
			if answer := z.answer(message[:n]); answer != nil {
				_, _ = conn.WriteTo(answer, from) // the client repeats its query
			}
		}
	}()
	return z
}

const (
	headerLength = 12
	typeA        = 1
)

// answer is that to a query with one question (RFC 1035, section 4).
func (z *zone) answer(query []byte) []byte {
	if len(query) < headerLength {
		return nil
	}
	var labels []string
	end := headerLength
	for end < len(query) && query[end] != 0 {
		next := end + 1 + int(query[end])
		if next > len(query) {
			return nil
		}
		labels = append(labels, string(query[end+1:next]))
		end = next
	}
	if end += 5; end > len(query) {
		return nil
	}
	kind := binary.BigEndian.Uint16(query[end-4:])
	name := strings.ToLower(strings.Join(labels, "."))
	z.mu.Lock()
	defer z.mu.Unlock()
	if kind == typeA {
		z.received = append(z.received, name)
	}
	address, found := z.names[name]
	answer := append([]byte(nil), query[:end]...)
	copy(answer[2:], []byte{0x85, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}) // an authoritative answer, recursion available
	switch {
	case !found:
		answer[3] |= 3 // the name does not exist
	case kind == typeA:
		answer[7] = 1
		// the name of the question, for 5 seconds
		answer = append(answer, 0xc0, headerLength, 0, typeA, 0, 1, 0, 0, 0, 5, 0, 4)
		answer = append(answer, address.AsSlice()...)
	}
	return answer
}

// take returns the names in queries for IPv4 addresses since the last call.
func (z *zone) take() []string {
	z.mu.Lock()
	defer z.mu.Unlock()
	received := z.received
	z.received = nil
	return received
}
