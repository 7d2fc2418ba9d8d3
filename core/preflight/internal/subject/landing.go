package subject

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Landing are pods that land on pools.
var Landing = &engine.Scope[*Pods]{
	Name: "pods on the pools of a topology", Has: func(p *Pods) bool { return p.Cluster.Nodes != nil },
}

// LandsOn returns the names of the pools where pods certainly land and for which takes returns true.
func (p *Pods) LandsOn(takes func(v *placement.Verdict) bool) []string {
	answer, _ := p.Placement()
	var names []string
	for i := range answer.Verdicts {
		if v := &answer.Verdicts[i]; v.Schedules == platform.Yes && takes(v) {
			names = append(names, v.Pool.Name)
		}
	}
	return names
}
