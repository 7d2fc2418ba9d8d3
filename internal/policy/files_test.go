package policy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// The values stand for secrets in files.
const (
	hiddenText   = "hunter2"
	hiddenNumber = 41414141
)

// everyKey has all keys of the two files.
var everyKey = map[string]string{
	TopologyFile: `{"kubernetesVersion": "1.36.3", "cloud": "azure", "matching": "strict",
"missingFeatures": ["network-policy"],
"pools": [{"name": "linux", "platform": "linux", "mode": "System", "count": 3, "size": "Standard_D4s_v5"},
{"name": "win22", "platform": "windows-2022", "mode": "User", "empty": true, "autoscaling": {"min": 1, "max": 3},
"size": "Standard_D4s_v5", "osDiskSizeGB": 128, "osDiskType": "Managed", "zones": ["1", "2"], "spot": true,
"spotMaxPrice": 0.5, "fips": false, "disableOutboundNAT": true, "maxPods": 30,
"reserved": {"cpu": "1", "memory": "1Gi"},
"reported": {"architecture": "amd64", "capacity": {"cpu": "4", "memory": "8Gi"}, "osVersion": "10.0.20348.1"},
"upgrade": {"maxSurge": "33%", "maxUnavailable": 0, "drainTimeoutMinutes": 30, "nodeSoakMinutes": 5},
"kubernetesVersion": "1.35.1", "labels": {"example.com/a": "b"}, "taints": ["os=windows:NoSchedule"],
"untainted": true}]}`,
	images.DefaultFile: `{"version": 1, "images": {"shop.example/a:1": {"digest": "sha256:` + digest + `",
"platforms": [
{"os": "windows", "osVersion": "10.0.20348.1", "architecture": "amd64", "digest": "sha256:` + digest + `", "user": "a",
"entrypoint": ["a"], "command": ["b"], "layers": [1, 2]}]}}}`,
}

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// hidden are wrong values of all types.
func hidden() []any {
	return []any{
		hiddenText, "", " " + hiddenText + " ", hiddenText + "=a:NoSchedule", "a=" + hiddenText + ":NoSchedule",
		"os=windows:" + hiddenText, "windows-" + hiddenText, "-" + hiddenText, "10.0.20348." + hiddenText,
		hiddenNumber, -hiddenNumber, strconv.Itoa(hiddenNumber), hiddenNumber + 0.5, true, nil,
		[]any{hiddenText},
		[]any{hiddenText, hiddenText},
		[]any{hiddenNumber},
		map[string]any{"a": hiddenText},
		map[string]any{"key": hiddenText, "value": hiddenText, "effect": "NoSchedule"},
		map[string]any{"key": "os", "value": hiddenText, "effect": hiddenText},
		[]any{map[string]any{"name": hiddenText}, map[string]any{"name": hiddenText}},
	}
}

// replaced calls a function for each value in a tree, with the tree in which something else replaces the value.
func replaced(tree any, with []any, call func(any)) {
	for _, v := range with {
		call(v)
	}
	switch tree := tree.(type) {
	case map[string]any:
		for key, v := range tree {
			replaced(v, with, func(other any) {
				tree[key] = other
				call(tree)
				tree[key] = v
			})
		}
	case []any:
		for i, v := range tree {
			replaced(v, with, func(other any) {
				tree[i] = other
				call(tree)
				tree[i] = v
			})
		}
	}
}

// errorOf returns the error about a file of a pack.
func errorOf(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &reading{dirs: directories{pack: dir}}
	if path := field.NewPath("cluster"); name == TopologyFile {
		r.topologyFile(name, path.Child("topology"))
	} else {
		r.lockFile(name, path.Child("images"))
	}
	if err := fielderrors.Join(Name, r.errs, r.others...); err != nil {
		return strings.ReplaceAll(err.Error(), filepath.ToSlash(dir), "DIR")
	}
	return ""
}

