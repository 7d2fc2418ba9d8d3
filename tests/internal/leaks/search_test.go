package leaks

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The search finds each form of a secret.
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
		"plain":                     {"password=" + password + "\n", "password"},
		"json":                      {inJSON(map[string]string{"password": password}), "password"},
		"json-in-json":              {inJSON(inJSON([]string{password})), "password"},
		"json-without-html":         {`{"password":"A\"very\"<secret>\\password&1"}`, "password"},
		"base64":                    {inBase64(password), "password"},
		"base64-after-1":            {inBase64("a" + password + "b"), "password"},
		"base64-after-2":            {inBase64("ab" + password + "c"), "password"},
		"base64-after-3":            {inBase64("abc" + password + "d"), "password"},
		"deep/in/directories/below": {password, "password"},
		"kubeconfig":                {"client-key-data: " + key + "\n", "key"},
		"azure-answer":              {inBase64("users:\n- user:\n    client-key-data: " + key + "\n"), "key"},
		"pem":                       {"MIIE\n" + line + "\n", "key"},
		"pem-in-json":               {inJSON("MIIE\n" + line + "\n"), "key"},
		"gzip":                      {gzipped(password), "password"},
		"gzip-in-something":         {"head" + gzipped("a"+password), "password"},
		"gzip-without-its-end":      {gzipped(password + rand.Text() + rand.Text())[:60], "password"},
		"customData":                {`{"customData":"` + inBase64(gzipped("ab"+password)) + `"}`, "password"},
		"gzip-behind-a-path":        {"/a/path/" + inBase64(gzipped(password)), "password"},
		"gzip-in-lines":             {folded(inBase64(gzipped(password)), "\n"), "password"},
		"gzip-in-lines-in-JSON":     {inJSON(folded(inBase64(gzipped(password)), "\r\n")), "password"},
		"gzip-in-gzip":              {gzipped(inBase64(gzipped(inBase64(password)))), "password"},
		"archive.tar.gz":            {gzipped(inTar(t, password)), "password"},
		"archive.zip":               {inZip(t, password), "password"},
		"utf16":                     {inUTF16("$Password = '" + password + "'"), "password"},
		"encoded-command":           {"powershell -EncodedCommand " + inBase64(inUTF16("x"+password)), "password"},
		"payload-of-a-command": {
			"powershell -EncodedCommand " + inBase64(inUTF16("$Payload = '"+inBase64(gzipped(password))+"'")),
			"password",
		},
		"hex":                {hex.EncodeToString([]byte(password)), "password"},
		"HEX":                {strings.ToUpper(hex.EncodeToString([]byte(password))), "password"},
		"nothing-compressed": {gzipped(`A"very"<other>\password&1`), ""},
		"nothing":            {`A"very"<other>\password&1`, ""},
		"skipped":            {password, ""},
	}
	dir := t.TempDir()
	var want []string
	for name, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(path), 0o700))
		check(t, os.WriteFile(path, []byte(file.content), 0o600))
		if file.finds != "" {
			want = append(want, path+": "+file.finds)
		}
	}
	skip := func(path string) bool { return filepath.Base(path) == "skipped" }
	found := Find(t, []string{dir}, skip, []Secret{{"password", password}, {"key", line}})
	slices.Sort(want)
	slices.Sort(found)
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("files with secrets (-want +found):\n%s", diff)
	}
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	if err = errors.Join(err, z.Close()); err != nil {
		panic(err)
	}
	return b.String()
}

// folded breaks a text into lines of a fixed length, as openssl and mail tools do with base64.
func folded(text, end string) string {
	var lines []string
	for line := range slices.Chunk([]byte(text), 40) {
		lines = append(lines, string(line))
	}
	return strings.Join(lines, end)
}

func inTar(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	check(t, w.WriteHeader(&tar.Header{Name: "file", Mode: 0o600, Size: int64(len(text))}))
	_, err := w.Write([]byte(text))
	check(t, errors.Join(err, w.Close()))
	return b.String()
}

func inZip(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	file, err := w.Create("file")
	check(t, err)
	_, err = file.Write([]byte(text))
	check(t, errors.Join(err, w.Close()))
	return b.String()
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
