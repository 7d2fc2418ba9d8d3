package gmsa

import (
	"encoding/base64"
	"fmt"
	"slices"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
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
	// Certificate is the Secret with the certificate that was given. It is nil if
	// cert-manager issues one.
	Certificate *corev1.Secret
}

// NewWebhook installs the admission webhook: it puts the specification that a pod names
// into the pod, and refuses pods whose service account may not use it. From then on no
// pod is created while the webhook does not answer, except those in its own namespace
// and in namespaces with the label windows.k8s.io/disabled=true.
//
// The kind is not the chart's: [NewCRD] creates it. The pods run on Linux nodes, by the
// chart's own node selector. They read a renewed certificate without a restart.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then. Without a certificate a warning says that cert-manager has to be in the
// cluster, unless args.CertManagerInstalled is set. A certificate has to belong to its key, and the API server has to
// accept it: see [Certificate].
func NewWebhook(ctx *pulumi.Context, name string, args *WebhookArgs, opts ...pulumi.ResourceOption) (*Webhook, error) {
	if args == nil {
		args = &WebhookArgs{}
	}
	configured := args.withDefaults()
	subject := fmt.Sprintf("%s %q", webhookToken, name)
	split, errs := childoptions.Component{
		Token: webhookToken, Name: name,
		Others: []childoptions.Child{{Type: chartType, Name: name + "-chart", Component: true}},
	}.Split(opts)
	namespace, wrong := input.Namespace(subject, configured.Namespace, DefaultWebhookNamespace)
	configured.Namespace = namespace
	if err := fielderrors.Join(subject, slices.Concat(errs, wrong, configured.check())); err != nil {
		return nil, err
	}
	values, err := configured.values(subject)
	if err != nil {
		return nil, err
	}

	webhook := &Webhook{}
	if err := ctx.RegisterComponentResource(webhookToken, name, webhook, split.Component...); err != nil {
		return nil, err
	}
	if err := refusal.LogFacts(ctx, webhook, map[string]bool{
		"GMSAWebhookChart":       configured.Version == DefaultChartVersion || configured.Chart == DefaultChart,
		"GMSAWebhookChartCommit": configured.Chart == DefaultChart,
	}); err != nil {
		return nil, err
	}
	inside := pulumi.Parent(webhook)
	if configured.Certificate.isSet() {
		webhook.Certificate, err = newCertificate(
			ctx, name+"-certificate", configured, configured.privateKey(subject), inside)
		if err != nil {
			return nil, err
		}
		if values, err = input.Edit(values, []mutate.Edit{
			{Path: []string{"certificates", "secretName"}, Value: webhook.Certificate.Metadata.Name()},
			{Path: []string{"certificates", "caBundle"}, Value: configured.Certificate.bundle()},
		}); err != nil {
			return nil, err
		}
	} else if !configured.CertManagerInstalled {
		if err := ctx.Log.Warn(needsCertManager, &pulumi.LogArgs{Resource: webhook}); err != nil {
			return nil, err
		}
	}
	chart := &helmv4.ChartArgs{
		Chart:     pulumi.String(configured.Chart),
		Version:   input.NonEmpty(configured.Version),
		Name:      pulumi.String(configured.Name),
		Namespace: configured.Namespace,
		SkipCrds:  pulumi.Bool(true),
		Values:    values,
	}
	if configured.Repository != "" {
		chart.RepositoryOpts = helmv4.RepositoryOptsArgs{Repo: pulumi.String(configured.Repository)}
	}
	if webhook.Chart, err = helmv4.NewChart(ctx, name+"-chart", chart,
		split.For(chartType, name+"-chart", inside)...); err != nil {
		return nil, err
	}
	return webhook, ctx.RegisterResourceOutputs(webhook, pulumi.Map{})
}

// needsCertManager is the reason why cert-manager must be installed first.
const needsCertManager = "cert-manager has to be in the cluster before the webhook: the chart has Certificates " +
	"and Issuers, which the API server refuses without its kinds. Install it " +
	"(https://cert-manager.io/docs/installation/), with a DependsOn where it is in the same program, and set " +
	"certManagerInstalled; or give certificate"

// bundle returns the authority as the chart takes it.
func (c Certificate) bundle() pulumi.StringOutput {
	return c.CA.ToStringOutput().ApplyT(func(pem string) string {
		return base64.StdEncoding.EncodeToString([]byte(pem))
	}).(pulumi.StringOutput)
}

// newCertificate creates the Secret under a name that Pulumi generates, so that a new one exists
// before the old one is deleted.
func newCertificate(
	ctx *pulumi.Context, resource string, args WebhookArgs, key pulumi.StringInput, opts ...pulumi.ResourceOption,
) (*corev1.Secret, error) {
	return corev1.NewSecret(ctx, resource, &corev1.SecretArgs{
		Metadata: metav1.ObjectMetaArgs{Namespace: args.Namespace},
		Type:     pulumi.String(string(k8score.SecretTypeTLS)),
		// The SDK turns it into a secret.
		StringData: pulumi.StringMap{
			"ca.crt":                 args.Certificate.CA,
			k8score.TLSCertKey:       args.Certificate.Certificate,
			k8score.TLSPrivateKeyKey: key,
		},
	}, opts...)
}
