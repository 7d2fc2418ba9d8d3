package cli

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shop is a repository with files of two clusters, and of both.
var shop = map[string]string{
	".git":                    "",
	"topologies/linux.yaml":   onlyLinux,
	"topologies/windows.yaml": withWindows,
	"clusters/eu/pod.yaml":    strings.Replace(brokenPod, "hostPID: true", "", 1),
	"clusters/us/pod.yaml":    strings.Replace(brokenPod, "hostPID: true", "", 1),
	"shared/pod.yaml":         strings.Replace(brokenPod, "name: p,", "name: q,", 1),
	"clusters/us/disk/class.yaml": "kind: StorageClass\napiVersion: storage.k8s.io/v1\nmetadata: {name: fast}\n" +
		"provisioner: kubernetes.io/azure-disk\n",
}

const environmentsOfShop = `
environments:
- name: eu
  files: [/clusters/eu/, shared/]
  topology: topologies/linux.yaml
- name: us
  files: [/clusters/us/, shared/]
  topology: topologies/windows.yaml
`

// messagesOf returns the findings of check with their files and environments, and the summary.
func messagesOf(t *testing.T, args ...string) (lines []string, stderr string, code exitError) {
	t.Helper()
	code, stdout, stderr := start(t, "", append([]string{"check"}, args...)...)
	for line := range strings.Lines(stdout) {
		file, _, _ := strings.Cut(line, ":")
		_, rule, _ := strings.Cut(line, " (MK")
		lines = append(lines, file+": MK"+strings.Replace(strings.TrimSpace(rule), ")", "", 1))
	}
	slices.Sort(lines)
	return lines, stderr, code
}

// These tests cannot run in parallel: they change the working directory.
func TestCheckWithEnvironments(t *testing.T) {
	for name, tt := range map[string]struct {
		config string
		args   []string
		want   []string
		counts string
	}{
		// Pods of the same name are in different clusters. One in both has each finding once.
		"each with its topology": {
			environmentsOfShop,
			[]string{"."},
			[]string{
				"clusters/eu/pod.yaml: MK303 [in eu]", "shared/pod.yaml: MK111 [in eu, us]",
				"shared/pod.yaml: MK303 [in eu]",
			},
			"environments: eu 2 files, us 3 files, none 0 files\n",
		},
		"a topology of the flag": {
			environmentsOfShop,
			[]string{"--topology", "topologies/windows.yaml", "."},
			[]string{"shared/pod.yaml: MK111 [in eu, us]"},
			"environments: eu 2 files, us 3 files, none 0 files\n",
		},
		"one of them": {
			environmentsOfShop, []string{"clusters/us"}, nil, "environments: eu 0 files, us 2 files, none 0 files\n",
		},
		"a file": {
			environmentsOfShop,
			[]string{"clusters/eu/pod.yaml"},
			[]string{"clusters/eu/pod.yaml: MK303 [in eu]"},
			"environments: eu 1 file, us 0 files, none 0 files\n",
		},
		"others have the topology of the file": {
			"topology: topologies/linux.yaml\nenvironments: [{name: us, files: [clusters/us], topology: " +
				"topologies/windows.yaml}]",
			[]string{"."},
			[]string{
				"clusters/eu/pod.yaml: MK303", "shared/pod.yaml: MK111", "shared/pod.yaml: MK303",
			},
			"environments: us 2 files, none 2 files\n",
		},
		"the topology of the file is the default": {
			"topology: topologies/linux.yaml\nenvironments: [{name: us, files: [/clusters/us/pod.yaml]}]",
			[]string{"clusters/us"},
			[]string{"clusters/us/pod.yaml: MK303 [in us]"},
			"environments: us 1 file, none 1 file\n",
		},
		"a plan": {
			"environments: [{name: us, files: [clusters/us], topology: topologies/windows.yaml, to: " +
				"topologies/linux.yaml}]",
			[]string{"clusters/us"},
			[]string{"clusters/us/pod.yaml: MK319 [in us]"},
			"environments: us 2 files, none 0 files\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".mixedkube.yaml": tt.config}
			maps.Copy(files, shop)
			t.Chdir(dirWith(t, files))
			lines, stderr, _ := messagesOf(t, append([]string{"--exclude", "/topologies/"}, tt.args...)...)
			if diff := cmp.Diff(tt.want, lines); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if !strings.Contains(stderr, tt.counts) {
				t.Errorf("the summary is\n%s, want %s", stderr, tt.counts)
			}
		})
	}
}

