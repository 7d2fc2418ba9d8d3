package cluster

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	certutil "k8s.io/client-go/util/cert"
)

const (
	adminsGroup = "kubeadm:cluster-admins"
	nodesGroup  = "system:bootstrappers:kubeadm:default-node-token"

	// tokenLife is kubeadm's default.
	tokenLife = 24 * time.Hour
)

// The keys of a token's Secret
// (https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/).
const (
	tokenID             = "token-id"
	tokenSecret         = "token-secret"
	tokenExpiration     = "expiration"
	tokenAuthentication = "usage-bootstrap-authentication"
	tokenSigning        = "usage-bootstrap-signing"
	tokenGroups         = "auth-extra-groups"
)

// bindAdmins lets the administrators do everything.
func bindAdmins(ctx context.Context, client kubernetes.Interface) error {
	_, err := client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: adminsGroup},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: adminsGroup}},
	}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("bind the group %s: %w", adminsGroup, err)
	}
	return nil
}

// makeKubeProxy creates the account that kubeadm creates for kube-proxy, with its permissions.
// It does not create the pods that kubeadm runs on Linux nodes: they would have nothing to do here.
func makeKubeProxy(ctx context.Context, client kubernetes.Interface) error {
	const name = "kube-proxy"
	_, err := client.CoreV1().ServiceAccounts(metav1.NamespaceSystem).Create(ctx, &corev1.ServiceAccount{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceSystem},
	}, metav1.CreateOptions{})
	if err == nil || apierrors.IsAlreadyExists(err) {
		_, err = client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "kubeadm:node-proxier"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:node-proxier"},
			Subjects: []rbacv1.Subject{{
				Kind: rbacv1.ServiceAccountKind, Name: name,
				Namespace: metav1.NamespaceSystem,
			}},
		}, metav1.CreateOptions{})
	}
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create the account %s: %w", name, err)
	}
	return nil
}

// writeToken creates the Secret of a bootstrap token, or renews it.
func writeToken(ctx context.Context, client kubernetes.Interface, token string) error {
	id, value, err := splitToken(token)
	if err != nil {
		return err
	}
	secrets := client.CoreV1().Secrets(metav1.NamespaceSystem)
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "bootstrap-token-" + id, Namespace: metav1.NamespaceSystem},
		Type:       corev1.SecretTypeBootstrapToken,
		Data: map[string][]byte{
			tokenID: []byte(id), tokenSecret: []byte(value),
			tokenExpiration:     []byte(time.Now().Add(tokenLife).UTC().Format(time.RFC3339)),
			tokenAuthentication: []byte("true"), tokenSigning: []byte("true"), tokenGroups: []byte(nodesGroup),
		},
	}
	_, err = secrets.Create(ctx, secret, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = secrets.Update(ctx, secret, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("write the bootstrap token with ID %q: %w", id, err)
	}
	return nil
}

var tokenFormat = regexp.MustCompile(`\A([a-z0-9]{6})\.([a-z0-9]{16})\z`)

func splitToken(token string) (id, value string, err error) {
	parts := tokenFormat.FindStringSubmatch(token)
	if parts == nil {
		return "", "", errors.New(`the bootstrap token was not of the form "[a-z0-9]{6}.[a-z0-9]{16}"`)
	}
	return parts[1], parts[2], nil
}

// discover authenticates both sides: the machine checks that this is the API server that it looks
// for, and the API server checks that the machine may join.
func (j JoinRequest) discover(ctx context.Context, client kubernetes.Interface) error {
	id, value, err := splitToken(j.Bootstrap.Token)
	if err != nil {
		return err
	}
	if err := j.checkEndpoint(); err != nil {
		return err
	}
	if j.Bootstrap.CACert != "" {
		if err := j.checkServer(); err != nil {
			return err
		}
		return checkToken(ctx, client, id, value)
	}
	if j.ControlPlane != nil && j.ControlPlane.Init && !j.ControlPlane.ClusterInfo {
		return errors.New("failed to request the cluster-info ConfigMap: Unauthorized: anonymous users may not " +
			"read it; " +
			"give the certificate of the cluster's authority instead of its hash")
	}
	if err := checkSigned(ctx, client, id, value); err != nil {
		return err
	}
	if err := checkToken(ctx, client, id, value); err != nil {
		return err
	}
	return j.checkAuthority()
}

// checkServer does what TLS does with the authority of a discovery by file.
func (j JoinRequest) checkServer() error {
	trusted, err := certutil.ParseCertsPEM([]byte(j.Bootstrap.CACert))
	if err != nil {
		return fmt.Errorf("the certificate authority of the discovery file: %w", err)
	}
	text := j.authority()
	if text == "" {
		return errors.New("x509: certificate signed by unknown authority: kubeadm created it on the first machine, " +
			"which " +
			"had no ca.crt")
	}
	authorities, err := certutil.ParseCertsPEM([]byte(text))
	if err != nil {
		return fmt.Errorf("the cluster's certificate authority: %w", err)
	}
	if !slices.ContainsFunc(trusted, authorities[0].Equal) {
		return errors.New("couldn't validate the identity of the API Server: x509: certificate signed by unknown " +
			"authority")
	}
	return nil
}

// authority returns the certificate of the cluster's authority, or "" if it is not known.
func (j JoinRequest) authority() string {
	if j.ControlPlane != nil {
		return j.ControlPlane.Keys["ca.crt"]
	}
	return j.CACert
}

