package userfiles

import (
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

const content = "kind: Namespace\n"

const noHash = "has a fragment that is not a hash: write #sha256= and 64 hexadecimal digits, or remove what begins " +
	"with #"

// site serves content at /ok, and redirects all other paths to the address in the query.
func site(t *testing.T, start func(*httptest.Server)) (*httptest.Server, *[]string) {
	t.Helper()
	var referers []string
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		referers = append(referers, r.Referer())
		if r.URL.Path == "/ok" {
			_, _ = w.Write([]byte(content))
			return
		}
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	}))
	start(s)
	t.Cleanup(s.Close)
	return s, &referers
}

// trusting returns a fetcher that trusts a server's certificate.
func trusting(s *httptest.Server) fetcher {
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return fetcher{roots: roots}
}

func TestHashInAnAddressIsChecked(t *testing.T) {
	t.Parallel()
	s, _ := site(t, (*httptest.Server).StartTLS)
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
	other := strings.Repeat("0", 64)
	const changed = ": see what has changed there, and write the new hash if you trust it"
	for fragment, want := range map[string]string{
		"":                                 "",
		"#sha256=" + hash:                  "",
		"#sha256=" + strings.ToUpper(hash): "",
		"#sha256=" + other: "the SHA-256 of the content is " + hash + ", and the address says " + other +
			changed,
		"#sha256=" + hash[1:]:                noHash,
		"#sha256=" + strings.Repeat("g", 64): noHash,
		"#sha512=" + hash + hash:             noHash,
		"#" + hash:                           noHash,
		"#hidden":                            noHash,
	} {
		// The fragment has the hash of the content after all redirects.
		for _, path := range []string{"/ok", "/moved?to=/ok"} {
			text, err := trusting(s).fetch(t.Context(), s.URL+path+fragment)
			if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
				t.Errorf("%s%s: the error is %s, want %s", path, fragment, got, want)
			}
			if err == nil && string(text) != content || err != nil && text != nil {
				t.Errorf("%s%s: the content is %q", path, fragment, text)
			}
		}
	}
}

func TestALargeFileIsNotComparedWithAHash(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, manifests.MaxFileSize+10))
	}))
	t.Cleanup(s.Close)
	_, err := fetcher{}.fetch(t.Context(), s.URL+"/#sha256="+strings.Repeat("0", 64))
	const want = "larger than 32 MB, which is all that is read of a file: split it"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

const noAddressAtAll = "is not an address: write https://host/path, with %XX for what is special in it"

func TestOnlyEncryptedAddressesAreRead(t *testing.T) {
	t.Parallel()
	const plain = "is not encrypted, so that anybody on the way can replace the manifests: use https://, or save them " +
		"as a file"
	metadata := func(address string) string {
		return "leads to " + address + ", an address of a cloud's metadata or of the local link: use another " +
			"address"
	}
	for address, want := range map[string]string{
		"http://example.com/deploy.yaml":                 plain,
		"http://user:hidden@example.com/?token=hidden":   plain,
		"http://10.0.0.4/deploy.yaml":                    plain,
		"http://localhost.example.com/":                  plain,
		"http://169.254.169.254/latest/":                 plain,
		"https://169.254.169.254/metadata/instance":      metadata("169.254.169.254"),
		"https://[::ffff:169.254.169.254]/":              metadata("169.254.169.254"),
		"https://[fe80::1]/":                             metadata("fe80::1"),
		"https://168.63.129.16:32526/":                   metadata("168.63.129.16"),
		"https:///deploy.yaml":                           noAddressAtAll,
		"https://example.com/#sha256=" + "hidden&hidden": noHash,
	} {
		if _, err := (fetcher{}).fetch(t.Context(), address); err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", address, err, want)
		}
	}
	// Addresses of this machine do not need encryption.
	s, _ := site(t, (*httptest.Server).Start)
	local := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	for _, address := range []string{s.URL + "/ok", local + "/ok", s.URL + "/moved?to=" + s.URL + "/ok"} {
		if text, err := (fetcher{}).fetch(t.Context(), address); err != nil || string(text) != content {
			t.Errorf("%s: %q, %v", address, text, err)
		}
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	s, referers := site(t, (*httptest.Server).StartTLS)
	plain, _ := site(t, (*httptest.Server).Start)
	const notEncrypted = ", which is not encrypted: use an address that stays with https://"
	for to, want := range map[string]string{
		plain.URL + "/ok":            "is redirected to " + plain.URL + "/ok" + notEncrypted,
		"http://example.com/?hidden": "is redirected to http://example.com/" + notEncrypted,
		"https://169.254.169.254/latest/?hidden": "is redirected to https://169.254.169.254/latest/, which leads to " +
			"169.254.169.254, an address of a cloud's metadata or of the local link: use another address",
		"/again?to=" + plain.URL + "/ok": "is redirected to " + plain.URL + "/ok" + notEncrypted,
		"/moved":                         "",
		"/ok":                            "",
	} {
		address := s.URL + "/moved?to=" + to
		text, err := trusting(s).fetch(t.Context(), address)
		switch {
		case to == "/moved":
			// It leads only to itself.
			want = "more than 10 redirects, the last one to " + s.URL + "/: use the address where the manifests are"
			fallthrough
		case want != "":
			if err == nil || err.Error() != want {
				t.Errorf("to %s: the error is %v, want %s", to, err, want)
			}
		case err != nil || string(text) != content:
			t.Errorf("to %s: %q, %v", to, text, err)
		}
	}
	for _, referer := range *referers {
		if referer != "" {
			t.Errorf("a server is told where the request was before: %s", referer)
		}
	}
	// An address of this machine without TLS must not redirect to one of another machine.
	_, err := fetcher{}.fetch(t.Context(), plain.URL+"/moved?to=http://169.254.169.254/latest/")
	const want = "is redirected to http://169.254.169.254/latest/, which is not encrypted, so that anybody on the way " +
		"can replace the manifests: use https://, or save them as a file"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
