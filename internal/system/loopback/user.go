package loopback

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// The tables of Linux with a line for each socket: of IPv4, and of IPv6, which a client may also use to reach an IPv4
// address. Other systems do not have them.
const tableOfIPv4, tableOfIPv6 = "/proc/self/net/tcp", "/proc/self/net/tcp6"

// largestTable is the size of the largest table that is read, with about 400,000 sockets.
const largestTable = 64 << 20

// attempts is how often the tables are read: the system may skip a line while other sockets come and go.
const attempts = 5

// clients finds out whose connections are. Reading the tables costs time for each socket of the machine, so that many
// connections at once share one reading: a neighbor who opens thousands must not keep the engine out.
type clients struct {
	mu    sync.Mutex
	known sockets
	// reads counts the readings.
	reads int
}

// check returns an error if the client of a connection is another user. If the system does not show users, it returns
// nil.
func (c *clients) check(conn net.Conn) error {
	at, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return err
	}
	from, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return err
	}
	shows := false
	for range attempts {
		all, err := c.since(time.Now())
		if err != nil {
			return err
		}
		user, tells := all.clientOf(at, from)
		switch shows = shows || tells; {
		case user == os.Geteuid():
			return nil
		case user >= 0:
			return fmt.Errorf("the client %s is the user %d: only the user %d may connect", from, user, os.Geteuid())
		}
	}
	if shows {
		return fmt.Errorf("the client %s has closed its connection", from)
	}
	return nil
}

// since returns the sockets of the machine, read after a time.
func (c *clients) since(t time.Time) (sockets, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known.begun.After(t) {
		return c.known, nil
	}
	begun := time.Now()
	table, err := tables()
	if err != nil {
		return sockets{}, err
	}
	c.reads++
	c.known = read(table)
	c.known.begun = begun
	return c.known, nil
}

// tables returns the tables, an empty text if the system has none.
func tables() (string, error) {
	var all strings.Builder
	for _, path := range []string{tableOfIPv4, tableOfIPv6} {
		text, err := new(disk.Access).ReadFile(path, largestTable)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", disk.Named(path, err)
		}
		_, _ = all.Write(text)
	}
	return all.String(), nil
}

// The columns of the tables.
const (
	columnLocal = 1 + iota
	columnRemote
	columnState
	columnUser  = 7
	columnInode = 9
)

// established is the state of an open connection. A socket in another state may have lost its process, and then the
// table has the user 0 for it.
const established = "01"

// sockets are the open sockets of the machine.
type sockets struct {
	// begun is when the reading of the tables began.
	begun time.Time
	// local are the addresses that sockets have here. users are the users of connections.
	local map[netip.AddrPort]bool
	users map[ends]int
}

// ends are the addresses of a connection, on the side of a socket.
type ends struct{ local, remote netip.AddrPort }

// read returns the sockets in the tables.
func read(table string) sockets {
	all := sockets{local: map[netip.AddrPort]bool{}, users: map[ends]int{}}
	for line := range strings.Lines(table) {
		columns := strings.Fields(line)
		if len(columns) <= columnInode {
			continue
		}
		e := ends{address(columns[columnLocal]), address(columns[columnRemote])}
		all.local[e.local] = true
		if columns[columnState] != established || columns[columnInode] == "0" {
			continue
		}
		if uid, err := strconv.Atoi(columns[columnUser]); err == nil {
			all.users[e] = uid
		}
	}
	return all
}

// clientOf returns the user of the client of a connection to a server, -1 if the tables do not have it, and whether they
// have the sockets of this server.
func (s sockets) clientOf(server, client netip.AddrPort) (user int, tells bool) {
	user, known := s.users[ends{client, server}]
	if !known {
		user = -1
	}
	return user, known || s.local[server]
}

// address returns an address in a table: words of 32 bits in the byte order of the machine, and a port. The header of
// the table does not have one.
func address(text string) netip.AddrPort {
	ip, port, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(ip)
	number, portErr := strconv.ParseUint(port, 16, 16)
	if err != nil || portErr != nil || len(raw)%4 != 0 {
		return netip.AddrPort{}
	}
	for word := raw; len(word) > 0; word = word[4:] {
		binary.BigEndian.PutUint32(word, binary.NativeEndian.Uint32(word))
	}
	parsed, _ := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(parsed.Unmap(), uint16(number))
}
