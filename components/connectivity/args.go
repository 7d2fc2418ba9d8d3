package connectivity

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

const (
	// DefaultOutboundURL is the address that Windows itself requests to check whether it is online
	// (https://learn.microsoft.com/windows-server/networking/ncsi/ncsi-overview). The check also compares the text: a
	// proxy or a login page would answer with another one.
	DefaultOutboundURL = "http://www.msftconnecttest.com/connecttest.txt"

	outboundAnswer = "Microsoft Connect Test"

	defaultClusterDomain  = "cluster.local"
	defaultTimeoutSeconds = 120
	maxTimeoutSeconds     = 3600
)

// SuiteArgs are the arguments of [NewSuite].
type SuiteArgs struct {
	// Topology is the cluster. Its defaults need not be applied. The suite checks each platform that has nodes, or may
	// get some from an autoscaler, with each other one. Required.
	Topology topology.Topology `pulumi:"topology"`

	// Namespace is the namespace of all objects. The default is the provider's. It can be the name of a Namespace of
	// the same program, its Metadata.Name(): all objects then wait for it. It must allow pods in the network of their
	// nodes and, with Windows nodes, host-process containers: the Pod Security Standard "privileged", unless
	// [NodeToPod], [ServiceToPod] and [Inbound] are skipped.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// ClusterDomain is the suffix of the Services' names: "cluster.local" by default.
	ClusterDomain pulumi.StringPtrInput `pulumi:"clusterDomain,optional"`

	// OutboundURL is the http address that the check [Outbound] requests. The default is [DefaultOutboundURL]. For
	// another address, any answer with a success status passes the check. Proxies are not used. Skip the check if pods
	// may not reach anything outside of the cluster.
	OutboundURL string `pulumi:"outboundURL,optional"`

	// NodeAddress is the address or the name of a node, or of a load balancer in front of nodes, that the check
	// [Inbound] uses. The default is the address of each target's own node.
	NodeAddress pulumi.StringPtrInput `pulumi:"nodeAddress,optional"`

	// Skip are checks to leave out. [PodRunning] cannot be skipped: all others need the pods.
	Skip []Check `pulumi:"skip,optional"`

	// RemotePodsFromWindowsNodes makes the check [NodeToPod] test requests from Windows nodes to the pods on all nodes.
	// By default it only tests requests to a pod on the same node: on an overlay network, such as flannel's vxlan, a
	// Windows node cannot reach other pods, even in a healthy cluster
	// (https://kubernetes.io/docs/concepts/services-networking/windows-networking/#network-modes). Set it if the nodes'
	// network routes the pods' addresses: in mode l2bridge.
	RemotePodsFromWindowsNodes bool `pulumi:"remotePodsFromWindowsNodes,optional"`

	// Images replace the default images, for mirrors.
	Images Images `pulumi:"images,optional"`

	// TimeoutSeconds is how long each check tries before it fails: 120 by default, at most 3600. Network rules of a new
	// Service take some seconds to reach each node.
	TimeoutSeconds int `pulumi:"timeoutSeconds,optional"`

	// Run is any text, for example a date: a changed text runs all checks again. Otherwise, an update repeats the
	// checks that have failed, and those whose inputs have changed. `pulumi up --refresh` recreates pods that were
	// deleted with their node.
	Run string `pulumi:"run,optional"`
}

// defaultedArgs are the arguments whose fields have their defaults.
type defaultedArgs struct {
	SuiteArgs

	Topology topology.Defaulted
}

func (a SuiteArgs) withDefaults() defaultedArgs {
	a.OutboundURL = cmp.Or(a.OutboundURL, DefaultOutboundURL)
	a.TimeoutSeconds = cmp.Or(a.TimeoutSeconds, defaultTimeoutSeconds)
	return defaultedArgs{a, a.Topology.WithDefaults()}
}

// maxNameLength leaves space for the rest of the longest name of a Job, which is a label of its pods: the pair, the
// kind, and Pulumi's suffix.
const maxNameLength = validation.LabelValueMaxLength - len("-windows-2022-node-to-windows-2025-job-01234567")

