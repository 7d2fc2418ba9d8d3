package apiserver

import (
	"context"
	"time"
)

// keysInterval is how often the keys of machines with connections are checked. A control plane takes longer than that
// to restart.
const keysInterval = time.Second

// watchKeys checks the keys until the proxy is stopped.
func (p *proxy) watchKeys(ctx context.Context) {
	ticker := time.NewTicker(keysInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			p.endStale(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// endStale closes connections, including watches, to API servers that were restarted with other keys or that were
// deleted. New connections are verified with the new keys.
func (p *proxy) endStale(ctx context.Context) {
	for address, open := range p.conns.toMachines() {
		keys, simulated, err := p.Resolve(ctx, address)
		if ctx.Err() != nil {
			return
		}
		for _, c := range open {
			if err != nil || !simulated || keys != c.keys {
				_ = c.Close()
			}
		}
	}
}
