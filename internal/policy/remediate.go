package policy

import (
	"context"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Remediate completes pods, if that is configured. In a preview it also hides objects whose violations stop the program
// from the API server: Pulumi's provider does not call the API server if annotations are unknown. So the preview
// continues, and also shows the resources that depend on such an object.
func (s *server) Remediate(_ context.Context, req *pulumirpc.AnalyzeRequest) (*pulumirpc.RemediateResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings, err := s.ready()
	if err != nil {
		return nil, err
	}
	out := &pulumirpc.RemediateResponse{}
	r := settings.read(req)
	if r == nil || r.chart != nil {
		return out, nil
	}
	s.see(r)
	is := req.GetProperties()
	if edits := settings.decide(r); len(edits) > 0 {
		if is, err = apply(is, edits); err != nil {
			return nil, err
		}
		stated := r.object.Stated
		r.object = pods.ReadObject(mutate.Apply(r.object.Tree, edits))
		r.object.Stated = stated
		out.Remediations = append(out.Remediations, s.remediation(placePolicy,
			"pods land on the nodes of their operating system", is))
	}
	delete(s.held, r.urn)
	if s.stack.GetDryRun() && settings.levels[previewPolicy] != pulumirpc.EnforcementLevel_DISABLED && s.stops(r) {
		s.held[r.urn] = true
		out.Remediations = append(out.Remediations, s.remediation(previewPolicy,
			"the object is hidden from the API server until its violations are fixed", withoutAnnotations(is)))
	}
	return out, nil
}

// decide returns the edits that complete the pods of an object, and records the outcome.
func (s *settings) decide(r *resource) []mutate.Edit {
	if !s.place.on || !r.cluster.pools || !s.place.only.Selects(r.reported()) {
		return nil
	}
	// Pulumi would replace an existing object. The guard prevents that with the option ignoreChanges, which a policy
	// cannot set.
	if !s.place.replace && mutate.EffectOn(r.object.Tree) == mutate.Replaces {
		return nil
	}
	policy := mutate.Policy{AssumeLinux: s.place.assumeLinux, MovePins: s.place.movePins}
	d := mutate.Decide(r.object, r.cluster.checker.Context(), policy)
	r.outcome = d.Outcome
	return d.Edits
}

// stops reports whether a finding about a resource stops the program, and is not accepted.
func (s *server) stops(r *resource) bool {
	of := r.reported()
	for _, f := range r.findings() {
		if stop(s.settings.level(f)) && !s.settings.policy.Ignores(of, f) {
			return true
		}
	}
	return false
}

func (s *server) remediation(policy, description string, properties *structpb.Struct) *pulumirpc.Remediation {
	return &pulumirpc.Remediation{
		PolicyName: policy, PolicyPackName: Name, PolicyPackVersion: s.version, Description: description,
		Properties: properties,
	}
}
