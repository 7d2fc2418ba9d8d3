package apiserver

import (
	"context"
	"time"
)

// keysInterval is how often the keys of machines with connections are looked at. A control
// plane takes longer to restart.
const keysInterval = time.Second

// watchKeys looks at the keys as long as the proxy works.
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

// endStale ends connections, watches among them, to API servers that have been restarted with
// other keys, or are gone. Whoever connects again is judged by the new keys.
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
