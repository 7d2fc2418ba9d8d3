package kustomize_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// fields returns a kustomization for each text of its type, however deep, with a value there, and the path of the text.
func fields(value string) (all []types.Kustomization, paths []string) {
	var walk func(t reflect.Type, path string, set func(root reflect.Value) reflect.Value)
	walk = func(t reflect.Type, path string, set func(reflect.Value) reflect.Value) {
		switch t.Kind() {
		case reflect.String:
			var k types.Kustomization
			set(reflect.ValueOf(&k).Elem()).SetString(value)
			all, paths = append(all, k), append(paths, path)
		case reflect.Pointer:
			walk(t.Elem(), path, func(root reflect.Value) reflect.Value {
				v := set(root)
				if v.IsNil() {
					v.Set(reflect.New(t.Elem()))
				}
				return v.Elem()
			})
		case reflect.Slice:
			walk(t.Elem(), path+"[0]", func(root reflect.Value) reflect.Value {
				v := set(root)
				v.Set(reflect.MakeSlice(t, 1, 1))
				return v.Index(0)
			})
		case reflect.Map:
			if t.Elem().Kind() != reflect.String {
				return
			}
			for _, key := range []string{"path", "version"} {
				var k types.Kustomization
				m := reflect.MakeMap(t)
				m.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(value))
				set(reflect.ValueOf(&k).Elem()).Set(m)
				all, paths = append(all, k), append(paths, path+"."+key)
			}
		case reflect.Struct:
			for i := range t.NumField() {
				if t.Field(i).IsExported() {
					walk(t.Field(i).Type, path+"."+t.Field(i).Name, func(root reflect.Value) reflect.Value {
						return set(root).Field(i)
					})
				}
			}
		}
	}
	walk(reflect.TypeFor[types.Kustomization](), "", func(root reflect.Value) reflect.Value { return root })
	return all, paths
}

// refused are the fields that name files, and so addresses.
var refused = []string{
	".OpenAPI.path", ".PatchesStrategicMerge[0]", ".PatchesJson6902[0].Path", ".Patches[0].Path",
	".Replacements[0].Path", ".Resources[0]", ".Components[0]", ".Crds[0]", ".Bases[0]",
	".ConfigMapGenerator[0].GeneratorArgs.KvPairSources.FileSources[0]",
	".ConfigMapGenerator[0].GeneratorArgs.KvPairSources.EnvSources[0]",
	".ConfigMapGenerator[0].GeneratorArgs.KvPairSources.EnvSource",
	".SecretGenerator[0].GeneratorArgs.KvPairSources.FileSources[0]",
	".SecretGenerator[0].GeneratorArgs.KvPairSources.EnvSources[0]",
	".SecretGenerator[0].GeneratorArgs.KvPairSources.EnvSource",
	".Configurations[0]", ".Generators[0]", ".Transformers[0]", ".Validators[0]",
}

// No text of a kustomization makes a build fetch or run something: the fields that name files are refused with an
// address or a git reference, and no other field is fetched. There is no git on PATH, and nothing connects.
func TestNothingIsFetched(t *testing.T) { // it sets PATH
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	connected := make(chan string, 100)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				close(connected)
				return
			}
			connected <- connection.RemoteAddr().String()
			_ = connection.Close()
		}
	}()
	t.Setenv("PATH", t.TempDir())
	address := listener.Addr().String()
	for _, value := range []string{
		"http://" + address + "/a.yaml", "HTTP://" + address + "/a.git", "git::http://" + address + "/a/b",
		"ssh://git@" + address + "/a.git", "git@" + address + ":a/b.git", "file:///tmp/a.git", "github.com/a/b",
	} {
		all, paths := fields(value)
		var found []string
		for i, k := range all {
			text, err := json.Marshal(k)
			if err != nil {
				t.Fatal(err)
			}
			dir := write(t, map[string]string{"kustomization.yaml": string(text)})
			_, err = kustomize.NewReader(new(disk.Access)).Build(dir)
			if r, is := errors.AsType[*kustomize.RefusedError](
				err,
			); is &&
				strings.Contains(r.Detail, "and nothing is fetched") {
				found = append(found, paths[i])
			}
		}
		if diff := cmp.Diff(refused, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
	}
	_ = listener.Close()
	for from := range connected {
		t.Errorf("a connection from %s", from)
	}
}

