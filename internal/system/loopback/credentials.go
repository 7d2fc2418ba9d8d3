package loopback

import (
	"context"
	"net"
	"sync"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/peer"
)

// Credentials are for a server that serves only this user. A connection of another user is closed before its first
// call. Root is another user too: Pulumi's engine runs as the user of the programs that it starts, and the root of a
// container, which can share the network of the machine, is not always root of the machine.
func Credentials() credentials.TransportCredentials {
	return own{insecure.NewCredentials(), new(clients)}
}

// own adds the check to credentials that do not encrypt: only root can listen to the loopback interface.
type own struct {
	credentials.TransportCredentials

	clients *clients
}

// ServerHandshake implements the interface.
func (o own) ServerHandshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	if err := o.clients.check(raw); err != nil {
		return nil, nil, err
	}
	conn := &Conn{Conn: raw, closed: make(chan struct{})}
	return conn, info{credentials.CommonAuthInfo{SecurityLevel: credentials.NoSecurity}, conn}, nil
}

// Clone implements the interface.
func (o own) Clone() credentials.TransportCredentials {
	return own{o.TransportCredentials.Clone(), o.clients}
}

type info struct {
	credentials.CommonAuthInfo

	conn *Conn
}

// AuthType implements the interface.
func (info) AuthType() string { return "loopback" }

// Conn is a connection to a server with [Credentials].
type Conn struct {
	net.Conn

	once   sync.Once
	closed chan struct{}
}

// Close closes the connection. The server also calls it when the client has closed the connection.
func (c *Conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Closed returns a channel that is closed with the connection.
func (c *Conn) Closed() <-chan struct{} { return c.closed }

// Of returns the connection that a call came on, nil if the server has other credentials.
func Of(ctx context.Context) *Conn {
	from, ok := peer.FromContext(ctx)
	if !ok {
		return nil
	}
	of, _ := from.AuthInfo.(info)
	return of.conn
}
