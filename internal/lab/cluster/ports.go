package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/lab/ports"
)

// checkPort fails if the API server neither has the port nor can have it.
func (c Cluster) checkPort(port int) error {
	switch {
	case port == 0:
		return nil
	case port < 0 || port > 65535:
		return fmt.Errorf("%d is not a valid port: choose one from 1 to 65535, or 0 for one that is free", port)
	case !c.Exists():
		if err := ports.CheckFree(port); err != nil {
			return fmt.Errorf("port %d is not free on 127.0.0.1 (%w): choose another one, or 0 for one that is free",
				port, err)
		}
		return nil
	}
	config, err := c.kwokctlKubeconfig()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(config.Clusters)) {
		cluster := config.Clusters[name]
		if !strings.HasSuffix(cluster.Server, ":"+strconv.Itoa(port)) {
			return fmt.Errorf("the cluster is at %s: take it down with `make down` to give it port %d", cluster.Server,
				port)
		}
	}
	return nil
}

// reservePorts reserves a port for each component. The first port, the API server's, is an argument,
// or chosen if it is 0. The caller releases them when the components listen.
func reservePorts(first int) ([6]int, *ports.Reserved, error) {
	var all [6]int
	chosen := all[:]
	if first != 0 {
		all[0], chosen = first, all[1:]
	}
	r, err := ports.Reserve(len(chosen))
	if err != nil {
		return all, nil, err
	}
	copy(chosen, r.Ports)
	return all, r, nil
}
