package gmsa

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// The defaults of [NewWebhook].
const (
	DefaultWebhookName      = "gmsa-webhook"
	DefaultWebhookNamespace = "kube-system"

	// DefaultChart is the project's chart of the version [DefaultChartVersion], at a commit, so
	// that it cannot be replaced.
	DefaultChart = projectFiles + facts.GMSAWebhookChartCommit + "/charts/repo/" + ProjectChart + "-" +
		DefaultChartVersion + ".tgz"
	DefaultChartVersion = facts.GMSAWebhookChart

	// ProjectChart is the name of the chart in the project's repository, and in mirrors.
	ProjectChart = "gmsa"
	// ProjectChartRepository is the repository in the project's branch master, for versions
	// other than the default: anyone who can push to that branch can replace each of them
	// (https://github.com/kubernetes-sigs/windows-gmsa/blob/master/charts/README.md).
	ProjectChartRepository = projectFiles + "master/charts/repo"

	projectFiles = "https://raw.githubusercontent.com/kubernetes-sigs/windows-gmsa/"
)

// WebhookArgs are the arguments of [NewWebhook]. None is required.
type WebhookArgs struct {
	// Name is the name of the release and of all of its objects in the cluster: a DNS-1035
	// label of at most 53 characters. The default is [DefaultWebhookName].
	Name string `pulumi:"name,optional"`

	// Namespace is where the webhook runs, and must exist. The name of a Namespace of the same
	// program, its Metadata.Name(), can be given: all objects then wait for it. The webhook does
	// not look at pods there: in [DefaultWebhookNamespace], the default, the cluster's own pods
	// start while it does not answer. In any other namespace they wait for it, and it may wait
	// for them.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// Certificate is the webhook's own. Without it cert-manager issues one, and must be
	// in the cluster.
	Certificate Certificate `pulumi:"certificate,optional"`

	// CertManagerInstalled states that cert-manager is in the cluster, or is installed by a resource that the
	// component depends on. It suppresses the warning that cert-manager is required.
	CertManagerInstalled bool `pulumi:"certManagerInstalled,optional"`

	// RandomHostname gives each pod with an account a random hostname, if it has none of its own
	// (RANDOM_HOSTNAME of the webhook,
	// https://github.com/kubernetes-sigs/windows-gmsa/blob/master/admission-webhook/webhook.go).
	// By default the hostname is the name of the pod.
	RandomHostname bool `pulumi:"randomHostname,optional"`

	// Replicas is how many pods there are. The default is that of the chart, 2. No pod
	// can be created in the cluster while none of them answers.
	Replicas int `pulumi:"replicas,optional"`

	// Topology is optional. With it, it must be valid and have Linux nodes, and the pods
	// tolerate the taints of the Linux pools. Its defaults need not be applied.
	Topology topology.Topology `pulumi:"topology,optional"`

	// Image is the image of the webhook with its tag, for mirrors:
	// mirror.example.com/gmsa-webhook:v0.13.0. The default is the chart's.
	Image string `pulumi:"image,optional"`

	// Chart is the chart, as helm takes it: a name in a repository, a directory or file, an
	// address of one, or oci://…. The default is [DefaultChart], and [ProjectChart] if
	// Repository or Version is given. Another one must take the same values.
	Chart string `pulumi:"chart,optional"`

	// Repository is the address of the repository in which Chart is a name. The default
	// for [ProjectChart] is [ProjectChartRepository].
	Repository string `pulumi:"repository,optional"`

	// Values are further values of the chart, in the form of its values.yaml:
	// podDisruptionBudget, qps, burst, affinity for example
	// (https://github.com/kubernetes-sigs/windows-gmsa/blob/master/charts/gmsa/values.yaml).
	// The values that the other arguments set are added, and a value that contradicts them is
	// an error: at once if it is plain, otherwise when it is known. Tolerations are added to
	// those of the topology.
	Values pulumi.MapInput `pulumi:"values,optional"`

	// Version is the chart's. The default for [ProjectChart] is [DefaultChartVersion].
	Version string `pulumi:"version,optional"`
}

// Certificate is a certificate for the name <name>.<namespace>.svc, in PEM: all of it, or
// nothing.
//
// Plain strings are checked with the other arguments. If one of them is an output, they are
// checked when all are known: what is wrong is an error of the Secret that has them.
type Certificate struct {
	// CA is the authority's certificate, by which the API server knows the webhook.
	CA pulumi.StringInput `pulumi:"ca"`
	// Certificate is the webhook's, followed by those between it and the authority's.
	Certificate pulumi.StringInput `pulumi:"certificate"`
	// PrivateKey becomes a secret if it is not one.
	PrivateKey pulumi.StringInput `pulumi:"privateKey" provider:"secret"`
}

func (c Certificate) isSet() bool { return c.CA != nil || c.Certificate != nil || c.PrivateKey != nil }

