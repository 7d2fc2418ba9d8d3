package guard_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/rule"
)

var errOwn = errors.New("no configuration")

// A program is adopted: its findings are written, known, fixed, and new ones stop it.
func TestBaselineRoundTrip(t *testing.T) {
	file := filepath.Join(t.TempDir(), "known.yaml")
	args := guard.Args{Baseline: file}
	mistakes := map[string]mistake{"a": withHostPID, "b": withDeprecated}
	program := guarded(args, func(ctx *pulumi.Context) error {
		for name, m := range mistakes {
			if _, err := pod(ctx, name, windows(m)); err != nil {
				return err
			}
		}
		return nil
	})
	_, err := mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "guard: baseline: Invalid value: \""+file+"\": there is no such file: write it with "+
		"MIXEDKUBE_BASELINE=write pulumi preview")

	t.Setenv("MIXEDKUBE_BASELINE", "write")
	if _, err := mocktest.Run(program); err == nil {
		t.Error("an update writes the file")
	}
	diffLogs(t, mocktest.MustRun(t, program, mocktest.Preview()),
		"info the stack: "+file+" is written: 2 known findings, 2 of them new, 0 removed",
		"info the stack: accepted findings:\n  known in "+file+": 1 error, 1 warning")
	wantFile(t, file, `version: 1
findings:
  - resource: kubernetes:core/v1:Pod::a
    rule: MK111 # hostPID on a Windows pod
    severity: error
    path: spec.hostPID
  - resource: kubernetes:core/v1:Pod::b
    rule: MK308 # a deprecated node label
    severity: warning
    path: spec.nodeSelector[beta.kubernetes.io/os]
`)

	t.Setenv("MIXEDKUBE_BASELINE", "")
	diffLogs(t, mocktest.MustRun(t, program, mocktest.Preview()),
		"info the stack: accepted findings:\n  known in "+file+": 1 error, 1 warning")
	diffLogs(t, mocktest.MustRun(t, program))

	mistakes = map[string]mistake{"a": withHostPID, "c": withFSGroup}
	graph, err := mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 1 error, shown at its resource")
	diffLogs(t, graph, "error c: "+fsGroup,
		"info the stack: accepted findings:\n  known in "+file+": 1 error, 0 warnings",
		"info the stack: fixed: remove from "+file+", or write it again with "+
			"MIXEDKUBE_BASELINE=write pulumi preview:\n"+
			"  MK308 kubernetes:core/v1:Pod::b spec.nodeSelector[beta.kubernetes.io/os]")

	t.Setenv("MIXEDKUBE_BASELINE", "write")
	graph = mocktest.MustRun(t, program, mocktest.Preview())
	diffLogs(t, graph, "info the stack: "+file+" is written: 2 known findings, 1 of them new, 1 removed",
		"info the stack: accepted findings:\n  known in "+file+": 2 errors, 0 warnings")
	// The API server gets no request for it: a refusal would end the preview before it has found everything.
	if r, err := graph.Get(podType, "a"); err != nil || len(r.Unknowns()) != 1 {
		t.Errorf("%v, %v", r.Unknowns(), err)
	}
}

func wantFile(t *testing.T, file, want string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, got, _ := strings.Cut(string(text), rule.URL("")+"\n"); got != want {
		t.Errorf("%s:\n%s\nwant\n%s", file, text, want)
	}
}

// The guard does not overwrite a baseline if it has not seen the whole program, or if the file is not a baseline.
func TestABaselineIsNotWrittenForAPartOfAProgram(t *testing.T) {
	t.Setenv("MIXEDKUBE_BASELINE", "write")
	file := filepath.Join(t.TempDir(), "known.yaml")
	const before = "version: 1\nfindings: []\n"
	check := func(why string, program pulumi.RunFunc, content, want string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := mocktest.Run(guarded(guard.Args{Baseline: file}, program), mocktest.Preview())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", why, err, want)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != content {
			t.Errorf("%s: %v, the file is\n%s", why, err, got)
		}
	}
	check("the program fails", func(ctx *pulumi.Context) error {
		return errors.Join(twoMistakes(ctx), errOwn)
	}, before, file+" is not written: not all resources have been seen")
	check("a resource fails", onePod("web", windows(func(s *corev1.PodSpecArgs) {
		s.Subdomain = pulumi.String("").ToStringOutput().ApplyT(func(string) (string, error) {
			return "", errOwn
		}).(pulumi.StringOutput)
	})), before, file+" is not written: not all resources have been seen")
	check("another file", twoMistakes, "name: shop\nruntime: go\n",
		file+":1: name: Invalid value: \"name\": unknown key (use version or findings)")

	_, err := mocktest.Run(guarded(guard.Args{}, twoMistakes), mocktest.Preview())
	diffError(t, err, "guard: baseline: Required value: MIXEDKUBE_BASELINE is set: name the file to write")
	t.Setenv("MIXEDKUBE_BASELINE", "update")
	_, err = mocktest.Run(guarded(guard.Args{Baseline: file}, twoMistakes), mocktest.Preview())
	if want := `MIXEDKUBE_BASELINE: Unsupported value: "update": supported values: "write"`; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// A known finding is known whatever its text is, unless it has become worse.
func TestFindingsAreMatchedWithTheBaseline(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "known.yaml")
	const known = `version: 1
findings:
  - {resource: "kubernetes:core/v1:Pod::first", rule: MK118, severity: warning, path: spec.securityContext.fsGroup}
  - {resource: "kubernetes:core/v1:Pod::second", rule: MK111, severity: error, path: spec.hostPID}
`
	if err := os.WriteFile(file, []byte(known), 0o600); err != nil {
		t.Fatal(err)
	}
	graph, err := mocktest.Run(guarded(guard.Args{Baseline: file}, twoMistakes), mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 1 error, shown at its resource")
	diffLogs(t, graph, "error first: "+fsGroup,
		"info the stack: accepted findings:\n  known in "+file+": 1 error, 0 warnings")
}
