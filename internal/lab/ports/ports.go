// Package ports reserves ports on loopback for programs that cannot choose one themselves.
package ports

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Reserved are ports of 127.0.0.1. No other caller of Reserve on this machine gets them before
// they are released. Programs listen on TCP, so listening on the same UDP port reserves it. The
// reservation ends with the process, and leaves no file.
type Reserved struct {
	Ports   []int
	sockets []net.PacketConn
}

// Release ends the reservation. The programs listen by then.
func (r *Reserved) Release() {
	for _, socket := range r.sockets {
		_ = socket.Close()
	}
}

// Reserve chooses free ports from 20000 to 29999 at random. That is below the range of outgoing
// connections: one of them could take a port before its program listens.
func Reserve(count int) (*Reserved, error) {
	const lowest, size, tries = 20000, 10000, 1000
	r := &Reserved{}
	for range tries {
		if len(r.Ports) == count {
			return r, nil
		}
		port := lowest + rand.IntN(size)
		socket, err := net.ListenPacket("udp", Address(port))
		if err != nil {
			continue
		}
		if CheckFree(port) != nil {
			_ = socket.Close()
			continue
		}
		r.Ports, r.sockets = append(r.Ports, port), append(r.sockets, socket)
	}
	r.Release()
	return nil, fmt.Errorf("there are not %d free ports on 127.0.0.1 from %d to %d", count, lowest, lowest+size-1)
}

// CheckFree fails if a program listens on the port.
func CheckFree(port int) error {
	listener, err := net.Listen("tcp", Address(port))
	if err != nil {
		return err
	}
	return listener.Close()
}

// Address returns the address of a port on loopback.
func Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
