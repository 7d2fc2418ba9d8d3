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

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
)

const (
	// DefaultOutboundURL is what Windows itself asks for to see whether it is online
	// (https://learn.microsoft.com/windows-server/networking/ncsi/ncsi-overview). The
	// check wants its text, too: a proxy or a login page would answer with another.
	DefaultOutboundURL = "http://www.msftconnecttest.com/connecttest.txt"

	outboundAnswer = "Microsoft Connect Test"

	defaultClusterDomain  = "cluster.local"
	defaultTimeoutSeconds = 120
	maxTimeoutSeconds     = 3600
)

// SuiteArgs are the arguments of [NewSuite].
type SuiteArgs struct {
	// Topology is the cluster. Its defaults need not be applied. Each platform that has
	// nodes, or may get some from an autoscaler, is checked with each other one.
	// Required.
	Topology topology.Topology `pulumi:"topology"`

	// Namespace is where all of it runs: that of the provider by default. The name of a
	// Namespace of the same program, its Metadata.Name(), can be given: all of it then waits
	// for it. It must allow pods in the network of their nodes and, with Windows nodes,
	// host-process containers: the Pod Security Standard "privileged", unless [NodeToPod],
	// [ServiceToPod] and [Inbound] are skipped.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// ClusterDomain is the suffix of the Services' names: "cluster.local" by default.
	ClusterDomain pulumi.StringPtrInput `pulumi:"clusterDomain,optional"`

	// OutboundURL is the http address that the check [Outbound] asks for:
	// [DefaultOutboundURL] by default. Of another one any answer with a status of
	// success is right. Proxies are not used. Skip the check where nothing outside may
	// be reached.
	OutboundURL string `pulumi:"outboundURL,optional"`

	// NodeAddress is the address or the name of a node, or of a load balancer in front
	// of nodes, that the check [Inbound] uses. The default is the address of each target's
	// own node.
	NodeAddress pulumi.StringPtrInput `pulumi:"nodeAddress,optional"`

	// Skip are checks to leave out. [PodRunning] cannot be: all others need the pods.
	Skip []Check `pulumi:"skip,optional"`

	// RemotePodsFromWindowsNodes lets the check [NodeToPod] ask Windows nodes for the pods
	// on all nodes. By default it asks them for a pod on their own node only: on an overlay
	// network, such as flannel's vxlan, a Windows node reaches no others, and the cluster is
	// healthy all the same
	// (https://kubernetes.io/docs/concepts/services-networking/windows-networking/#network-modes).
	// Set it where the nodes' network routes the pods' addresses: in mode l2bridge.
	RemotePodsFromWindowsNodes bool `pulumi:"remotePodsFromWindowsNodes,optional"`

	// Images replace the images, for mirrors.
	Images Images `pulumi:"images,optional"`

	// TimeoutSeconds is for how long each check tries before it fails: 120 by default, at
	// most 3600. Network rules of a new Service take some seconds to reach each node.
	TimeoutSeconds int `pulumi:"timeoutSeconds,optional"`

	// Run is any text, a date for example: another one runs all checks again. Without
	// it, an update runs those again that have failed, and those of which something has
	// changed. Pods that have gone with their node come back with `pulumi up --refresh`.
	Run string `pulumi:"run,optional"`
}

// withDefaults is a copy in which everything that was left out has its default.
func (a SuiteArgs) withDefaults() SuiteArgs {
	a.Topology = a.Topology.WithDefaults().Topology
	a.OutboundURL = cmp.Or(a.OutboundURL, DefaultOutboundURL)
	a.TimeoutSeconds = cmp.Or(a.TimeoutSeconds, defaultTimeoutSeconds)
	return a
}

// maxNameLength leaves room for the rest of the longest name of a Job, which is a label
// of its pods: the pair, the kind, and what Pulumi adds.
const maxNameLength = validation.LabelValueMaxLength - len("-windows-2022-node-to-windows-2025-job-01234567")

func checkName(name string, path *field.Path) field.ErrorList {
	if len(validation.IsDNS1035Label(name)) > 0 || len(name) > maxNameLength {
		return field.ErrorList{field.Invalid(path, name, fmt.Sprintf(
			"Services and Jobs are named after it: at most %d lower-case letters, digits and hyphens, with a letter "+
				"first and no hyphen last", maxNameLength))}
	}
	return nil
}

// inputs checks what may be outputs, and puts what is checked in its place.
func (a *SuiteArgs) inputs(subject string) field.ErrorList {
	var namespace, domain, address field.ErrorList
	a.Namespace, namespace = input.Namespace(subject, a.Namespace, "")
	a.ClusterDomain, domain = input.Text(subject, a.ClusterDomain, defaultClusterDomain, checkClusterDomain)
	a.NodeAddress, address = input.Text(subject, a.NodeAddress, "", checkNodeAddress)
	return slices.Concat(namespace, domain, address)
}

// check returns what is wrong with plain arguments that have their defaults.
func (a SuiteArgs) check() field.ErrorList {
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

// checkOutboundURL shows no password, and nothing of what it cannot find one in.
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
