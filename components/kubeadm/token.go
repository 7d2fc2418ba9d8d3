package kubeadm

import (
	"encoding/base64"
	"time"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm/pki"
)

// tokenLife is as long as kubeadm's tokens live. A machine joins within an hour, or
// somebody has to look at it.
const tokenLife = 24 * time.Hour

// newToken lets one machine join
// (https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/#bootstrap-token-secret-format).
// It does not sign cluster-info, which no machine reads. It expires a day after it was made:
// the end is no part of what changes it later, nor is the signing of older ones.
// Kubernetes removes it then, which changes nothing for the machine; Pulumi makes it
// again for a machine that is made again.
func (m machine) newToken(
	ctx *pulumi.Context, token pulumi.StringOutput, now time.Time, opts ...pulumi.ResourceOption,
) (*corev1.Secret, error) {
	part := func(of func(string) string) pulumi.StringOutput {
		return token.ApplyT(of).(pulumi.StringOutput)
	}
	data := pulumi.StringMap{
		"token-id":                       encoded(pulumi.Unsecret(part(pki.TokenID)).(pulumi.StringOutput)),
		"token-secret":                   encoded(part(pki.TokenSecret)),
		"expiration":                     encoded(pulumi.String(now.Add(tokenLife).UTC().Format(time.RFC3339))),
		"usage-bootstrap-authentication": encoded(pulumi.String("true")),
		"auth-extra-groups":              encoded(pulumi.String("system:bootstrappers:kubeadm:default-node-token")),
		"description":                    encoded(pulumi.String("Lets " + m.Name + " join.")),
	}
	return corev1.NewSecret(ctx, m.resource+"-token", &corev1.SecretArgs{
		Metadata: metav1.ObjectMetaArgs{
			Name:      pulumi.Unsecret(pulumi.Sprintf("bootstrap-token-%s", part(pki.TokenID))).(pulumi.StringOutput),
			Namespace: pulumi.String("kube-system"),
		},
		Type: pulumi.String("bootstrap.kubernetes.io/token"),
		Data: data,
	}, append(opts, m.parent, pulumi.IgnoreChanges([]string{
		"data.expiration", `data["usage-bootstrap-signing"]`,
	}))...)
}

func encoded(text pulumi.StringInput) pulumi.StringOutput {
	return text.ToStringOutput().ApplyT(func(text string) string {
		return base64.StdEncoding.EncodeToString([]byte(text))
	}).(pulumi.StringOutput)
}