func checkName(name string, path *field.Path) field.ErrorList {
	if len(validation.IsDNS1035Label(name)) > 0 || len(name) > maxNameLength {
		return field.ErrorList{field.Invalid(path, name, fmt.Sprintf(
			"Services and Jobs are named after it: at most %d lower-case letters, digits and hyphens, with a letter "+
				"first and no hyphen last", maxNameLength))}
	}
	return nil
}

// inputs checks fields that may be outputs, and replaces them with checked ones.
func (a *SuiteArgs) inputs(subject string) field.ErrorList {
	var namespace, domain, address field.ErrorList
	a.Namespace, namespace = input.Namespace(subject, a.Namespace, "")
	a.ClusterDomain, domain = input.Text(subject, a.ClusterDomain, defaultClusterDomain, checkClusterDomain)
	a.NodeAddress, address = input.Text(subject, a.NodeAddress, "", checkNodeAddress)
	return slices.Concat(namespace, domain, address)
}

// check returns the mistakes in plain arguments that have their defaults.
func (a defaultedArgs) check() field.ErrorList {
	errs := a.Topology.Validate(field.NewPath("topology"))
	if len(errs) == 0 && len(inUse(a.Topology)) == 0 {
		errs = append(errs, field.Invalid(field.NewPath("topology", "pools"), len(a.Topology.Pools),
			"none of them has nodes: there is nothing to check"))
	}
	errs = append(errs, checkOutboundURL(a.OutboundURL, field.NewPath("outboundURL"))...)
	errs = append(errs, checkSkip(a.Skip, field.NewPath("skip"))...)
	errs = append(errs, a.Images.check(a.Topology, field.NewPath("images"))...)
	return append(errs, checkTimeout(a.TimeoutSeconds, field.NewPath("timeoutSeconds"))...)
}

func checkClusterDomain(domain string) field.ErrorList {
	if len(validation.IsDNS1123Subdomain(domain)) > 0 {
		return field.ErrorList{field.Invalid(field.NewPath("clusterDomain"), domain,
			"must be a DNS name without a dot at its ends, cluster.local for example")}
	}
	return nil
}

// checkOutboundURL shows no password. If it cannot parse the address, it shows nothing of it.
func checkOutboundURL(address string, path *field.Path) field.ErrorList {
	u, err := url.Parse(address)
	shown := ""
	if err == nil && !strings.Contains(u.Opaque, "@") {
		shown = u.Redacted()
	}
	switch {
	case err != nil || u.Scheme != "http" || u.Hostname() == "" || strings.ContainsAny(address, " \t\r\n"):
		return field.ErrorList{field.Invalid(path, shown,
			"must be an http address, http://example.com/ for example: the Linux image cannot check the certificate "+
				"of an https one")}
	case u.User != nil:
		return field.ErrorList{field.Invalid(path, shown, "must have no user and no password: the check sends none")}
	}
	return nil
}

func checkNodeAddress(address string) field.ErrorList {
	if address == "" || len(validation.IsDNS1123Subdomain(address)) == 0 {
		return nil
	}
	if _, err := netip.ParseAddr(address); err != nil {
		return field.ErrorList{field.Invalid(field.NewPath("nodeAddress"), address,
			"must be an IP address or a DNS name, without a port: that is the Service's")}
	}
	return nil
}

func checkSkip(skip []Check, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range skip {
		switch {
		case c == PodRunning:
			errs = append(errs, field.Invalid(path.Index(i), string(c),
				"all other checks need the pods: to check nothing, leave the suite out"))
		case !slices.Contains(Checks(), c):
			errs = append(errs, field.Invalid(path.Index(i), string(c),
				fielderrors.Unknown("check", string(c), checkNames())))
		}
	}
	return errs
}

func checkTimeout(seconds int, path *field.Path) field.ErrorList {
	if seconds < 1 || seconds > maxTimeoutSeconds {
		return field.ErrorList{field.Invalid(path, seconds,
			fmt.Sprintf("must be 1 to %d, or left out for %d", maxTimeoutSeconds, defaultTimeoutSeconds))}
	}
	return nil
}
