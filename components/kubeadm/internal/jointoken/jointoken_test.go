package jointoken_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/jointoken"
	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
)

// api has a node if uid is set, and answers the verbs in fails with an error.
type api struct {
	uid     string
	fails   map[string]*kubeapi.StatusError
	log     []string
	written corev1.Secret
}

func (a *api) ask(verb string, o kubeapi.Object) error {
	a.log = append(a.log, verb+" "+o.String())
	if err := a.fails[verb]; err != nil {
		return err
	}
	return nil
}

func (a *api) Get(_ context.Context, o kubeapi.Object, into any) error {
	if err := a.ask("get", o); err != nil {
		return err
	}
	if a.uid == "" {
		return errNotFound
	}
	return json.Unmarshal(fmt.Appendf(nil, `{"metadata":{"uid":%q}}`, a.uid), into)
}

func (a *api) Create(_ context.Context, o kubeapi.Object, object any) error {
	a.written = object.(corev1.Secret)
	return a.ask("create", o)
}

func (a *api) Replace(_ context.Context, o kubeapi.Object, object any) error {
	a.written = object.(corev1.Secret)
	return a.ask("replace", o)
}

func (a *api) Delete(_ context.Context, o kubeapi.Object) error { return a.ask("delete", o) }

var (
	errNotFound  = &kubeapi.StatusError{Verb: "get", Code: http.StatusNotFound}
	errExists    = &kubeapi.StatusError{Code: http.StatusConflict, Reason: "AlreadyExists"}
	errForbidden = &kubeapi.StatusError{Verb: "do", Object: kubeapi.Object{Resource: "it"}, Code: http.StatusForbidden}

	now     = time.Date(2026, time.July, 14, 12, 0, 0, 0, time.FixedZone("", 3600))
	machine = jointoken.Machine{Name: "win22-abc-0", Token: "tests0.notarealtoken000"}
)

const (
	secret = " secrets kube-system/bootstrap-token-tests0"
)

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestIssue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		api  api
		want []string
		err  string
	}{
		"a new token": {api{}, []string{"create" + secret}, ""},
		"an attempt before": {
			api{fails: map[string]*kubeapi.StatusError{"create": errExists}},
			[]string{"create" + secret, "replace" + secret},
			"",
		},
		"no permission to create": {
			api{fails: map[string]*kubeapi.StatusError{"create": errForbidden}},
			[]string{"create" + secret},
			"do it: the API server answers 403",
		},
		"no permission to replace": {
			api{fails: map[string]*kubeapi.StatusError{"create": errExists, "replace": errForbidden}},
			[]string{"create" + secret, "replace" + secret},
			"do it: the API server answers 403",
		},
	} {
		err := jointoken.Issue(t.Context(), &test.api, machine, now)
		equal(t, name+": error", test.err, message(err))
		equal(t, name+": requests", test.want, test.api.log)
	}
}

func TestTheSecretOfAToken(t *testing.T) {
	t.Parallel()
	for _, fails := range []map[string]*kubeapi.StatusError{nil, {"create": errExists}} {
		a := api{fails: fails}
		if err := jointoken.Issue(t.Context(), &a, machine, now); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(a.written)
		if err != nil {
			t.Fatal(err)
		}
		var plain struct {
			APIVersion, Kind, Type string
			Metadata               struct{ Name, Namespace string }
		}
		if err := json.Unmarshal(got, &plain); err != nil {
			t.Fatal(err)
		}
		equal(t, "head", "v1 Secret bootstrap.kubernetes.io/token kube-system bootstrap-token-tests0",
			strings.Join([]string{
				plain.APIVersion, plain.Kind, plain.Type, plain.Metadata.Namespace, plain.Metadata.Name,
			}, " "))
		data := map[string]string{}
		for key, value := range a.written.Data {
			data[key] = string(value)
		}
		equal(t, "data", map[string]string{
			"token-id": "tests0", "token-secret": "notarealtoken000", "expiration": "2026-07-14T13:00:00Z",
			"usage-bootstrap-authentication": "true",
			"auth-extra-groups":              "system:bootstrappers:kubeadm:default-node-token",
			"description":                    "Lets win22-abc-0 join.",
		}, data)
	}
}

func TestRevoke(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fails *kubeapi.StatusError
		err   string
	}{
		"a token":       {nil, ""},
		"a missing one": {errNotFound, ""},
		"no permission": {errForbidden, "do it: the API server answers 403"},
	} {
		a := api{fails: map[string]*kubeapi.StatusError{"delete": test.fails}}
		equal(t, name+": error", test.err, message(jointoken.Revoke(t.Context(), &a, machine)))
		equal(t, name+": requests", []string{"delete" + secret}, a.log)
	}
}

// A node cannot have the UID of an earlier one: the API server chooses it.
func TestConfirm(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		api api
		err string
	}{
		"the first node": {api{uid: "a"}, ""},
		"no node":        {api{}, ""},
		"another node": {
			api{uid: "b"},
			`node win22-abc-0 has the UID "b", but its machine has joined as the node with the UID "a", which the ` +
				"state records: the node was deleted and registered again. Do not trust the machine: create it again " +
				"with " +
				"`pulumi up --replace` and the URN of the virtual machine",
		},
		"no permission": {
			api{fails: map[string]*kubeapi.StatusError{"get": errForbidden}}, "do it: the API server answers 403",
		},
	} {
		err := jointoken.Confirm(t.Context(), &test.api, machine.Name, "a")
		equal(t, name+": error", test.err, message(err))
		equal(t, name+": requests", []string{"get nodes win22-abc-0"}, test.api.log)
	}
}