// Each value of both files is replaced by wrong values of all types. The errors name the line and the key, and no
// value.
func TestMessagesHaveNoValuesOfFiles(t *testing.T) {
	t.Parallel()
	for name, text := range everyKey {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tree any
			if err := json.Unmarshal([]byte(text), &tree); err != nil {
				t.Fatal(err)
			}
			errors := 0
			replaced(tree, hidden(), func(wrong any) {
				text, err := json.MarshalIndent(wrong, "", " ")
				if err != nil {
					t.Fatal(err)
				}
				got := errorOf(t, name, string(text))
				if got != "" {
					errors++
				}
				if strings.Contains(got, hiddenText) || strings.Contains(got, strconv.Itoa(hiddenNumber)) {
					t.Errorf("%s\n\nis in the error about\n%s", got, text)
				}
			})
			if errors < 150 {
				t.Errorf("%d values are wrong", errors)
			}
		})
	}
}

func TestMessagesAboutFiles(t *testing.T) {
	t.Parallel()
	const unreadable = "cannot be read as YAML or JSON: mixedkube check with this file says why"
	for name, tt := range map[string]struct{ text, want string }{
		"a wrong value": {
			"kubernetesVersion: hunter2\npools: [{name: a, platform: linux}]\n",
			"1: kubernetesVersion: Invalid value: not a Kubernetes version: write 1.36 or 1.36.3",
		},
		"a secret instead of a topology": {"hunter2\n", "1: Invalid value: must be an object"},
		"a wrong type": {
			"pools:\n- {name: a, platform: linux}\n- {name: [hunter2], platform: linux}\n",
			"3: pools[1].name: Invalid value: must be a string",
		},
		"a taint as an object": {
			"pools:\n- {name: a, platform: linux}\n" +
				"- {name: b, platform: linux, taints: [{key: a, value: hunter2, effect: NoSchedule}]}\n",
			"3: pools[1].taints[0]: Invalid value: must be a string, key=value:Effect",
		},
		"the same twice": {
			"pools:\n- {name: hunter2, platform: linux}\n- {name: hunter2, platform: linux}\n",
			"3: pools[1].name: Duplicate value: pools[0] has this name already: give each pool a name of its own",
		},
		"an unknown key": {
			"pools: [{name: a, platform: linux}]\nclod: hunter2\n",
			"2: clod: Invalid value: unknown key: did you mean \"cloud\"? (use kubernetesVersion, cloud, pools, " +
				"missingFeatures, matching, partial or runtimeClasses)",
		},
		"an unknown anchor":    {"a: 1\nb: *hunter2\n", "2: " + unreadable},
		"an endless text":      {"a: \"hunter2\n", "1: " + unreadable},
		"a wrong tag":          {"a: !!int hunter2\n", "1: " + unreadable},
		"a directive":          {"%hunter2\n", "1: " + unreadable},
		"a key twice":          {"a: 1\nhunter2: 1\nhunter2: 2\n", "3: " + unreadable},
		"a list as a key":      {"? [hunter2]\n: 1\n", "1: " + unreadable},
		"an anchor in itself":  {"a: &hunter2 [*hunter2]\n", "1: " + unreadable},
		"JSON without a comma": {`{"a": 1 "hunter2": 2}`, "1: " + unreadable},
		"JSON without quotes":  {`{"a": hunter2}`, "1: " + "a: Invalid value"},
		"a large number":       {`{"a": 1e99941414141}`, "1: " + unreadable},
		"a template":           {"a: {{ hunter2 }}\n", "1: " + unreadable},
		"a mapping in a text":  {"a: hunter2: b\n", "1: " + unreadable},
		"not UTF-8":            {"a: \xff hunter2\n", "1: " + unreadable},
		"two documents": {
			"a: hunter2\n---\nb: hunter2\n", " has 2 documents: give one that describes the topology",
		},
		"a private key":         {"-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n", "1: "},
		"variables":             {"export TOKEN=hunter2\n", "1: Invalid value: must be an object"},
		"a password in a table": {"root:hunter2:0:0\n", "1: Invalid value: must be an object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := errorOf(t, TopologyFile, tt.text)
			first, _, _ := strings.Cut(strings.ReplaceAll(got, "mixedkube:\n  ", "mixedkube: "), "\n")
			if want := "mixedkube: cluster.topology: DIR/topology.yaml:" + tt.want; !strings.HasPrefix(first, want) {
				t.Errorf("got  %s\nwant %s", first, want)
			}
			for _, value := range []string{hiddenText, strconv.Itoa(hiddenNumber)} {
				if strings.Contains(got, value) {
					t.Errorf("%s has a value of the file", got)
				}
			}
		})
	}
}

