package policy

import (
	"maps"
	"slices"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
)

// Name is the name of the pack.
const Name = "mixedkube"

// The policies that are not rules.
const (
	// clusterPolicy shows where pods can run, and has the configuration of all policies.
	clusterPolicy = "cluster"
	// placePolicy completes pods.
	placePolicy = "place"
	// previewPolicy prevents the API server from ending a preview early.
	previewPolicy = "preview"
)

// rules are all rules of the pack: the ones of package guard.
var rules = rule.NewSet(slices.Concat(preflight.Rules(), preflight.ClusterRules(), helmchart.Rules())...)

// levels are the enforcement levels of findings, by their severity, unless they are configured.
var levels = map[rule.Severity]pulumirpc.EnforcementLevel{
	rule.Error:   pulumirpc.EnforcementLevel_MANDATORY,
	rule.Warning: pulumirpc.EnforcementLevel_ADVISORY,
	rule.Info:    pulumirpc.EnforcementLevel_ADVISORY,
}

// severities are Pulumi's words for the severities of findings.
var severities = map[rule.Severity]pulumirpc.PolicySeverity{
	rule.Error:   pulumirpc.PolicySeverity_POLICY_SEVERITY_HIGH,
	rule.Warning: pulumirpc.PolicySeverity_POLICY_SEVERITY_MEDIUM,
	rule.Info:    pulumirpc.PolicySeverity_POLICY_SEVERITY_LOW,
}

// policies returns all policies of the pack: one for each rule, and three others.
func policies() ([]*pulumirpc.PolicyInfo, error) {
	all := []*pulumirpc.PolicyInfo{
		{
			Name: clusterPolicy, DisplayName: "the cluster, and where the pods can land",
			Description: "says, in a preview, where the pods of each workload can land, and has the configuration " +
				"of all policies: the topology of the cluster, and what is ignored",
			EnforcementLevel: pulumirpc.EnforcementLevel_ADVISORY,
			PolicyType:       pulumirpc.PolicyType_POLICY_TYPE_STACK,
		},
		{
			Name: placePolicy, DisplayName: "pods land on the nodes of their operating system",
			Description: "with the enforcement level remediate, adds to pods what they lack to land on the nodes of " +
				"their operating system and on no others",
			EnforcementLevel: pulumirpc.EnforcementLevel_DISABLED,
			PolicyType:       pulumirpc.PolicyType_POLICY_TYPE_RESOURCE,
		},
		{
			Name: previewPolicy, DisplayName: "previews that show everything",
			Description: "keeps objects with mandatory violations from the API server in a preview, which would " +
				"otherwise end with the first one that is refused; it deploys nothing",
			EnforcementLevel: pulumirpc.EnforcementLevel_REMEDIATE,
			PolicyType:       pulumirpc.PolicyType_POLICY_TYPE_RESOURCE,
		},
	}
	for _, r := range rules {
		all = append(all, policyOf(r))
	}
	for _, p := range all {
		var err error
		if p.ConfigSchema, err = schemaOf(p.GetName()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func policyOf(r rule.Rule) *pulumirpc.PolicyInfo {
	p := &pulumirpc.PolicyInfo{
		Name: r.ID, DisplayName: r.Title, Description: r.Title, Message: r.Reason, Url: rule.URL(r.ID),
		EnforcementLevel: levels[r.Severity], Severity: severities[r.Severity],
		PolicyType: pulumirpc.PolicyType_POLICY_TYPE_RESOURCE,
	}
	if _, ofCluster := preflight.ClusterRules().Find(r.ID); ofCluster || r.Across {
		p.PolicyType = pulumirpc.PolicyType_POLICY_TYPE_STACK
	}
	return p
}

// schema is the JSON schema of a configuration.
type schema = map[string]any

func text(description string) schema { return schema{"type": "string", "description": description} }

func flag(description string) schema { return schema{"type": "boolean", "description": description} }

func texts(description string) schema {
	return schema{"type": "array", "items": schema{"type": "string"}, "description": description}
}

func list(description string, properties schema) schema {
	return schema{"type": "array", "description": description, "items": schema{
		"type": "object", "properties": properties, "additionalProperties": false,
	}}
}

// selection has the properties that select objects.
func selection() schema {
	return schema{
		"namespaces": texts("patterns of the namespaces of objects; the default is all objects"),
		"resources": texts("patterns of objects: the URN, TYPE::NAME, the name of the resource, KIND/NAME or NAME; " +
			"the default is all objects"),
	}
}

func ignores(description string, more schema) schema {
	properties := selection()
	properties["reason"] = text("why, for the reader")
	maps.Copy(properties, more)
	return list(description, properties)
}

// topologySchema returns the schema of a topology, or of the path of its file. Reading it checks the rest.
func topologySchema() schema {
	return schema{
		"type": []any{"string", "object"},
		"description": "the pools of the cluster, or the path of a topology file, relative to the directory of the " +
			"pack; the default is " + TopologyFile + " in that directory, if there is such a file",
	}
}

// planSchema returns the schema of a planned topology, as topologySchema does.
func planSchema() schema {
	return schema{
		"type": []any{"string", "object"},
		"description": "the pools that the cluster will have, or the path of a topology file, relative to the " +
			"directory of the pack: what the change strands is an error; without it, nothing is compared",
	}
}

// schemaOf returns the schema of the configuration of a policy.
func schemaOf(policy string) (*pulumirpc.PolicyConfigSchema, error) {
	var properties schema
	version := text("the version of the API server, 1.36 for example; the default is the topology's")
	switch policy {
	case clusterPolicy:
		properties = schema{
			"topology":          topologySchema(),
			"to":                planSchema(),
			"kubernetesVersion": version,
			"matching": text("how well the Windows release of an image must match its host's: strict or relaxed; the " +
				"default is the topology's, or strict"),
			"images": text("the path of the lock file of images, relative to the directory of the pack; the default " +
				"is mixedkube.images.yaml in that directory, if there is such a file"),
			"horizon": schema{
				"type": "integer", "minimum": 0,
				"description": "how many days before the end of AKS' support of a Windows release its pools are " +
					"reported, for topologies with cloud: aks; the default, 0, is two years",
			},
			"ignore": ignores("findings that are ignored", schema{
				"rules": texts("IDs of rules; the default is all rules"),
			}),
			"clusters": list("the clusters of a program that deploys to several, one for each provider", schema{
				"provider":          text("the name of the provider resource"),
				"topology":          topologySchema(),
				"to":                planSchema(),
				"kubernetesVersion": version,
			}),
		}
	case placePolicy:
		properties = schema{
			"only": list("the objects that are completed; the default is all", selection()),
			"movePins": flag("move the node selectors for Windows builds that earlier versions of mixedkube wrote " +
				"without a mark"),
			"assumeLinux": flag("assume Linux for pods if nothing says which operating system they need"),
			"replace": flag("complete Jobs and Pods too: Pulumi replaces those that exist and lack something, and a " +
				"Job runs again"),
		}
	case previewPolicy:
		return nil, nil
	default:
		properties = schema{"ignore": ignores("the objects whose findings of this rule are ignored", nil)}
	}
	fields, err := structpb.NewStruct(properties)
	if err != nil {
		return nil, err
	}
	return &pulumirpc.PolicyConfigSchema{Properties: fields}, nil
}
