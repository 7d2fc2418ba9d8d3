package loopback

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// The tables are as on a machine with little-endian words, like most.
func TestUsersOfClients(t *testing.T) {
	t.Parallel()
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("needs a little-endian machine: the tables have the addresses in its byte order")
	}
	const (
		queues = "00000000:00000000 00:00000000 00000000 "
		header = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout " +
			"inode\n"
		listen     = "   0: 0100007F:1F90 00000000:0000 0A " + queues + "    0        0 11 1 0\n"
		serverLine = "   1: 0100007F:1F90 0100007F:C350 01 " + queues + "    0        0 12 1 0\n"
		clientLine = "   2: 0100007F:C350 0100007F:1F90 01 " + queues + "65534        0 13 1 0\n"
		mapped     = "   3: 0000000000000000FFFF00000100007F:C350 0000000000000000FFFF00000100007F:1F90 01 " +
			"00000000:00000000 00:00000000 00000000  1000        0 14 1 0 20 4\n"
	)
	server, from := netip.MustParseAddrPort("127.0.0.1:8080"), netip.MustParseAddrPort("127.0.0.1:50000")
	client := func(field, other string) string { return strings.Replace(clientLine, field, other, 1) }
	for name, tt := range map[string]struct {
		table string
		user  int
		tells bool
	}{
		"a client":                              {header + listen + serverLine + clientLine, 65534, true},
		"a client with a socket of IPv6":        {header + listen + serverLine + header + mapped, 1000, true},
		"a client of another port":              {header + listen + client("C350", "C351"), -1, true},
		"a client of another server":            {header + listen + client("1F90", "1F91"), -1, true},
		"a client of another address":           {header + listen + client("0100007F", "0200007F"), -1, true},
		"a client that has closed its socket":   {header + serverLine + client(" 01 0", " 05 0"), -1, true},
		"a client that waits for the end":       {header + serverLine + client(" 01 0", " 06 0"), -1, true},
		"a socket that belongs to no process":   {header + serverLine + client(" 13 1", " 0 1"), -1, true},
		"a system that does not fill its table": {header, -1, false},
		"a system without a table":              {"", -1, false},
		"something else": {
			strings.Repeat("x ", 20) + "\n" + strings.Repeat("0:0 ", 20), -1, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if user, tells := read(tt.table).clientOf(server, from); user != tt.user || tells != tt.tells {
				t.Errorf("the user is %d, and the table tells users: %t", user, tells)
			}
		})
	}
}

// Each reading of the tables has a line for each connection: a neighbor who opens thousands of them must not cost a
// reading for each.
func TestManyConnectionsShareAReading(t *testing.T) {
	t.Parallel()
	var c clients
	begun := time.Now()
	for range 100 {
		if _, err := c.since(begun); err != nil {
			t.Fatal(err)
		}
	}
	if c.reads != 1 {
		t.Errorf("%d readings for connections of before the first", c.reads)
	}
	// A reading can miss a connection that is newer.
	if _, err := c.since(time.Now()); err != nil || c.reads != 2 {
		t.Errorf("%d readings with a newer connection, %v", c.reads, err)
	}
}