// checkEndpoint compares the address of the API server with the endpoint of the cluster. The
// endpoint of an external cluster is not known.
func (j JoinRequest) checkEndpoint() error {
	if j.ControlPlane == nil || strings.EqualFold(j.Bootstrap.Endpoint, j.ControlPlane.Endpoint) {
		return nil
	}
	return fmt.Errorf("failed to request the cluster-info ConfigMap: no API server answers at %q, the control "+
		"plane's endpoint is %q",
		j.Bootstrap.Endpoint, j.ControlPlane.Endpoint)
}

// tokenOf returns the Secret of a token, nil if there is none, and the name of the Secret in messages.
func tokenOf(
	ctx context.Context, client kubernetes.Interface, id string,
) (secret *corev1.Secret, at string, err error) {
	name := "bootstrap-token-" + id
	at = "the Secret kube-system/" + name
	secret, err = client.CoreV1().Secrets(metav1.NamespaceSystem).Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, at, nil
	case err != nil:
		return nil, at, fmt.Errorf("read %s: %w", at, err)
	}
	return secret, at, nil
}

// checkSigned checks a token's Secret as the controller that signs cluster-info does.
func checkSigned(ctx context.Context, client kubernetes.Interface, id, value string) error {
	secret, at, err := tokenOf(ctx, client, id)
	if err != nil {
		return err
	}
	why := invalid(secret, id, at)
	if why == "" && string(secret.Data[tokenSigning]) != "true" {
		why = fmt.Sprintf(`%s has no %s: "true"`, at, tokenSigning)
	}
	if why != "" {
		return fmt.Errorf("could not find a JWS signature in the cluster-info ConfigMap for token ID %q: %s", id, why)
	}
	if subtle.ConstantTimeCompare(secret.Data[tokenSecret], []byte(value)) != 1 {
		return fmt.Errorf(
			"failed to verify JWS signature of received cluster info object, can't trust this API Server: %s has "+
				"another token-secret", at,
		)
	}
	return nil
}

// checkToken checks a token's Secret as the API server does when it receives the token.
func checkToken(ctx context.Context, client kubernetes.Interface, id, value string) error {
	secret, at, err := tokenOf(ctx, client, id)
	if err != nil {
		return err
	}
	why := invalid(secret, id, at)
	if why == "" && subtle.ConstantTimeCompare(secret.Data[tokenSecret], []byte(value)) != 1 {
		why = at + " has another token-secret"
	}
	if why != "" {
		return fmt.Errorf("the token with ID %q does not authenticate, Unauthorized: %s", id, why)
	}
	if string(secret.Data[tokenAuthentication]) != "true" {
		return fmt.Errorf(`the token with ID %q does not authenticate, Unauthorized: %s has no %s: "true"`, id, at,
			tokenAuthentication)
	}
	if !slices.Contains(strings.Split(string(secret.Data[tokenGroups]), ","), nodesGroup) {
		return fmt.Errorf(`the user "system:bootstrap:%s" cannot create resource "certificatesigningrequests" at the `+
			`cluster scope: %s has no %s in %s`,
			id, at, nodesGroup, tokenGroups)
	}
	return nil
}

// invalid returns why the Secret of a token is not valid, or why its token is no longer valid. It returns "" if
// both are valid.
func invalid(secret *corev1.Secret, id, at string) string {
	if secret == nil {
		return "there is no " + strings.TrimPrefix(at, "the ")
	}
	expiration := string(secret.Data[tokenExpiration])
	end, err := time.Parse(time.RFC3339, expiration)
	switch {
	case secret.Type != corev1.SecretTypeBootstrapToken:
		return fmt.Sprintf("%s has the type %q instead of %q", at, secret.Type, corev1.SecretTypeBootstrapToken)
	case string(secret.Data[tokenID]) != id:
		return at + " has another token-id"
	case expiration != "" && err != nil:
		return fmt.Sprintf("%s has the expiration %q, which is not a time in the format of RFC 3339", at, expiration)
	case expiration != "" && !time.Now().Before(end):
		return fmt.Sprintf("it has expired, at %s", expiration)
	}
	return ""
}

var pinFormat = regexp.MustCompile(`\A(?i:sha256):[0-9a-fA-F]{64}\z`)

// checkAuthority compares the certificate authority of the cluster with the hashes that
// the machine has.
func (j JoinRequest) checkAuthority() error {
	if len(j.Bootstrap.CACertHashes) == 0 {
		return errors.New(
			"using token-based discovery without caCertHashes can be unsafe: give the hash of the cluster's " +
				"certificate authority",
		)
	}
	for _, pin := range j.Bootstrap.CACertHashes {
		if !pinFormat.MatchString(pin) {
			return fmt.Errorf(
				"invalid discovery token CA certificate hash: %q is not sha256: and 64 hexadecimal digits", pin,
			)
		}
	}
	text := j.authority()
	if text == "" {
		return errors.New(
			"cluster CA found in cluster-info ConfigMap is invalid: kubeadm created it on the first machine, which " +
				"had no ca.crt, so its hash is not known in advance",
		)
	}
	authorities, err := certutil.ParseCertsPEM([]byte(text))
	if err != nil {
		return fmt.Errorf("failed to parse cluster CA from the cluster-info ConfigMap: %w", err)
	}
	var hashes []string
	for _, ca := range authorities {
		hash := fmt.Sprintf("sha256:%x", sha256.Sum256(ca.RawSubjectPublicKeyInfo))
		if slices.ContainsFunc(j.Bootstrap.CACertHashes,
			func(pin string) bool { return strings.EqualFold(pin, hash) }) {
			return nil
		}
		hashes = append(hashes, hash)
	}
	return fmt.Errorf("cluster CA found in cluster-info ConfigMap is invalid: none of the public keys %q are pinned",
		strings.Join(hashes, ":"))
}