func (a WebhookArgs) withDefaults() WebhookArgs {
	a.Name = cmp.Or(a.Name, DefaultWebhookName)
	if a.Chart == "" && a.Repository == "" && a.Version == "" {
		a.Chart = DefaultChart
	}
	if a.Chart = cmp.Or(a.Chart, ProjectChart); a.Chart == ProjectChart {
		a.Repository = cmp.Or(a.Repository, ProjectChartRepository)
		a.Version = cmp.Or(a.Version, DefaultChartVersion)
	}
	return a
}

// check is for arguments with their defaults.
func (a WebhookArgs) check() field.ErrorList {
	// A release's name ends up in labels, with suffixes
	// (https://helm.sh/docs/chart_template_guide/getting_started/).
	const longestRelease = 53
	var errs field.ErrorList
	for _, detail := range validation.IsDNS1035Label(a.Name) {
		errs = append(errs, field.Invalid(field.NewPath("name"), a.Name, detail))
	}
	if len(a.Name) > longestRelease {
		errs = append(errs, field.TooLong(field.NewPath("name"), "", longestRelease))
	}
	if a.Replicas < 0 || a.Replicas > math.MaxInt32 {
		errs = append(errs, field.Invalid(field.NewPath("replicas"), a.Replicas,
			fmt.Sprintf("must not be negative, and at most %d: 0 is the chart's default", math.MaxInt32)))
	}
	errs = append(errs, a.checkCertificate()...)
	if a.Topology.IsSet() {
		errs = append(errs, a.Topology.Validate(field.NewPath("topology"))...)
	}
	if _, _, ok := splitImage(a.Image); a.Image != "" && !ok {
		errs = append(errs, field.Invalid(field.NewPath("image"), a.Image,
			"must be an image with its tag or digest, mirror.example.com/gmsa-webhook:v0.13.0 for example"))
	}
	errs = append(errs, a.checkValues(input.Tree(a.Values))...)
	if chartPlace.MatchString(a.Chart) && a.Repository != "" {
		errs = append(errs, field.Forbidden(field.NewPath("repository"),
			"cannot be combined with a chart that is a path or an address: remove one of the two"))
	}
	return errs
}

// chartPlace is what is more than a name.
var chartPlace = regexp.MustCompile(`://|^[./]|^[A-Za-z]:\\|\.tgz$`)

var certificatePath = field.NewPath("certificate")

func (a WebhookArgs) checkCertificate() field.ErrorList {
	if !a.Certificate.isSet() {
		return nil
	}
	var errs field.ErrorList
	for _, part := range []struct {
		name string
		in   pulumi.StringInput
	}{
		{"ca", a.Certificate.CA}, {"certificate", a.Certificate.Certificate}, {"privateKey", a.Certificate.PrivateKey},
	} {
		if part.in == nil {
			errs = append(errs, field.Required(certificatePath.Child(part.name),
				"give the authority, the certificate and its private key, or none of them to use cert-manager"))
		}
	}
	if len(errs) > 0 {
		return errs
	}
	var parts []string
	for _, in := range []pulumi.Input{
		a.Certificate.CA, a.Certificate.Certificate, a.Certificate.PrivateKey, a.Namespace,
	} {
		text, plain := input.Plain[string](in)
		if !plain {
			return nil
		}
		parts = append(parts, text)
	}
	return a.checkParts(parts[0], parts[1], parts[2], parts[3])
}

// checkParts is for the texts of the certificate, and the namespace.
func (a WebhookArgs) checkParts(ca, certificate, key, namespace string) field.ErrorList {
	host := a.Name + "." + namespace + ".svc"
	if err := usable(ca, certificate, key, host); err != nil {
		detail := "the API server could not use it for " + host + ": " + err.Error() +
			": give the authority, a certificate of it for this name, and its private key, in PEM"
		return field.ErrorList{field.Invalid(certificatePath, field.OmitValueType{}, detail)}
	}
	return nil
}

// privateKey returns the private key of the certificate. The output fails if the certificate
// turns out to be unusable for the API server.
func (a WebhookArgs) privateKey(subject string) pulumi.StringOutput {
	c := a.Certificate
	all := pulumi.All(c.CA, c.Certificate, pulumi.ToSecret(c.PrivateKey), a.Namespace.ToStringPtrOutput().Elem())
	return all.ApplyT(func(parts []any) (string, error) {
		key := parts[2].(string)
		return key, fielderrors.Join(subject,
			a.checkParts(parts[0].(string), parts[1].(string), key, parts[3].(string)))
	}).(pulumi.StringOutput)
}

// imageCharacters are the characters that an image reference can have
// (https://github.com/distribution/reference/blob/main/regexp.go).
var imageCharacters = regexp.MustCompile(`^[A-Za-z0-9._:/@+\[\]-]+$`)

// splitImage returns the two values of the chart, which joins them with a colon. So the
// first one can end with the kind of a digest.
func splitImage(image string) (repository, tag string, ok bool) {
	at := strings.LastIndex(image, ":")
	if at <= 0 || !imageCharacters.MatchString(image) {
		return "", "", false
	}
	repository, tag = image[:at], image[at+1:]
	return repository, tag, tag != "" && !strings.Contains(tag, "/")
}