// Findings about a topology name its environment.
func TestCheckTopologiesOfEnvironments(t *testing.T) {
	dir := dirWith(t, map[string]string{
		".git": "", "eu/pod.yaml": strings.Replace(brokenPod, "hostPID: true", "", 1), ".mixedkube.yaml": `
environments:
- name: eu
  files: [/eu/]
  topology:
    kubernetesVersion: "1.36"
    cloud: aks
    pools:
    - {name: linux, platform: linux}
    - {name: win22, platform: windows-2022, untainted: true}
`,
	})
	t.Chdir(dir)
	code, stdout, stderr := start(t, "", "check", "eu")
	if want := ".mixedkube.yaml:10: Topology: info: pools[1].platform"; code != passed ||
		!strings.HasPrefix(stdout, want) || !strings.Contains(stdout, "(MK853) [in eu]\n") {
		t.Errorf("exit %d, %s%s, want %s", code, stdout, stderr, want)
	}
}

func TestEnvironmentsThatAreWrong(t *testing.T) {
	dir := dirWith(t, map[string]string{"pod.yaml": brokenPod, ".mixedkube.yaml": `
environments:
- files: ["["]
- {name: eu, files: [eu], topology: 3}
- {name: eu, to: https://example.com/x}
`})
	t.Chdir(dir)
	code, _, stderr := start(t, "", "check", "--config", ".mixedkube.yaml", "pod.yaml")
	for _, want := range []string{
		"environments[0].name: Required value: name the cluster", `environments[0].files[0]: Invalid value: "["`,
		`environments[2].name: Duplicate value: "eu"`, "environments[2].files: Required value: write the directories",
		"environments[1].topology: ", "environments[2].to: Invalid value: ",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr has no %s:\n%s", want, stderr)
		}
	}
	if code != unusable {
		t.Errorf("exit %d", code)
	}
}

func TestPathsOfEnvironmentsThatDoNotExist(t *testing.T) {
	t.Chdir(dirWith(t, map[string]string{"eu/pod.yaml": brokenPod, ".mixedkube.yaml": `
environments:
- {name: eu, files: [/eu/, /eu/pod.yaml, /gone/, "/later-*/", "!/eu/old/", later/]}
`}))
	_, _, stderr := start(t, "", "check", "--config", ".mixedkube.yaml", "eu")
	want := `note: .mixedkube.yaml: environments[0].files[2]: "/gone/" does not exist: correct the path, or ` +
		"remove it\n"
	if strings.Count(stderr, "note: ") != 1 || !strings.HasPrefix(stderr, want) {
		t.Errorf("got %s, want %s", stderr, want)
	}
}

// Objects of two environments are for different clusters, and adopt needs to know which one.
func TestAdoptWithEnvironments(t *testing.T) {
	t.Chdir(dirWith(t, map[string]string{
		".git": "", ".mixedkube.yaml": environmentsOfShop, "topologies/linux.yaml": onlyLinux,
		"topologies/windows.yaml": withWindows, "clusters/us/pod.yaml": brokenPod,
	}))
	code, _, stderr := start(t, "", "adopt", "clusters/us")
	if code != unusable || !strings.Contains(stderr, "--topology: environments in .mixedkube.yaml have topologies") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// Paths of files without a directory, such as templates in the archive of a chart, belong to that of the archive.
func TestTheEnvironmentOfAFileWithoutADirectory(t *testing.T) {
	t.Parallel()
	dir := dirWith(t, map[string]string{"eu/a.yaml": ""})
	c := configuration{dir: dir, Config: Config{Environments: []Environment{{Name: "eu", Files: []string{"/eu/"}}}}}
	c.files, _ = checkEnvironments(c.Environments, nil)
	of := c.environmentsOf()
	for path, want := range map[string]string{
		"eu/a.yaml": "eu", "eu/shop.tgz/templates/web.yaml": "eu", "us/a.yaml": "", "../a.yaml": "",
	} {
		if got := strings.Join(of(filepath.ToSlash(filepath.Join(dir, path))), ","); got != want {
			t.Errorf("%s is in %q, want %q", path, got, want)
		}
	}
	if got := of(stdinName); len(got) > 0 {
		t.Errorf("standard input is in %v", got)
	}
}
