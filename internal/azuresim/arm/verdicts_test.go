package arm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
)

// verdict is what the preview of a program with package aks knows of a refusal, and requests that get it. Exactly one
// of Found, State, Unsent and NotYet is set.
type verdict struct {
	// Found are the IDs of the rules that report it in a preview, or "topology" for the checks of package topology.
	Found string
	// State is the reason if only Azure knows it.
	State string
	// Unsent says why no program with package aks gets it.
	Unsent string
	// NotYet says why the preview does not report it yet.
	NotYet string
	// Code is "CODE" or "CODE(TARGET)". If it is empty, the text is "TARGET: DETAILS" of InvalidParameter.
	Code  string
	Cases []mistake
	// Plan changes goodPlan, so that it has the mistake of the first case. A preview reports it then.
	Plan json.RawMessage

	// file is the source of the refusal.
	file string
}

// mistake is a request that is refused.
type mistake struct {
	// Name is the name of the cluster or pool if it is not the usual one.
	Name string
	// Cluster changes a new cluster, and First its pool.
	Cluster, First Body
	// Linux, System and Windows change a new pool, and Body replaces it.
	Linux, System, Windows, Body Body
	// Existing changes the cluster of the new pool.
	Existing Body
	// Values replace the "…" of the text and of the target.
	Values []any
}

// verdicts returns the classification of the refusals of requests for clusters and pools, by their keys. The files are
// testdata/refusals/SOURCE/FUNCTION.yaml.
func verdicts(t *testing.T) map[string]verdict {
	t.Helper()
	all := map[string]verdict{}
	for path, texts := range casetest.Files[map[string]verdict](t, "testdata/refusals",
		"$group", groupID, "$network", networkID, "$subnet", subnetID) {
		source, function, _ := strings.Cut(path, "/")
		for text, v := range texts {
			v.file = source + ".go"
			all[function+": "+text] = v
		}
	}
	return all
}

// refusal returns the request with the expected answer.
func (m mistake) refusal(t *testing.T, v verdict, key string) refusal {
	t.Helper()
	r := refusal{before: []any{clusterID, clusterBody(m.Existing)}, want: m.answer(t, v, key)}
	name := "apps"
	switch {
	case m.Linux != nil:
		r.body = linuxPool(m.Linux)
	case m.System != nil:
		name, r.body = "sys2", linuxPool(map[string]any{"mode": "System"})
		apply(r.body["properties"].(Body), m.System)
	case m.Windows != nil:
		name, r.body = "win", windowsPool(m.Windows)
	case m.Body != nil:
		r.body = m.Body
	default:
		name, r.before, r.body = "shop", nil, clusterBody(m.Cluster)
		if m.First != nil {
			setAt(r.body, "properties.agentPoolProfiles", firstPool(m.First))
		}
	}
	if m.Name != "" {
		name = m.Name
	}
	r.id = groupID + "/providers/Microsoft.ContainerService/managedClusters/" + name
	if r.before != nil {
		r.id = clusterID + "/agentPools/" + name
	}
	return r
}

func (m mistake) answer(t *testing.T, v verdict, key string) *Error {
	t.Helper()
	_, text, _ := strings.Cut(key, ": ")
	if v.Code == "" {
		target, details, _ := strings.Cut(filled(text, m.Values), ": ")
		return invalid(target, details)
	}
	answer := filledAnswer(t, v.Code+": "+text, m.Values)
	if strings.HasPrefix(text, "Invalid admin") {
		answer.Message = strings.TrimSuffix(answer.Message, "…") + osProfile
	}
	return answer
}

// mistaken returns goodPlan with the mistake.
func (v verdict) mistaken(t *testing.T) plan.Cluster {
	t.Helper()
	c := goodPlan()
	patched := struct {
		*plan.Cluster
		System, Windows *topology.Pool
		Password        any
	}{&c, &c.Topology.Pools[0], &c.Topology.Pools[1], password}
	if err := casetest.Patch(&patched, v.Plan); err != nil {
		t.Fatal(err)
	}
	c.WindowsAdmin.Password = patched.Password
	return c
}
