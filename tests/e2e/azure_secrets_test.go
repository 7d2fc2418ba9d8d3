package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/clientcmd"
)

// secret is a text that must be in no file.
type secret struct{ name, text string }

// kubeconfigSecrets are parts of a kubeconfig: a line from the middle of the key, and
// of each certificate.
func kubeconfigSecrets(t *testing.T, path string) []secret {
	t.Helper()
	config, err := clientcmd.LoadFromFile(path)
	check(t, err)
	var parts []secret
	add := func(name string, pem []byte) {
		lines := strings.Split(string(pem), "\n")
		line := secret{name, lines[len(lines)/2]}
		if len(line.text) < 32 {
			t.Fatalf("the %s in %s has no long line in the middle", name, path)
		}
		parts = append(parts, line)
	}
	for _, user := range config.AuthInfos {
		add("client's key", user.ClientKeyData)
		add("client's certificate", user.ClientCertificateData)
	}
	for _, cluster := range config.Clusters {
		add("cluster's certificate", cluster.CertificateAuthorityData)
	}
	if len(parts) != 3 {
		t.Fatalf("%s has %d secrets, want 3", path, len(parts))
	}
	return parts
}

// checkNoSecrets looks for secrets in all that a lab and its runs of Pulumi have
// written.
func checkNoSecrets(t *testing.T, l azureLab, records string, secrets []secret) {
	t.Helper()
	skip := func(path string) bool {
		// The control plane has made the keys itself. The Kubernetes plugin writes the
		// kubeconfig that it is given to a file for Helm, and leaves it.
		return path == filepath.Dir(l.Kubeconfig()) || pluginKubeconfig.MatchString(path)
	}
	for _, found := range findSecrets(t, []string{l.dir, records}, skip, secrets) {
		t.Error(found)
	}
}

var pluginKubeconfig = regexp.MustCompile(`/pulumi/[^/]+/tmp/kubeconfig\d+$`)

// checkSearched sees that the search would find what is written where secrets might be
// as well: the administrator's name and, where it may be, the kubeconfig.
func checkSearched(t *testing.T, l azureLab, records string) {
	t.Helper()
	all := append(kubeconfigSecrets(t, l.Kubeconfig()), secret{"name", "azureuser"})
	found := findSecrets(t, []string{l.dir, records}, nil, all)
	backend := filepath.Join(l.dir, "pulumi", "*", "state", ".pulumi")
	for pattern, names := range map[string][]string{
		l.Kubeconfig(): {
			"client's key", "client's certificate",
			"cluster's certificate",
		},
		filepath.Join(l.AzureDir(), "*.json"):                              {"name"},
		filepath.Join(records, "*", "*.jsonl"):                             {"name"},
		filepath.Join(records, "*", "output"):                              {"name"},
		filepath.Join(backend, "stacks", "*", "lab.json"):                  {"name"},
		filepath.Join(backend, "backups", "*", "lab", "*.json"):            {"name"},
		filepath.Join(backend, "history", "*", "lab", "*.checkpoint.json"): {"name"},
	} {
		for _, name := range names {
			if !slices.ContainsFunc(found, func(f string) bool {
				path, has := strings.CutSuffix(f, ": "+name)
				matches, err := filepath.Match(pattern, path)
				check(t, err)
				return has && matches
			}) {
				t.Errorf("the search does not find the %s in %s", name, pattern)
			}
		}
	}
}

// findSecrets returns a line for each file below the folders that has a secret: its
// path and the secret's name. The paths are as filepath.WalkDir makes them; skip says
// which files and folders to leave out.
func findSecrets(t *testing.T, folders []string, skip func(path string) bool, secrets []secret) []string {
	t.Helper()
	var found []string
	for _, folder := range folders {
		check(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case skip != nil && skip(path) && entry.IsDir():
				return filepath.SkipDir
			case skip != nil && skip(path) || !entry.Type().IsRegular():
				return nil
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, s := range secrets {
				if slices.ContainsFunc(forms(s.text),
					func(form string) bool { return bytes.Contains(content, []byte(form)) }) {
					found = append(found, path+": "+s.name)
				}
			}
			return nil
		}))
	}
	return found
}

// forms are what a text may look like in a file: as it is, in JSON, in JSON in JSON,
// in base64, and in base64 in base64, as the kubeconfig that Azure answers is.
func forms(text string) []string {
	all := append([]string{text}, jsonForms(text)...)
	for _, form := range jsonForms(text) {
		all = append(all, jsonForms(form)...)
	}
	for _, form := range base64Forms(text) {
		all = append(append(all, form), base64Forms(form)...)
	}
	return all
}

// jsonForms are a text in a string of JSON, with and without escapes for HTML.
func jsonForms(text string) []string {
	var both []string
	for _, html := range []bool{true, false} {
		var out strings.Builder
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(html)
		if err := encoder.Encode(text); err != nil {
			panic(err)
		}
		both = append(both, strings.Trim(strings.TrimSpace(out.String()), `"`))
	}
	return both
}

// base64Forms are what a text becomes as a part of something longer, which depends on
// how many bytes are before it. Characters that other bytes have a share in are left
// out.
func base64Forms(text string) []string {
	var all []string
	for before := range 3 {
		encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), text...))
		first := (8*before + 5) / 6
		whole := 8 * (before + len(text)) / 6
		all = append(all, encoded[first:whole])
	}
	return all
}

// The search is not blind.
func TestSecretsAreFound(t *testing.T) {
	t.Parallel()
	const password, line = `A"very"<secret>\password&1`,
		"c2VjcmV0IGtleSBvZiB0aGUgY2xpZW50IGluIHRoZSBrdWJlY29uZmlnIGhlcmU+"
	inJSON := func(value any) string {
		text, err := json.Marshal(value)
		check(t, err)
		return string(text)
	}
	inBase64 := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	key := inBase64("-----BEGIN KEY-----\nMIIE\n" + line + "\nabcd\n-----END KEY-----\n")
	files := map[string]struct{ content, finds string }{
		"plain":                 {"password=" + password + "\n", "password"},
		"json":                  {inJSON(map[string]string{"password": password}), "password"},
		"json-in-json":          {inJSON(inJSON([]string{password})), "password"},
		"json-without-html":     {`{"password":"A\"very\"<secret>\\password&1"}`, "password"},
		"base64":                {inBase64(password), "password"},
		"base64-after-1":        {inBase64("a" + password + "b"), "password"},
		"base64-after-2":        {inBase64("ab" + password + "c"), "password"},
		"base64-after-3":        {inBase64("abc" + password + "d"), "password"},
		"deep/in/folders/below": {password, "password"},
		"kubeconfig":            {"client-key-data: " + key + "\n", "key"},
		"azure-answer":          {inBase64("users:\n- user:\n    client-key-data: " + key + "\n"), "key"},
		"pem":                   {"MIIE\n" + line + "\n", "key"},
		"pem-in-json":           {inJSON("MIIE\n" + line + "\n"), "key"},
		"nothing":               {`A"very"<other>\password&1`, ""},
		"skipped":               {password, ""},
	}
	folder := t.TempDir()
	var want []string
	for name, file := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(path), 0o700))
		check(t, os.WriteFile(path, []byte(file.content), 0o600))
		if file.finds != "" {
			want = append(want, path+": "+file.finds)
		}
	}
	skip := func(path string) bool { return filepath.Base(path) == "skipped" }
	found := findSecrets(t, []string{folder}, skip, []secret{{"password", password}, {"key", line}})
	slices.Sort(want)
	slices.Sort(found)
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("files with secrets (-want +found):\n%s", diff)
	}
}
