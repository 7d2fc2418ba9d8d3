package apiserver

import (
	"context"
	"time"
)

// keysInterval is how often the keys of machines with connections are checked. A control plane takes longer than that
// to restart.
const keysInterval = time.Second

// drainTimeout is how long an API server that ends waits for its requests, as kube-apiserver does
// (ShutdownTimeout in staging/src/k8s.io/apiserver/pkg/server/config.go).
const drainTimeout = time.Minute

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

// endStale ends API servers whose machines have other keys now or were deleted. New connections are verified with the
// new keys.
func (p *proxy) endStale(ctx context.Context) {
	for m := range p.conns.machines() {
		keys, simulated, err := p.Resolve(ctx, m.address)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil || !simulated:
			m.close()
		case keys != m.keys:
			m.drain(ctx)
		}
	}
}
