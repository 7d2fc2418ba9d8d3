package topology

import "encoding/json"

// Encode returns a topology in the form that [Decode] reads, for a YAML or JSON encoder. Fields that are not set are
// omitted.
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
		// The price is not a number, which [Topology.Validate] refuses.
		panic("topology: " + err.Error())
	}
	return encoded
}
