package badinput

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Value string `json:"as"`
	Skip  string `json:"-"`
}

type sample struct {
	ClusterName, SSHPublicKey, OSDiskSizeGB, SHA256, CACertHashes string
	Count                                                         int
	On                                                            bool
	Zones                                                         []string
	Labels                                                        map[string]string
	Pools                                                         []inner
	Options                                                       map[string]inner
	NodeCIDR                                                      netip.Prefix
	Text                                                          fmt.Stringer
	inner
	Nothing *inner
	None    []inner
}

type word string

func (t word) String() string { return string(t) }

func good() *sample {
	return &sample{
		ClusterName: "shop", Pools: []inner{{Value: "a"}}, Options: map[string]inner{"x": {Value: "b"}},
		Labels: map[string]string{"k": "v"},
	}
}

func TestAllArgumentsAreFound(t *testing.T) {
	t.Parallel()
	var got []string
	test := Test[sample]{Good: good, Forms: []any{word("")}}
	untried := test.walk(good(), func(a argument) {
		path := a.path
		if a.key {
			path += " key"
		}
		got = append(got, path)
	})
	want := []string{
		"clusterName", "sshPublicKey", "osDiskSizeGB", "sha256", "caCertHashes", "count", "zones[0]", "labels key",
		"labels[k]", "pools[0].as", "options key", "options[x].as", "nodeCIDR", "text",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"nothing", "none"}, untried); diff != "" {
		t.Errorf("untried (-want +got):\n%s", diff)
	}
}

// Each input changes one argument, and the argument has exactly that value.
func TestInputsArePut(t *testing.T) {
	t.Parallel()
	test := Test[sample]{Good: good, Forms: []any{word("")}}
	all, _ := test.inputs()
	for _, of := range all {
		for _, in := range of {
			args := test.with(in)
			var values []string
			test.walk(args, func(a argument) {
				if a.path == in.path && a.key == in.key || in.key {
					values = append(values, fmt.Sprint(a.value.Interface()))
				}
			})
			if want := fmt.Sprint(in.value.Interface()); !slices.Contains(values, want) {
				t.Errorf("%s is not put: %.200q", in, values)
			}
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	in := func(path, value string) input {
		return input{path: path, good: reflect.ValueOf("correct-horse"), bad: bad{"x", reflect.ValueOf(value)}}
	}
	failed := func(text string) Outcome { return Outcome{Err: errors.New(text)} }
	long := "c: name: Invalid value: \"zq7\": use less" + strings.Repeat(" and less", 2000)
	for name, tt := range map[string]struct {
		in   input
		out  Outcome
		want string
	}{
		"refused well": {in("name", "zq7"), failed(`c: name: Invalid value: "zq7": use less`), ""},
		"no path":      {in("name", "zq7"), failed(`c: size: "zq7": use less`), "names the path"},
		"no value":     {in("name", "zq7"), failed(`c: name: Forbidden: use less`), "both value and fix"},
		"no fix":       {in("name", "zq7"), failed(`c: name: Invalid value: "zq7": bad`), "both value and fix"},
		"a line of its own": {
			in("name", "zq7\nzq8"), failed("c: name: \"zq7\\nzq8\": use less, not zq7\nzq8"), "looks like a line of " +
				"the error",
		},
		"a raw control": {in("name", "zq7"), failed("c: name: \"zq7\": use \x1b[31m"), "unescaped"},
		"too long":      {in("name", "zq7"), failed(long), "bytes"},
		"a secret":      {in("a.password", "zq7"), failed(`c: a.password: "zq7": use less`), "shows a secret"},
		"a good secret": {in("token", "x"), failed(`c: token: correct-horse: use less`), "shows a secret"},
		"a panic":       {in("name", "zq7"), Outcome{Err: panicked{"oops"}}, "panic: oops"},
		"accepted":      {in("name", "zq7"), Outcome{Data: []any{map[string]any{"a": []any{"b zq7"}}}}, ""},
		"ignored":       {in("name", "zq7"), Outcome{Data: []any{"zq6"}}, "appears nowhere"},
		"in a script": {
			in("name", "zq7"), Outcome{Data: []any{"zq7"}, Scripts: []string{"run zq7"}}, "changes a script",
		},
		"a good script": {in("name", "zq7"), Outcome{Data: []any{"zq7"}, Scripts: []string{"run"}}, ""},
	} {
		got := strings.Join(Test[sample]{Scripts: []string{"run"}}.judge(tt.in, tt.out), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: judge returns %.300q, want %q", name, got, tt.want)
		}
	}
}

func TestHoldsFindsEncodedValues(t *testing.T) {
	t.Parallel()
	const value = "zq7\nzq8: reboot"
	for name, tree := range map[string]any{
		"JSON": `{"a":["zq7\nzq8: reboot"]}`, "YAML": "a:\n  - \"zq7\\nzq8: reboot\"\n",
		"base64":         "x: enE3CnpxODogcmVib290",
		"a number":       []any{int64(5), value},
		"base64 in YAML": "files:\n  - content: enE3CnpxODogcmVib290\n",
	} {
		if !holds(tree, value, 0) {
			t.Errorf("it is not found in %s", name)
		}
	}
	if holds(map[string]any{"a": "zq7 zq8: reboot", "b": "enE3CnpxODog"}, value, 0) {
		t.Error("it is found where it is not")
	}
}
