package hostile

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// goodRegistry serves an image for Linux, and returns its reference.
func goodRegistry(t *testing.T) string {
	t.Helper()
	config := asJSON(map[string]any{"os": "linux", "architecture": "amd64", "config": map[string]any{"User": "1000"}})
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(config)))
	const layer = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	manifest := asJSON(map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": map[string]any{
			"mediaType": "application/vnd.oci.image.config.v1+json", "size": len(config), "digest": digest,
		},
		"layers": []any{map[string]any{"size": 1_000, "digest": layer}},
	})
	documents := map[string]string{"/v2/": "", "/v2/shop/a/manifests/1": manifest, "/v2/shop/a/blobs/" + digest: config}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		document, ok := documents[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.Contains(r.URL.Path, "/manifests/") {
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		}
		_, _ = io.WriteString(w, document)
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://") + "/shop/a:1"
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // The values are plain.
	}
	return string(text)
}
