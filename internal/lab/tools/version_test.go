package tools

import "testing"

func TestWhichVersionsFit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule          rule
		pinned, found string
		want          bool
	}{
		{sameMinor, "v1.36.3", "v1.36.3", true},
		{sameMinor, "v1.36.3", "v1.36.0", true},
		{sameMinor, "v1.36.3", "v1.36.9", true},
		{sameMinor, "v1.36.3", "v1.36.1-eks-3abc", true},
		{sameMinor, "v1.36.3", "v1.36.1+k3s1", true},
		{sameMinor, "v1.36.3", "v1.35.9", false},
		{sameMinor, "v1.36.3", "v1.37.0", false},
		{sameMinor, "v1.36.3", "v2.36.3", false},
		{sameMinor, "v1.36.3", "v1.3.6", false},
		{sameMinor, "v1.36.3", "v1.36.0-alpha.2", false},
		{sameMinor, "v1.36.3", "v1.36.0-beta.0", false},
		{sameMinor, "v1.36.3", "v1.36.0-rc.1", false},
		{sameMinor, "v0.8.0", "v0.6.0", false},
		{sameMinor, "v1.36.3", "", false},
		{atLeast, "v3.255.0", "v3.255.0", true},
		{atLeast, "v3.255.0", "v3.255.1", true},
		{atLeast, "v3.255.0", "v3.300.0", true},
		{atLeast, "v3.255.0", "v3.254.9", false},
		{atLeast, "v3.255.0", "v3.255.0-alpha.1", false},
		{atLeast, "v3.255.0", "v4.0.0", false},
		{atLeast, "v3.255.0", "v2.300.0", false},
		{exactly, "v4.25.0", "v4.25.0", true},
		{exactly, "v4.25.0", "v4.25.1", false},
		{exactly, "v4.25.0", "v4.25.0-alpha.1", false},
	} {
		if got := test.rule.accepts(test.pinned, test.found); got != test.want {
			t.Errorf("pinned %s, found %q, rule %q: %v", test.pinned, test.found, test.rule.needs(test.pinned), got)
		}
	}
}

func TestNeededVersions(t *testing.T) {
	t.Parallel()
	equal(t, "same minor", sameMinor.needs("v0.8.0"), "v0.8")
	equal(t, "at least", atLeast.needs("v3.255.0"), "v3.255.0 or a later v3")
	equal(t, "exactly", exactly.needs("v4.25.0"), "v4.25.0")
}

// The texts are the output of the pinned binaries.
func TestTheVersionIsReadFromWhatEachToolPrints(t *testing.T) {
	t.Parallel()
	printed := map[string]struct{ text, version string }{
		"etcd": {
			"etcd Version: 3.7.3\nGit SHA: Not provided (use ./build instead of go build)\nGo Version: go1.26.8\nGo " +
				"OS/Arch: linux/amd64\n",
			"v3.7.3",
		},
		"kube-apiserver":          {"Kubernetes v1.36.3\n", "v1.36.3"},
		"kube-controller-manager": {"Kubernetes v1.36.3\n", "v1.36.3"},
		"kube-scheduler":          {"Kubernetes v1.36.3\n", "v1.36.3"},
		"kubeadm":                 {"v1.36.3\n", "v1.36.3"},
		"kubectl":                 {"Client Version: v1.36.3\nKustomize Version: v5.8.1\n", "v1.36.3"},
		"kwok":                    {"kwok version v0.8.0 go1.26.8 (linux/amd64)\n", "v0.8.0"},
		"kwokctl":                 {"kwokctl version v0.8.0 go1.26.8 (linux/amd64)\n", "v0.8.0"},
		"pulumi":                  {"v3.255.0\n", "v3.255.0"},
		"helm":                    {"v4.2.4\n", "v4.2.4"},
	}
	for _, tool := range table() {
		sample, known := printed[tool.name]
		if known != (tool.ask != nil) {
			t.Errorf("%s: the table has the arguments %q, the test has a sample: %v", tool.name, tool.ask, known)
			continue
		}
		if version, _ := parseVersion(sample.text, tool.answer); version != sample.version {
			t.Errorf("%s: %q, want %s", tool.name, version, sample.version)
		}
	}
}

func TestInvalidVersionsAreNotParsed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ printed, answer string }{
		{"", ""},
		{"Kubernetes\n", "Kubernetes "},
		{"Kubernetes unknown\n", "Kubernetes "},
		{"Kubernetes v0.0.0-master+$Format:%H$\n", "Kubernetes "},
		{"3 warnings\n", ""},
		{"kwok version v0.8.0\n", "kwokctl version "},
	} {
		if version, ok := parseVersion(test.printed, test.answer); ok {
			t.Errorf("%q: %s", test.printed, version)
		}
	}
}
