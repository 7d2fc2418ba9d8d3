package connectivity

import (
	"strconv"

	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

// systemUser is the user of a Windows node's own processes.
const systemUser workload.User = `NT AUTHORITY\SYSTEM`

// newJob registers the Job of a pair, with a container for each check. They are containers and not init containers,
// which would run one after the other: so all failures show at once, and Pulumi shows the last output of containers,
// but not that of init containers.
func (s *suite) newJob(ctx *pulumi.Context, p pair, to target) (*batchv1.Job, error) {
	name := s.name + "-" + p.name()
	from := p.source.platform
	labels := checkLabels(s.name, p)
	spec := s.podSpec(from)
	spec.RestartPolicy = pulumi.String("Never")
	image := s.args.Images.of(from)
	var user workload.User
	if p.source.node {
		spec.HostNetwork = pulumi.Bool(true)
		image = s.args.Images.onNode(from)
		if from.IsWindows() {
			user = systemUser
			spec.SecurityContext = corev1.PodSecurityContextArgs{
				WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{HostProcess: pulumi.Bool(true)},
			}
		}
	}
	switch {
	case p.sameNode:
		spec.Affinity = s.nearTarget(from)
	case from == p.target:
		spec.Affinity = s.apartFrom(from)
	}
	var containers corev1.ContainerArray
	for _, c := range p.checks {
		containers = append(containers, corev1.ContainerArgs{
			Name:                     pulumi.String(string(c)),
			Image:                    pulumi.String(image),
			Command:                  pulumi.ToStringArray(command(from, "check")),
			Env:                      s.checkEnv(c, p, to),
			TerminationMessagePolicy: pulumi.String(string(k8score.TerminationMessageFallbackToLogsOnError)),
		})
	}
	spec.Containers = containers
	// A unique name for each Job lets all of a run start at once, and before the old ones are deleted. The next update
	// recreates a Job that has failed.
	metadata := s.metadata("", labels)
	metadata.Annotations = pulumi.StringMap{"pulumi.com/replaceUnready": pulumi.String("true")}
	job, err := workload.NewJob(ctx, name, &workload.JobArgs{
		Platform: from, Topology: s.args.Topology.Topology, Scheduling: workload.BySelector, User: user,
		Metadata: metadata,
		Spec: batchv1.JobSpecArgs{
			// The checks themselves try again.
			BackoffLimit: pulumi.Int(0),
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels, Annotations: runAnnotation(s.args.Run)},
				Spec:     spec,
			},
		},
	}, pulumi.Parent(s.component), s.timeouts)
	if err != nil {
		return nil, err
	}
	return job.Job, nil
}

// runAnnotation makes the template of another run different: a Job with a new template replaces the old one.
func runAnnotation(run string) pulumi.StringMapInput {
	if run == "" {
		return nil
	}
	return pulumi.StringMap{annotationRun: pulumi.String(run)}
}

// nodeOfTarget selects the node that the target on a platform is on.
func (s *suite) nodeOfTarget(p platform.Platform) corev1.PodAffinityTermArgs {
	return corev1.PodAffinityTermArgs{
		LabelSelector: metav1.LabelSelectorArgs{MatchLabels: targetLabels(s.name, p)},
		TopologyKey:   pulumi.String(k8score.LabelHostname),
	}
}

// nearTarget puts pods on the node of the target on their own platform.
func (s *suite) nearTarget(p platform.Platform) corev1.AffinityArgs {
	return corev1.AffinityArgs{PodAffinity: corev1.PodAffinityArgs{
		RequiredDuringSchedulingIgnoredDuringExecution: corev1.PodAffinityTermArray{s.nodeOfTarget(p)},
	}}
}

// apartFrom keeps pods off the node of the target on their own platform, if there is
// another node.
func (s *suite) apartFrom(p platform.Platform) corev1.AffinityArgs {
	other := s.nodeOfTarget(p)
	if leastNodes(s.args.Topology, p) > 1 {
		return corev1.AffinityArgs{PodAntiAffinity: corev1.PodAntiAffinityArgs{
			RequiredDuringSchedulingIgnoredDuringExecution: corev1.PodAffinityTermArray{other},
		}}
	}
	return corev1.AffinityArgs{PodAntiAffinity: corev1.PodAntiAffinityArgs{
		PreferredDuringSchedulingIgnoredDuringExecution: corev1.WeightedPodAffinityTermArray{
			corev1.WeightedPodAffinityTermArgs{Weight: pulumi.Int(100), PodAffinityTerm: other},
		},
	}}
}

// variable is an environment variable of a container.
type variable struct {
	name  string
	value pulumi.StringInput
}

func env(variables ...variable) corev1.EnvVarArray {
	var all corev1.EnvVarArray
	for _, v := range variables {
		all = append(all, corev1.EnvVarArgs{
			Name:  pulumi.String(v.name),
			Value: v.value.ToStringOutput().ToStringPtrOutput(),
		})
	}
	return all
}

// checkEnv returns the variables that check.sh and check.ps1 need.
func (s *suite) checkEnv(c Check, p pair, to target) corev1.EnvVarArray {
	variables := []variable{
		{"CHECK", pulumi.String(string(c))},
		{"FROM", pulumi.String(p.source.String())},
		{"TO", pulumi.String(p.target.String())},
		{"TIMEOUT_SECONDS", pulumi.String(strconv.Itoa(s.args.TimeoutSeconds))},
	}
	answer := to.answer
	var address pulumi.StringInput
	switch c {
	case NodeToPod, PodToPod:
		address = urlOf(to.podIP(), pulumi.Int(port))
	case ServiceToPod:
		address = urlOf(to.clusterIP(), pulumi.Int(port))
	case ServiceDiscovery:
		name := to.dnsName(s.args.ClusterDomain)
		address = urlOf(name, pulumi.Int(port))
		variables = append(variables, variable{"DNS_NAME", name}, variable{"DNS_ADDRESS", to.clusterIP()})
	case Inbound:
		address = to.nodeURL(s.args.NodeAddress)
	default: // Outbound; PodRunning has no Job
		address = pulumi.String(s.args.OutboundURL)
		if s.args.OutboundURL == DefaultOutboundURL {
			answer = outboundAnswer
		}
	}
	return env(append(variables, variable{"URL", address}, variable{"ANSWER", pulumi.String(answer)})...)
}
