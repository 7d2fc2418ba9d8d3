package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
)

// checkPort fails if the API server neither has the port nor can have it.
func (c Cluster) checkPort(port int) error {
	switch {
	case port == 0:
		return nil
	case port < 0 || port > 65535:
		return fmt.Errorf("%d is not a valid port: choose one from 1 to 65535, or 0 for one that is free", port)
	case !c.Exists():
		if err := listen(port); err != nil {
			return fmt.Errorf("port %d is not free on 127.0.0.1 (%w): choose another one, or 0 for one that is free",
				port, err)
		}
		return nil
	}
	config, err := c.kwokctlKubeconfig()
	if err != nil {
		return err
	}
	for _, cluster := range config.Clusters {
		if !strings.HasSuffix(cluster.Server, ":"+strconv.Itoa(port)) {
			return fmt.Errorf("the cluster is at %s: take it down with `make down` to give it port %d", cluster.Server,
				port)
		}
	}
	return nil
}

// reserved are the ports of a cluster. No other lab on this machine chooses them before they are
// released. The components listen on TCP, so listening on the same UDP port reserves it. The
// reservation ends with the process, and leaves no file.
type reserved struct {
	ports   [6]int
	sockets []net.PacketConn
}

func (r *reserved) release() {
	for _, socket := range r.sockets {
		_ = socket.Close()
	}
}

// choosePorts chooses free ports at random. The first port is an argument, or chosen if it is 0.
// The ports are below the range of outgoing connections, because a connection could
// take a port before its component does. The caller releases them when the components listen.
func choosePorts(first int) (*reserved, error) {
	const lowest, count, tries = 20000, 10000, 1000
	var r reserved
	chosen := r.ports[:0]
	if first != 0 {
		chosen = append(chosen, first)
	}
	for range tries {
		if len(chosen) == len(r.ports) {
			return &r, nil
		}
		port := lowest + rand.IntN(count)
		socket, err := net.ListenPacket("udp", loopback(port))
		if err != nil {
			continue
		}
		if listen(port) != nil {
			_ = socket.Close()
			continue
		}
		chosen, r.sockets = append(chosen, port), append(r.sockets, socket)
	}
	r.release()
	return nil, errors.New("there are not enough free ports on 127.0.0.1 from 20000 to 29999")
}

// listen tries a port.
func listen(port int) error {
	listener, err := net.Listen("tcp", loopback(port))
	if err != nil {
		return err
	}
	return listener.Close()
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
