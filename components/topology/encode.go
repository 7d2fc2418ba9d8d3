package topology

import "encoding/json"

// Encode writes a topology as [Decode] reads it: as what a package for YAML or JSON encodes. What
// was left out stays out.
func Encode(t Topology) map[string]any {
	type pool struct {
		Pool
		Taints []string `json:"taints,omitzero"`
	}
	document := struct {
		Topology
		Pools []pool `json:"pools"`
	}{Topology: t, Pools: make([]pool, len(t.Pools))}
	for i, p := range t.Pools {
		document.Pools[i].Pool = p
		for _, taint := range p.Taints {
			document.Pools[i].Taints = append(document.Pools[i].Taints, FormatTaint(taint))
		}
	}
	var encoded map[string]any
	text, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(text, &encoded)
	}
	if err != nil {
		// A price that is not a number, which [Topology.Validate] refuses.
		panic("topology: " + err.Error())
	}
	return encoded
}
