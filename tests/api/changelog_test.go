package api

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seeded is the API of a release.
var seeded = []string{
	"components/aks: const Overlay NetworkMode = \"overlay\"",
	"components/aks: func NewCluster(string, ...int) (*Cluster, error)",
	"components/aks: method (*Cluster) Close() error",
	"components/aks: type Cluster struct",
	"components/aks: type Cluster struct, Tags []string",
	"components/aks: type Cluster struct, embedded *github.com/pulumi/pulumi/sdk/v3/go/pulumi.ResourceState",
	"components/aks: type ClusterArgs struct",
	"components/aks: type Source interface { Get() }",
	"components/aks: type Source interface, Get() string",
	"components/aks/akstest: func Mocks()",
	"components/aks/akstest: type Set[K comparable, V Number] map[K]V",
}

func TestAChangedLineOfTheReleasedAPIMustBeNamed(t *testing.T) {
	t.Parallel()
	cluster := []string{
		"method (*Cluster) Close() error", "type Cluster struct", "type Cluster struct, Tags []string",
		"type Cluster struct, embedded *github.com/pulumi/pulumi/sdk/v3/go/pulumi.ResourceState",
	}
	const newCluster = "func NewCluster(string, ...int) (*Cluster, error)"
	for _, tt := range []struct {
		name string
		// removed are lines without their package, and added whole ones.
		removed, added []string
		section        string
		want           []string // the names that are missing
	}{
		{name: "nothing changes", section: "### Changed\n\n- Nothing.\n"},
		{name: "a line is added", added: []string{"components/aks: func NewPool()"}},
		{name: "a function is removed", removed: []string{newCluster}, want: []string{"aks.NewCluster"}},
		{
			name:    "a function is changed, and named",
			removed: []string{newCluster},
			added:   []string{"components/aks: func NewCluster(string, bool) (*Cluster, error)"},
			section: "- **Breaking**: `aks.NewCluster` takes a flag.\n",
		},
		{
			name:    "a function is changed, and another one named",
			removed: []string{"func Mocks()"},
			added:   []string{"components/aks/akstest: func Mocks(int)"},
			section: "- `aks.Mocks`, `akstest.Mocks2` and `akstest.Mocks.Run` are new in components/aks/akstest.\n",
			want:    []string{"akstest.Mocks"},
		},
		{
			name:    "the path of the package is written",
			removed: []string{"func Mocks()"},
			section: "`components/aks/akstest.Mocks` is removed.\n",
		},
		{
			name:    "a constant has another value",
			removed: []string{"const Overlay NetworkMode = \"overlay\""},
			added:   []string{"components/aks: const Overlay NetworkMode = \"Overlay\""},
			want:    []string{"aks.Overlay"},
		},
		{
			name:    "a field is removed",
			removed: []string{"type Cluster struct, Tags []string"},
			section: "`aks.Cluster` changes.\n",
			want:    []string{"aks.Cluster.Tags"},
		},
		{
			name:    "a field is removed, and named at the end of a sentence",
			removed: []string{"type Cluster struct, Tags []string"},
			section: "Remove aks.Cluster.Tags.\n",
		},
		{
			name:    "a method and an embedded type are removed",
			removed: []string{cluster[0], cluster[3]},
			want:    []string{"aks.Cluster.Close", "aks.Cluster.ResourceState"},
		},
		{
			name:    "a method of an interface is changed",
			removed: []string{"type Source interface, Get() string"},
			added:   []string{"components/aks: type Source interface, Get(int) string"},
			want:    []string{"aks.Source.Get"},
		},
		{
			name:    "an interface has another method",
			removed: []string{"type Source interface { Get() }"},
			added:   []string{"components/aks: type Source interface { Get(); Put() }"},
			want:    []string{"aks.Source"},
		},
		{
			name:    "a generic type is removed",
			removed: []string{"type Set[K comparable, V Number] map[K]V"},
			want:    []string{"akstest.Set"},
		},
		{name: "a type is removed, and named", removed: cluster, section: "- `aks.Cluster` is removed.\n"},
		{
			name:    "a type is removed, and another one named",
			removed: cluster,
			section: "- `aks.ClusterArgs` is removed.\n",
			want:    []string{"aks.Cluster.Close", "aks.Cluster", "aks.Cluster.Tags", "aks.Cluster.ResourceState"},
		},
		{
			name:    "a package is removed, and named",
			removed: []string{"func Mocks()", "type Set[K comparable, V Number] map[K]V"},
			section: "- components/aks/akstest is removed.\n",
		},
		{
			name:    "a package has other lines, and is named",
			removed: []string{"func Mocks()"},
			section: "- components/aks/akstest is smaller.\n",
			want:    []string{"akstest.Mocks"},
		},
	} {
		current := tt.added
		for _, line := range seeded {
			if _, declared, _ := strings.Cut(line, ": "); !slices.Contains(tt.removed, declared) {
				current = append(current, line)
			}
		}
		var got []string
		for _, finding := range unnamed(seeded, current, tt.section) {
			got = append(got, strings.Trim(finding[strings.LastIndex(finding, " "):], " `"))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: the names that are missing (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestAFindingNamesTheLineAndTheFix(t *testing.T) {
	t.Parallel()
	got := unnamed(seeded[:1], nil, "")
	want := []string{"the last release has this line, which is removed or changed: " +
		`"components/aks: const Overlay NetworkMode = \"overlay\""` + "\nrestore it, or write what changes for users " +
		"into the section of CHANGELOG.md that is not released yet, with the name `aks.Overlay`"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSectionsOfTheChangelog(t *testing.T) {
	t.Parallel()
	const (
		top     = "# Changelog\n\nIntroduction.\n\n"
		next    = "## [0.2.0] - not released yet\n\n- Two.\n\n"
		release = "## [0.1.0] - 2027-01-31\n\n- One.\n\n## [0.0.1] - 2027-01-01\n\n- Zero.\n"
	)
	type result struct {
		next section
		last string
	}
	for text, want := range map[string]result{
		top:                  {},
		top + next:           {next: section{"0.2.0", "\n\n- Two.\n\n"}},
		top + next + release: {section{"0.2.0", "\n\n- Two.\n\n"}, "0.1.0"},
		top + release:        {last: "0.1.0"},
	} {
		var got result
		got.next, got.last = sections(text)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{}, section{})); diff != "" {
			t.Errorf("%s(-want +got):\n%s", text, diff)
		}
	}
}
