package apiserver

import (
	"io"
	"net"
	"sync"
)

// conns are open connections. close closes them all.
type conns struct {
	mutex  sync.Mutex
	open   map[*conn]bool
	closed bool
}

// conn is a connection whose beginning may have been read already.
type conn struct {
	net.Conn
	read io.Reader
	all  *conns
	// machine is the simulated machine that answers, nil if the address is not a simulated machine's.
	machine *machine
}

// serve makes c a connection to a simulated machine.
func (c *conn) serve(m *machine) {
	c.all.mutex.Lock()
	c.machine = m
	c.all.mutex.Unlock()
	m.serve(c)
}

// machines returns the set of the simulated machines with connections.
func (a *conns) machines() map[*machine]bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	connected := map[*machine]bool{}
	for c := range a.open {
		if c.machine != nil {
			connected[c.machine] = true
		}
	}
	return connected
}

// add takes ownership of a connection. It closes the connection if conns is already closed.
func (a *conns) add(c net.Conn, read io.Reader) (*conn, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.closed {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	if a.open == nil {
		a.open = map[*conn]bool{}
	}
	added := &conn{Conn: c, read: read, all: a}
	a.open[added] = true
	return added, nil
}

// close closes all connections, including those that are added later.
func (a *conns) close() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.closed = true
	for c := range a.open {
		_ = c.Conn.Close()
	}
	a.open = nil
}

func (c *conn) Read(b []byte) (int, error) { return c.read.Read(b) }

func (c *conn) Close() error {
	c.all.mutex.Lock()
	delete(c.all.open, c)
	c.all.mutex.Unlock()
	return c.Conn.Close()
}

// closeWrite tells the other side that no more data follows.
func (c *conn) closeWrite() error {
	if closer, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return closer.CloseWrite()
	}
	return c.Close()
}
