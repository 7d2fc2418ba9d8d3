package registry_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	memory "github.com/google/go-containerregistry/pkg/registry"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/system/registry"
)

// fixture is an image as a public source shows it. The digests are those of the copy that the test creates.
type fixture struct {
	// Source is an address, and Excerpt what is taken from there.
	Source  string
	Excerpt string `json:"says"`
	// Format is oci or docker.
	Format    string
	Manifests []made
}

// made is a manifest that a test creates.
type made struct {
	OS, Architecture, OSVersion, Variant string
	// ConfiguredVersion is the release in the configuration, if it differs from that of the index.
	ConfiguredVersion   string
	User                string
	Entrypoint, Command []string
	Layers              []int64
	// Attests marks an attestation by an annotation.
	Attests bool
}

func readFixture(t *testing.T, name string) fixture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var f fixture
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// mediaTypes are the media types of index, manifest, configuration and layer.
var mediaTypes = map[string][4]string{
	"oci": {
		"application/vnd.oci.image.index.v1+json", "application/vnd.oci.image.manifest.v1+json",
		"application/vnd.oci.image.config.v1+json", "application/vnd.oci.image.layer.v1.tar+gzip",
	},
	"docker": {
		"application/vnd.docker.distribution.manifest.list.v2+json",
		"application/vnd.docker.distribution.manifest.v2+json",
		"application/vnd.docker.container.image.v1+json", "application/vnd.docker.image.rootfs.diff.tar.gzip",
	},
}

// object is a JSON object.
type object = map[string]any

// server is a registry in this process.
type server struct {
	*httptest.Server
	t *testing.T
	// host is its name in a reference.
	host string
}

// newServer starts a registry, whose requests go through a handler first if there is one.
func newServer(t *testing.T, before func(next http.Handler) http.Handler) *server {
	t.Helper()
	handler := memory.New(memory.Logger(log.New(io.Discard, "", 0)))
	s := &server{t: t}
	if before != nil {
		inner := handler
		outer := before(inner)
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Fixture") != "" {
				inner.ServeHTTP(w, r)
				return
			}
			outer.ServeHTTP(w, r)
		})
	}
	s.Server = httptest.NewServer(handler)
	t.Cleanup(s.Close)
	s.host = strings.TrimPrefix(s.URL, "http://")
	return s
}

// send uploads something to the registry.
func (s *server) send(method, path, mediaType string, content []byte) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, bytes.NewReader(content))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("X-Fixture", "yes")
	request.Header.Set("Content-Type", mediaType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusCreated {
		s.t.Fatalf("%s %s: %s: %s", method, path, response.Status, text)
	}
}

func digestOf(content []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(content)) }

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (s *server) blob(repository, mediaType string, content []byte) object {
	s.t.Helper()
	s.send(http.MethodPost, "/v2/"+repository+"/blobs/uploads/?digest="+digestOf(content), "application/octet-stream",
		content)
	return object{"mediaType": mediaType, "size": len(content), "digest": digestOf(content)}
}

// manifest uploads a document under a tag, or under its digest, and returns its descriptor.
func (s *server) manifest(repository, tag, mediaType string, document any) object {
	s.t.Helper()
	content := asJSON(s.t, document)
	if tag == "" {
		tag = digestOf(content)
	}
	s.send(http.MethodPut, "/v2/"+repository+"/manifests/"+tag, mediaType, content)
	return object{"mediaType": mediaType, "size": len(content), "digest": digestOf(content)}
}

// one uploads the manifest of one platform, whose layers are missing.
func (s *server) one(repository, tag, format string, m made) object {
	s.t.Helper()
	types := mediaTypes[format]
	version := cmp.Or(m.ConfiguredVersion, m.OSVersion)
	configuration := object{
		"os": m.OS, "architecture": m.Architecture,
		"config": object{"User": m.User, "Entrypoint": m.Entrypoint, "Cmd": m.Command},
	}
	if version != "" {
		configuration["os.version"] = version
	}
	var layers []object
	for i, size := range m.Layers {
		layer := digestOf(fmt.Append(nil, m.OS, m.Architecture, version, i))
		layers = append(layers, object{"mediaType": types[3], "size": size, "digest": layer})
	}
	return s.manifest(repository, tag, types[1], object{
		"schemaVersion": 2, "mediaType": types[1], "layers": layers,
		"config": s.blob(repository, types[2], asJSON(s.t, configuration)),
	})
}

// image uploads a fixture, and returns its reference.
func (s *server) image(repository string, f fixture) string {
	s.t.Helper()
	var manifests []object
	for _, m := range f.Manifests {
		d := s.one(repository, "", f.Format, m)
		of := object{"os": m.OS, "architecture": m.Architecture}
		if m.OSVersion != "" {
			of["os.version"] = m.OSVersion
		}
		if m.Variant != "" {
			of["variant"] = m.Variant
		}
		d["platform"] = of
		if m.Attests {
			d["annotations"] = object{"vnd.docker.reference.type": "attestation-manifest"}
		}
		manifests = append(manifests, d)
	}
	types := mediaTypes[f.Format]
	s.manifest(repository, "tag", types[0], object{
		"schemaVersion": 2, "mediaType": types[0], "manifests": manifests,
	})
	return s.host + "/" + repository + ":tag"
}

// look looks up one image.
func look(t *testing.T, client registry.Client, reference string) registry.Result {
	t.Helper()
	results := client.LookUp(t.Context(), []string{reference}, nil)
	if len(results) != 1 || results[0].Reference != reference {
		t.Fatalf("the results are %v, want one of %s", results, reference)
	}
	return results[0]
}

// facts returns the facts about an existing image.
func facts(t *testing.T, client registry.Client, reference string) *platform.Facts {
	t.Helper()
	result := look(t, client, reference)
	if result.Failure != nil {
		t.Fatal(result.Failure)
	}
	return result.Facts
}

// described returns the variants of an image, one per line.
func described(f *platform.Facts) []string {
	var lines []string
	for _, v := range f.Variants {
		line := fmt.Sprintf("%s/%s", v.OS, v.Architecture)
		if v.OSVersion != "" {
			line += " " + v.OSVersion
		}
		if v.User != "" {
			line += " user " + v.User
		}
		if len(v.Entrypoint)+len(v.Command) > 0 {
			line += fmt.Sprintf(" %q %q", v.Entrypoint, v.Command)
		}
		if len(v.Layers) > 0 {
			line += fmt.Sprintf(" %d bytes %d", v.Layers, v.Size())
		}
		lines = append(lines, line)
	}
	return lines
}
