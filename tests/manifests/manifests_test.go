package manifests_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/manifests"
)

func TestPublicManifestsAreFixed(t *testing.T) {
	t.Parallel()
	var summary strings.Builder
	for _, project := range manifests.Read(t) {
		files := project.Files
		counts := map[bool]string{}
		for _, tainted := range []bool{true, false} {
			options := conversion.Options{Topology: manifests.Cluster(tainted)}
			undecided := convert(t, project.Name, files, options)
			options.AssumeLinux = true
			assumed := convert(t, project.Name, files, options)
			options.AssumeLinux = false
			options.Platforms = answers(undecided, platform.WindowsServer2022)
			convert(t, project.Name, files, options)
			counts[tainted] = count(undecided) + ", " + count(assumed)
		}
		if counts[true] != counts[false] {
			t.Errorf("%s: taints change the platforms of pods: %s with them, %s without", project.Name, counts[true],
				counts[false])
		}
		fmt.Fprintf(&summary, "%s: %d files (%d unreadable): %s\n", project.Name, len(files), project.Unreadable,
			counts[true])
	}
	golden.Equal(t, "testdata/projects.golden", summary.String())
}

// convert completes files and checks the result.
func convert(t *testing.T, project string, files []conversion.File, options conversion.Options) conversion.Result {
	t.Helper()
	result, errs := conversion.Convert(files, options)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", project, errors.Join(errs...))
	}
	again, errs := conversion.Convert(result.Files, options)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", project, errors.Join(errs...))
	}
	for i, f := range result.Files {
		if len(f.Problems) > 0 {
			t.Errorf("%s: %v", f.Name, errors.Join(f.Problems...))
		}
		if f.Changed() == bytes.Equal(f.Text, files[i].Text) {
			t.Errorf("%s: Changed is %t, but the text says otherwise", f.Name, f.Changed())
		}
		if again.Files[i].Changed() {
			t.Errorf("%s: a second conversion changes the text", f.Name)
		}
		if line, ok := lost(string(files[i].Text), string(f.Text)); ok {
			t.Errorf("%s: the line %q is lost", f.Name, line)
		}
	}
	questions := map[string]bool{}
	for _, f := range result.Findings {
		if f.Question {
			questions[fmt.Sprintf("%s %s", f.File,
				conversion.Object{Kind: f.Kind, Namespace: f.Namespace, Name: f.Name}.Key())] = true
		}
	}
	checker := preflight.New(preflight.Options{Topology: options.Topology})
	for _, o := range result.Objects {
		where := fmt.Sprintf("%s:%d: %s", o.File, o.Line, o.Key())
		if o.Done == conversion.Unknown && !questions[o.File+" "+o.Key()] {
			t.Errorf("%s: no finding asks for its platform", where)
		}
		landing, ok := checker.Landing(o.Tree)
		if !ok || o.OS == "" {
			continue
		}
		for _, pool := range slices.Concat(landing.Pools, landing.Perhaps) {
			if pool.Platform.OS() != o.OS {
				t.Errorf("%s: is for %s because of %s, and can land on %s", where, o.OS, o.Source, landing)
			}
		}
	}
	return result
}

// lost returns a line that the conversion removed. It may only change lines in which a
// value in brackets grew or replaced null.
func lost(before, after string) (string, bool) {
	rest := strings.Split(after, "\n")
	for line := range strings.SplitSeq(before, "\n") {
		i := slices.Index(rest, line)
		if i < 0 {
			key, _, _ := strings.Cut(line, ":")
			i = slices.IndexFunc(rest, func(l string) bool {
				return strings.HasPrefix(l, key) && (strings.Contains(l, "{") || strings.Contains(l, "["))
			})
		}
		if i < 0 {
			return line, true
		}
		rest = rest[i+1:]
	}
	return "", false
}

// answers sets the platform of all objects whose platform is not known.
func answers(r conversion.Result, p platform.Platform) map[string]platform.Platform {
	all := map[string]platform.Platform{}
	for _, o := range r.Objects {
		if o.Done == conversion.Unknown {
			all[o.Key()] = p
		}
	}
	// If two objects have the same name, the other one may state its platform itself.
	for _, o := range r.Objects {
		if o.Done != conversion.Unknown {
			delete(all, o.Key())
			delete(all, o.Kind+"/"+o.Name)
		}
	}
	return all
}

// count returns the number of objects for each system.
func count(r conversion.Result) string {
	counts := map[string]int{}
	for _, o := range r.Objects {
		switch {
		case o.Done == conversion.NoPods:
		case o.Done == conversion.Assumed:
			counts["treated as Linux"]++
		case o.OS != "":
			counts[string(o.OS)]++
		case o.Done == conversion.Unknown:
			counts["unknown"]++
		default:
			counts["left alone"]++
		}
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[key], key))
	}
	if len(parts) == 0 {
		return "no pods"
	}
	return strings.Join(parts, " ")
}
