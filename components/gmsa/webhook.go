package gmsa

import (
	"encoding/base64"
	"fmt"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/internal/childoptions"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
)

const (
	webhookToken = "mixedkube:gmsa:Webhook"
	chartType    = "kubernetes:helm.sh/v4:Chart"
)

// Webhook is the admission webhook of https://github.com/kubernetes-sigs/windows-gmsa.
type Webhook struct {
	pulumi.ResourceState

	// Chart is the project's chart, rendered by Pulumi. Pods should depend on it: the SDK
	// may miss the children of a component (https://github.com/pulumi/pulumi/issues/7833).
	Chart *helmv4.Chart
	// Certificate is the Secret with the certificate that was given. It is nil where
	// cert-manager makes one.
	Certificate *corev1.Secret
}

// NewWebhook installs the admission webhook: it puts the specification that a pod names
// into the pod, and refuses pods whose service account may not use it. From then on no
// pod is created while the webhook does not answer, but for those in its own namespace
// and in namespaces with the label windows.k8s.io/disabled=true.
//
// The kind is not the chart's: [NewCRD] makes it. The pods run on Linux nodes, by the
// chart's own node selector. They read a renewed certificate without a restart.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then. A certificate has to belong to its key, and the API server has to
// accept it: see [Certificate].
func NewWebhook(ctx *pulumi.Context, name string, args *WebhookArgs, opts ...pulumi.ResourceOption) (*Webhook, error) {
	if args == nil {
		args = &WebhookArgs{}
	}
	given := args.withDefaults()
	subject := fmt.Sprintf("%s %q", webhookToken, name)
	split, wrong := childoptions.Component{
		Token: webhookToken, Name: name,
		Others: []childoptions.Child{{Type: chartType, Name: name + "-chart", Component: true}},
	}.Split(opts)
	if err := fielderrors.Join(subject, append(wrong, given.check()...)); err != nil {
		return nil, err
	}

	webhook := &Webhook{}
	if err := ctx.RegisterComponentResource(webhookToken, name, webhook, split.Component...); err != nil {
		return nil, err
	}
	inside := pulumi.Parent(webhook)
	certificates := pulumi.Map{
		"certManager": pulumi.Map{"enabled": pulumi.Bool(!given.Certificate.given())},
		// The certificates of cert-manager last for 90 days.
		"certReload": pulumi.Map{"enabled": pulumi.Bool(true)},
	}
	if given.Certificate.given() {
		secret, err := newCertificate(ctx, name+"-certificate", given, given.privateKey(subject), inside)
		if err != nil {
			return nil, err
		}
		webhook.Certificate = secret
		certificates["secretName"] = secret.Metadata.Name()
		certificates["caBundle"] = given.Certificate.CA.ToStringOutput().ApplyT(func(pem string) string {
			return base64.StdEncoding.EncodeToString([]byte(pem))
		})
	}
	chart := &helmv4.ChartArgs{
		Chart:     pulumi.String(given.Chart),
		Version:   input.NonEmpty(given.Version),
		Name:      pulumi.String(given.Name),
		Namespace: pulumi.String(given.Namespace),
		SkipCrds:  pulumi.Bool(true),
		Values:    given.values(certificates),
	}
	if given.Repository != "" {
		chart.RepositoryOpts = helmv4.RepositoryOptsArgs{Repo: pulumi.String(given.Repository)}
	}
	var err error
	if webhook.Chart, err = helmv4.NewChart(ctx, name+"-chart", chart,
		split.For(chartType, name+"-chart", inside)...); err != nil {
		return nil, err
	}
	return webhook, ctx.RegisterResourceOutputs(webhook, pulumi.Map{})
}

// newCertificate makes the Secret under a name that Pulumi makes, so that a new one is
// there before the old one goes.
func newCertificate(
	ctx *pulumi.Context, resource string, args WebhookArgs, key pulumi.StringInput, opts ...pulumi.ResourceOption,
) (*corev1.Secret, error) {
	return corev1.NewSecret(ctx, resource, &corev1.SecretArgs{
		Metadata: metav1.ObjectMetaArgs{Namespace: pulumi.String(args.Namespace)},
		Type:     pulumi.String(string(k8score.SecretTypeTLS)),
		// The SDK makes a secret of it.
		StringData: pulumi.StringMap{
			"ca.crt":                 args.Certificate.CA,
			k8score.TLSCertKey:       args.Certificate.Certificate,
			k8score.TLSPrivateKeyKey: key,
		},
	}, opts...)
}

// values are those of the chart
// (https://github.com/kubernetes-sigs/windows-gmsa/blob/master/charts/gmsa/values.yaml).
// Its pods have the node selector of Linux already; a second one in the values would be a
// key that stands there twice.
func (a WebhookArgs) values(certificates pulumi.Map) pulumi.Map {
	values := pulumi.Map{"certificates": certificates}
	if a.Replicas > 0 {
		values["replicaCount"] = pulumi.Int(a.Replicas)
	}
	if repository, tag, ok := splitImage(a.Image); ok {
		values["image"] = pulumi.Map{"repository": pulumi.String(repository), "tag": pulumi.String(tag)}
	}
	if tolerations := a.tolerations(); len(tolerations) > 0 {
		values["tolerations"] = tolerations
	}
	return values
}

// tolerations are those of Linux pods, as a chart takes them.
func (a WebhookArgs) tolerations() pulumi.Array {
	var all pulumi.Array
	for _, t := range a.Topology.WithDefaults().Tolerations(platform.Linux) {
		one := pulumi.Map{"operator": pulumi.String(string(t.Operator)), "effect": pulumi.String(string(t.Effect))}
		one["key"] = pulumi.String(t.Key)
		if t.Value != "" {
			one["value"] = pulumi.String(t.Value)
		}
		all = append(all, one)
	}
	return all
}