// Each case is refused with a sentence. The neighbors are built.
func TestRefusals(t *testing.T) {
	t.Parallel()
	config := func(text string) map[string]string {
		return map[string]string{"kustomization.yaml": "generators: [g.yaml]\n", "g.yaml": text}
	}
	cases := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"an address", map[string]string{
			"kustomization.yaml": "namespace: a\nresources:\n  - https://example.com/a.yaml\n",
		}, `kustomization.yaml:3: resources[0]: "https://example.com/a.yaml" is an address, and nothing is fetched`},
		{"a file", map[string]string{"kustomization.yaml": "resources: [web.yaml]\n", "web.yaml": web}, ""},
		{"an address below", map[string]string{
			"kustomization.yaml": "resources: [a]\n", "a/kustomization.yaml": "components: [git@example.com:a/b]\n",
		}, `a/kustomization.yaml:1: components[0]: "git@example.com:a/b" is a reference to a git repository, and ` +
			`nothing is fetched`},
		{
			"a plugin",
			config("apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: a}\n"),
			`kustomization.yaml:1: generators[0]: "g.yaml" configures the plugin ksops, which is a program, and ` +
				`nothing is run or fetched`,
		},
		{
			"a generator of the library",
			config("apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nliterals: [a=b]\n"),
			"",
		},
		{
			"a generator of the library with an address",
			config(
				"apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: ['a=http://example.com/b']\n",
			),
			`kustomization.yaml:1: generators[0]: "g.yaml" names "a=http://example.com/b", which is an address, and nothing is run or fetched`,
		},
		{
			"Helm", config("apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: a}\n"),
			`kustomization.yaml:1: generators[0]: "g.yaml" runs Helm, and nothing is run or fetched`,
		},
		{"a missing file", map[string]string{
			"kustomization.yaml": "resources:\n- web.yaml\n",
		}, `kustomization.yaml:2: resources[0]: "web.yaml": no such file or directory`},
		{"a circle", map[string]string{
			"kustomization.yaml": "resources: [a]\n", "a/kustomization.yaml": "resources: [..]\n",
		}, `a/kustomization.yaml:1: resources[0]: "..": contains a, which includes it`},
		{"the settings of git", map[string]string{
			"kustomization.yaml": "configMapGenerator: [{name: a, files: [.git/config]}]\n", ".git/config": "token",
		}, `kustomization.yaml:1: configMapGenerator[0].files[0]: ".git/config": is in the directory of git, and is ` +
			`not read`},
		{"aliases of aliases", map[string]string{
			"kustomization.yaml": "resources: [a.yaml]\n",
			"a.yaml":             bomb(),
		}, "a.yaml:9: aliases stand for more than 100000 values"},
		{"a component as a resource", map[string]string{
			"kustomization.yaml":   "resources: [a]\n",
			"a/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
		}, "a/kustomization.yaml: is a Component, and is included as a Kustomization"},
		{
			"an unknown field",
			map[string]string{"kustomization.yaml": "resource: [a]\n"},
			`kustomization.yaml: json: unknown field "resource"`,
		},
		{
			"an error of the library",
			map[string]string{
				"kustomization.yaml": "resources: [web.yaml]\npatches:\n- patch: '{apiVersion: v1, kind: Pod, " +
					"metadata: {name: a}}'\n",
				"web.yaml": web,
			},
			`kustomization.yaml: no resource matches strategic merge patch "Pod.v1.[noGrp]/a.[noNs]": no matches for ` +
				`Id ` +
				`Pod.v1.[noGrp]/a.[noNs]; failed to find unique target for patch Pod.v1.[noGrp]/a.[noNs]`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, c.files)
			_, err := kustomize.NewReader(new(disk.Access)).Build(dir)
			got := ""
			if err != nil {
				got = strings.ReplaceAll(err.Error(), dir+"/", "")
				got = strings.ReplaceAll(got, dir, ".")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// bomb returns an object whose aliases stand for more values than fit into memory.
func bomb() string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx0: &x0 [a, a, a, a, a, a, a, a, a]\n")
	for i := range 10 {
		fmt.Fprintf(
			&b,
			"x%d: &x%d [%s]\n",
			i+1,
			i+1,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i), 9), ", "),
		)
	}
	return b.String()
}

// A kustomization outside of the repository is not read, and neither is a file, by any way.
func TestFilesOfOthersAreNotRead(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "web.yaml")
	if err := os.WriteFile(outside, []byte(web), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{"kustomization.yaml": "resources: [link.yaml]\n"})
	if err := os.Symlink(outside, filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	other := write(t, map[string]string{"kustomization.yaml": fmt.Sprintf("resources: [%q]\n", outside)})
	for dir, want := range map[string]string{dir: "a link leads out of ", other: "is outside of "} {
		_, err := kustomize.NewReader(new(disk.Access)).Build(dir)
		if r, is := errors.AsType[*kustomize.RefusedError](err); !is || !strings.Contains(r.Detail, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