// Files stay in the directory of the pack or its repository: the errors have the path, its value and the fix.
func TestFilesOutsideAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = "{kubernetesVersion: '1.36', pools: [{name: linux, platform: linux}]}\n"
	for _, one := range []string{"pack", "other", "repository/policy", "repository/.git"} {
		if err := os.MkdirAll(filepath.Join(dir, one), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"other/topology.yaml", "pack/own.yaml", "repository/topology.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"link.yaml": "../other/topology.yaml", "inside.yaml": "own.yaml", "pipe.yaml": os.DevNull,
	} {
		if err := os.Symlink(to, filepath.Join(dir, "pack", link)); err != nil {
			t.Skipf("needs symbolic links: run it on Linux or macOS: %v", err)
		}
	}
	const fix = "move the file into the directory of the pack, or into its repository"
	for name, tt := range map[string]struct{ pack, key, file, want string }{
		"inside":            {"pack", "topology", "own.yaml", ""},
		"inside, absolute":  {"pack", "topology", "DIR/pack/own.yaml", ""},
		"a link inside":     {"pack", "topology", "inside.yaml", ""},
		"in the repository": {"repository/policy", "topology", "../topology.yaml", ""},
		"absolute": {
			"pack", "topology", "DIR/other/topology.yaml",
			`"DIR/other/topology.yaml": is outside of DIR/pack, and is not read: ` + fix,
		},
		"by dots": {
			"pack", "topology", "../other/topology.yaml",
			`"../other/topology.yaml": is outside of DIR/pack, and is not read: ` + fix,
		},
		"by a link": {
			"pack", "topology", "link.yaml",
			`"link.yaml": a link leads out of DIR/pack, to DIR/other/topology.yaml, and is not followed: ` + fix,
		},
		"a device": {
			"pack", "topology", "pipe.yaml",
			`"pipe.yaml": a link leads out of DIR/pack, to /dev/null, and is not followed: ` + fix,
		},
		"a lock": {
			"pack", "images", "../other/topology.yaml",
			`"../other/topology.yaml": is outside of DIR/pack, and is not read: ` + fix,
		},
		"out of the repository": {
			"repository/policy", "topology", "../../other/topology.yaml",
			`"../../other/topology.yaml": is outside of DIR/repository, and is not read: ` + fix,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := json.Marshal(map[string]any{"cluster": map[string]any{
				tt.key: strings.ReplaceAll(tt.file, "DIR", filepath.ToSlash(dir)),
			}})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := serve(t, filepath.Join(dir, tt.pack), true).configure(string(text)); err != nil {
				got = strings.ReplaceAll(status.Convert(err).Message(), filepath.ToSlash(dir), "DIR")
			}
			if tt.want != "" {
				tt.want = "mixedkube: cluster." + tt.key + ": Invalid value: " + tt.want
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The engine can name a directory of the program that is not that of the pack.
func TestFilesOfTheProgramAreRead(t *testing.T) {
	t.Parallel()
	pack, program := t.TempDir(), t.TempDir()
	file := filepath.Join(program, TopologyFile)
	if err := os.WriteFile(file, []byte("pools: [{name: linux, platform: linux}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for dirs, want := range map[directories]int{{pack, program}: 0, {pack: pack}: 1} {
		r := &reading{dirs: dirs}
		read := r.topologyFile(file, field.NewPath("topology"))
		if len(r.errs) != want || len(r.others) > 0 || len(read.Pools) != 1-want {
			t.Errorf("%v: the errors are %v and %v, the topology is %v", dirs, r.errs, r.others, read)
		}
	}
}
