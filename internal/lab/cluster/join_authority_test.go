package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// While the authority is replaced, ca.crt of the control plane has several authorities: the first one signs, and
// cluster-info has all of them
// (https://kubernetes.io/docs/tasks/tls/manual-rotation-of-ca-certificates/).
func TestJoiningWhileTheAuthorityIsReplaced(t *testing.T) {
	t.Parallel()
	before, beforeHash := newAuthority(t)
	after, afterHash := newAuthority(t)
	byHash := func(hash string) func(*JoinRequest, *corev1.Secret) {
		return func(j *JoinRequest, _ *corev1.Secret) { j.Bootstrap.CACertHashes = []string{hash} }
	}
	const pinned = `cluster CA found in cluster-info ConfigMap is invalid: none of the public keys "`
	for name, x := range map[string]struct {
		authorities string
		change      func(*JoinRequest, *corev1.Secret)
		want        string
	}{
		"trust: a file of before":    {before + after, byFile(before), ""},
		"trust: a file of both":      {before + after, byFile(after + before), ""},
		"trust: a file of after":     {before + after, byFile(after), signedByOther},
		"trust: a hash of before":    {before + after, byHash(beforeHash), ""},
		"trust: a hash of after":     {before + after, byHash(afterHash), ""},
		"promote: a file of before":  {after + before, byFile(before), signedByOther},
		"promote: a file of both":    {after + before, byFile(before + after), ""},
		"promote: a file of after":   {after + before, byFile(after), ""},
		"distrust: a file of before": {after, byFile(before), signedByOther},
		"distrust: a file of after":  {after, byFile(after), ""},
		"distrust: a hash of before": {after, byHash(beforeHash), pinned + afterHash + `" are pinned`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, s := windowsMachine(before, beforeHash), tokenObject()
			j.ControlPlane.Keys["ca.crt"] = x.authorities
			x.change(&j, s)
			checkError(t, (Cluster{}).Join(t.Context(), simulated(s), j), "kubeadm join on win-1: ", x.want)
		})
	}
}
