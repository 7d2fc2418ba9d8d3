package languages

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// guides are the programs whose regions are in the tabs of pages, with the numbers of resources of their previews.
var guides = map[string]int{"guides-kubernetes": 10, "guides-azure": 100}

// TestGuides previews the programs of the pages. The programs in all languages register the same resources with the
// same inputs.
func TestGuides(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab"})
	for project, least := range guides {
		t.Run(project, func(t *testing.T) {
			var first map[string]any
			for _, language := range []string{"yaml", "typescript", "python"} {
				t.Run(language, func(t *testing.T) {
					got := previewGuide(t, l, project, language)
					if first == nil {
						first = got
					}
					if len(got) < least {
						t.Errorf("the preview has %d resources, want at least %d", len(got), least)
					}
					if diff := cmp.Diff(first, got); diff != "" {
						t.Errorf("resources (-yaml +%s):\n%s", language, diff)
					}
				})
			}
		})
	}
}

// previewGuide returns the inputs of the resources that a program registers, by their URNs.
func previewGuide(t *testing.T, l labtest.Lab, project, language string) map[string]any {
	t.Helper()
	programs := filepath.Join("programs", "guides")
	dir := labtest.WithPins(t, filepath.Join(programs, strings.TrimPrefix(project, "guides-"), language), language)
	const chart = "csi-driver-smb"
	if err := os.CopyFS(filepath.Join(dir, chart), os.DirFS(filepath.Join(programs, chart))); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	if err := os.WriteFile(config, []byte(configOfGuides(t, l)), 0o600); err != nil {
		t.Fatal(err)
	}
	stack, err := l.Project(t.Context(), dir, "dev", config)
	labtest.Available(t, "the program in "+language, err)
	if err := stack.SetSecret(t.Context(), project+":windowsPassword", "Correct-Horse-Battery-9"); err != nil {
		t.Fatal(err)
	}
	return previewed(t, stack)
}

// previewed returns the inputs of the resources in a preview of a stack, by their URNs.
func previewed(t *testing.T, stack *deploy.Stack) map[string]any {
	t.Helper()
	var text bytes.Buffer
	stack.Out = &text
	failed := stack.Preview(t.Context(), "--json")
	var preview struct {
		Steps []struct {
			URN      string
			NewState struct{ Inputs map[string]any }
		}
		Diagnostics []struct{ Message string }
	}
	if err := json.Unmarshal(randomEnd.ReplaceAll(text.Bytes(), []byte(`RANDOM"`)), &preview); err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if failed != nil {
		t.Fatalf("%v\n%+v", failed, preview.Diagnostics)
	}
	found := map[string]any{}
	for _, step := range preview.Steps {
		// SDKs add their version to explicit providers.
		if !strings.Contains(step.URN, "::pulumi:providers:") {
			found[step.URN] = step.NewState.Inputs
		}
	}
	return found
}

// randomEnd matches the ends of generated names, which differ in each preview.
var randomEnd = regexp.MustCompile(`[0-9a-f]{8}"`)

// unknownHash matches a download without a hash, which only its publisher knows.
var unknownHash = regexp.MustCompile(`url: (\S+)(\n\s+)sha256: ""`)

// configOfGuides returns the configuration of the programs. The hashes in it are those of the addresses, because no
// machine downloads anything.
func configOfGuides(t *testing.T, l labtest.Lab) string {
	t.Helper()
	const example = "kubeadm-quickstart"
	releases, err := os.ReadFile(filepath.Join("..", "..", "examples", example, "releases.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text := unknownHash.ReplaceAllStringFunc(string(releases), func(download string) string {
		m := unknownHash.FindStringSubmatch(download)
		return fmt.Sprintf("url: %s%ssha256: %x", m[1], m[2], sha256.Sum256([]byte(m[1])))
	})
	return strings.Replace(text, example+":", "guides-azure:", 1) +
		"  azure-native:location: westeurope\n  guides-azure:sshPublicKey: ssh-ed25519 AAAA someone\n" +
		"  kubernetes:kubeconfig: " + l.Kubeconfig() + "\n"
}
