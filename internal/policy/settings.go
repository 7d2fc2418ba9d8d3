package policy

import (
	"fmt"
	"maps"
	"slices"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// allPolicies is the engine's name for a configuration of all policies.
const allPolicies = "all"

// settings are the configuration of the pack.
type settings struct {
	clusters []*cluster // the first is for the providers that no other one names
	levels   map[string]pulumirpc.EnforcementLevel
	policy   *report.Policy
	ignores  []ignore
	place    placing
}

// cluster is one of the clusters to which the program deploys.
type cluster struct {
	provider string // the name of the provider; "" for all others
	checker  *preflight.Checker
	pools    bool // the pools are known
}

// ignore is an element of the configuration.
type ignore struct {
	report.Ignore

	path string
}

// placing selects the pods that are completed.
type placing struct {
	on                             bool
	only                           *report.Selector
	assumeLinux, replace, movePins bool
}

// clusterConfig is the configuration of the cluster, and of all policies.
type clusterConfig struct {
	Topology          any               `json:"topology"`
	To                any               `json:"to"`
	KubernetesVersion string            `json:"kubernetesVersion"`
	Matching          platform.Matching `json:"matching"`
	Horizon           int               `json:"horizon"`
	Images            string            `json:"images"`
	Ignore            []report.Ignore   `json:"ignore"`
	Clusters          []providerConfig  `json:"clusters"`
}

// providerConfig is one of several clusters.
type providerConfig struct {
	Provider          string `json:"provider"          required:"give the name of the provider resource"`
	Topology          any    `json:"topology"          required:"list the pools of the cluster"`
	To                any    `json:"to"`
	KubernetesVersion string `json:"kubernetesVersion"`
}

// placeConfig is the configuration of the policy that completes pods.
type placeConfig struct {
	Only        []report.Selection `json:"only"`
	AssumeLinux bool               `json:"assumeLinux"`
	MovePins    bool               `json:"movePins"`
	Replace     bool               `json:"replace"`
}

// ruleConfig is the configuration of a rule.
type ruleConfig struct {
	Ignore []ruleIgnore `json:"ignore"`
}

type ruleIgnore struct {
	Namespaces []string `json:"namespaces"`
	Resources  []string `json:"resources"`
	Reason     string   `json:"reason"`
}

// reading collects the errors of a configuration.
type reading struct {
	dirs   directories
	errs   field.ErrorList
	others []fielderrors.At
}

// configured reads a configuration. The error has everything that is wrong with it.
func configured(dirs directories, config map[string]*pulumirpc.PolicyConfig) (*settings, error) {
	r := &reading{dirs: dirs}
	s := &settings{levels: map[string]pulumirpc.EnforcementLevel{}}
	known, err := policies()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range known {
		names = append(names, p.GetName())
		s.levels[p.GetName()] = p.GetEnforcementLevel()
	}
	for _, name := range slices.Sorted(maps.Keys(config)) {
		if !slices.Contains(names, name) {
			if name != allPolicies {
				r.errs = append(r.errs, unknown(name))
			}
			continue
		}
		s.levels[name] = config[name].GetEnforcementLevel()
	}
	of := func(policy string) any { return config[policy].GetProperties().AsMap() }
	s.clusters, s.ignores = r.clusters(of(clusterPolicy))
	for _, known := range rules {
		s.ignores = append(s.ignores, r.ruleIgnores(known.ID, of(known.ID))...)
	}
	s.place = r.placing(of(placePolicy), s.levels[placePolicy], s.clusters)
	if err := fielderrors.Join(Name, r.errs, r.others...); err != nil {
		return nil, err
	}
	ignored := make([]report.Ignore, len(s.ignores))
	for i, one := range s.ignores {
		ignored[i] = one.Ignore
	}
	s.policy = report.NewPolicy(rules, ignored, nil)
	return s, nil
}

// unknown returns the error for the name of a policy that does not exist.
func unknown(name string) *field.Error {
	detail := "there is no such policy: each rule is one, by its ID, and so are cluster, place and preview"
	near, ok := rules.Nearest(name)
	if !ok {
		near, ok = fielderrors.Nearest(name, []string{clusterPolicy, placePolicy, previewPolicy})
	}
	if ok {
		detail = fmt.Sprintf("there is no such policy: did you mean %q?", near)
	}
	return field.Invalid(field.NewPath(name), name, detail)
}

// clusters reads the configuration of the cluster.
func (r *reading) clusters(raw any) ([]*cluster, []ignore) {
	path := field.NewPath(clusterPolicy)
	var c clusterConfig
	r.errs = append(r.errs, tree.Decode(&c, raw, path)...)
	options := preflight.Options{
		KubernetesVersion: c.KubernetesVersion, Matching: c.Matching, Horizon: c.Horizon, Today: clock.Today(),
		Images: r.images(c.Images, path.Child("images")),
	}
	first := providerConfig{Topology: c.Topology, To: c.To}
	all := []*cluster{r.cluster(path, first, options)}
	for i, other := range c.Clusters {
		at := path.Child("clusters").Index(i)
		if slices.ContainsFunc(all[1:], func(c *cluster) bool { return c.provider == other.Provider }) {
			r.errs = append(r.errs, field.Duplicate(at.Child("provider"), other.Provider))
		}
		options.KubernetesVersion = other.KubernetesVersion
		all = append(all, r.cluster(at, other, options))
	}
	r.errs = append(r.errs, report.ValidateIgnores(path.Child("ignore"), rules, c.Ignore)...)
	var ignores []ignore
	for i, one := range c.Ignore {
		ignores = append(ignores, ignore{one, path.Child("ignore").Index(i).String()})
	}
	return all, ignores
}

// cluster reads the configuration of a cluster. The one without a provider is for all providers that no other one
// names. The options are those of all clusters, and its version.
func (r *reading) cluster(path *field.Path, c providerConfig, options preflight.Options) *cluster {
	wrong := len(r.errs) + len(r.others)
	options.Topology = r.topology(c.Topology, path.Child("topology"), c.Provider == "")
	unread := len(r.errs)+len(r.others) > wrong
	options.To = r.topology(c.To, path.Child("to"), false)
	if unread { // there is nothing to compare it with, which is reported
		options.To = topology.Topology{}
	}
	own := options
	if c.Provider != "" {
		own.Horizon = 0 // it is validated once
	}
	r.errs = append(r.errs, own.Validate(path)...)
	return &cluster{
		provider: c.Provider, checker: preflight.New(options), pools: len(options.Topology.Pools) > 0,
	}
}

// topology decodes the configured topology, or reads it from a file. The default is the file of the pack.
func (r *reading) topology(input any, path *field.Path, fromPack bool) (t topology.Topology) {
	file, isPath := input.(string)
	switch {
	case input == nil && fromPack:
		if file = r.ofPack(TopologyFile); file == "" {
			return t
		}
	case input == nil:
		return t
	case !isPath:
		var errs field.ErrorList
		t, errs = topology.Decode(input, path)
		r.errs = append(r.errs, errs...)
		return t
	}
	return r.topologyFile(file, path)
}

func (r *reading) images(file string, path *field.Path) *images.Lock {
	if file == "" {
		if file = r.ofPack(images.DefaultFile); file == "" {
			return nil
		}
	}
	return r.lockFile(file, path)
}

// ruleIgnores reads the configuration of a rule.
func (r *reading) ruleIgnores(id string, raw any) []ignore {
	path := field.NewPath(id)
	var c ruleConfig
	r.errs = append(r.errs, tree.Decode(&c, raw, path)...)
	path = path.Child("ignore")
	var selections []report.Selection
	var ignores []ignore
	for i, input := range c.Ignore {
		selections = append(selections, report.Selection{Namespaces: input.Namespaces, Resources: input.Resources})
		ignores = append(ignores, ignore{report.Ignore{
			Rules: []string{id}, Namespaces: input.Namespaces, Resources: input.Resources, Reason: input.Reason,
		}, path.Index(i).String()})
	}
	r.errs = append(r.errs, report.ValidateSelections(path, selections)...)
	return ignores
}

// placing reads the configuration of the policy that completes pods.
func (r *reading) placing(raw any, level pulumirpc.EnforcementLevel, clusters []*cluster) placing {
	path := field.NewPath(placePolicy)
	var c placeConfig
	r.errs = append(r.errs, tree.Decode(&c, raw, path)...)
	r.errs = append(r.errs, report.ValidateSelections(path.Child("only"), c.Only)...)
	on := level == pulumirpc.EnforcementLevel_REMEDIATE
	if on && !slices.ContainsFunc(clusters, func(c *cluster) bool { return c.pools }) {
		r.errs = append(r.errs, field.Required(field.NewPath(clusterPolicy, "topology"),
			"place needs to know the pools of the cluster"))
	}
	return placing{
		on: on, only: report.NewSelector(c.Only), assumeLinux: c.AssumeLinux, replace: c.Replace, movePins: c.MovePins,
	}
}

// level returns the level of a finding. A finding that is less severe than its rule, such as a guess, does not stop the
// program.
func (s *settings) level(f rule.Finding) pulumirpc.EnforcementLevel {
	level := s.levels[f.Rule]
	of, _ := rules.Find(f.Rule)
	if of.Severity == rule.Error && f.Severity != rule.Error && level != pulumirpc.EnforcementLevel_DISABLED {
		return pulumirpc.EnforcementLevel_ADVISORY
	}
	return level
}

// clusterOf returns the cluster of a provider, whose name is "" for the default one.
func (s *settings) clusterOf(provider string) *cluster {
	i := slices.IndexFunc(s.clusters, func(c *cluster) bool { return c.provider == provider })
	return s.clusters[max(0, i)]
}

// accepted reports, as the guard does, which findings the configuration accepts, and which parts of it are unused.
func (s *settings) accepted() (lines, unused []string) {
	lines = s.policy.Accepted()
	for i, n := range s.policy.Ignored() {
		if n == 0 {
			unused = append(unused, fmt.Sprintf("%s: %s: there is no such finding: remove it", s.ignores[i].path,
				s.ignores[i].Ignore))
		}
	}
	return lines, unused
}

// stop reports whether a level stops the program.
func stop(level pulumirpc.EnforcementLevel) bool {
	return level == pulumirpc.EnforcementLevel_MANDATORY || level == pulumirpc.EnforcementLevel_REMEDIATE
}

// objectsOf returns the objects of resources.
func objectsOf(resources []*resource) []*pods.Object {
	all := make([]*pods.Object, len(resources))
	for i, r := range resources {
		all[i] = r.object
	}
	return all
}
