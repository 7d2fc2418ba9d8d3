package preflight_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// The API server accepts any text, and the text that a template engine inserts is unknown.
func TestImagesThatAreNotReferences(t *testing.T) {
	t.Parallel()
	const why = ": is not an image reference, and the kubelet refuses it (InvalidImageName): " +
		"write registry/name:tag, the name in lower case and without https:// (MK224)"
	for image, severity := range map[string]string{
		"Bad Image": "error", "shop.example.com/Shop:1.4": "error", "https://shop.example.com/shop": "error",
		"shop:": "error", "shop@sha256:12": "error", " shop": "error", "SHOP_IMAGE": "warning",
		"shop": "", "localhost:5000/shop:V1": "", "": "",
		"${IMAGE}": "", "shop:{{ .Values.tag }}": "", "$(params.image)": "", "ko://example.com/Shop": "",
	} {
		var want []string
		if severity != "" {
			want = []string{fmt.Sprintf("%s spec.containers[0].image: %q%s", severity, image, why)}
		}
		for _, os := range []string{"linux", "windows"} {
			pod := object(t, fmt.Sprintf(
				"{apiVersion: v1, kind: Pod, spec: {os: {name: %s}, containers: [{image: %q}]}}",
				os, image))
			var got []string
			for _, f := range preflight.New(v136).Check(pod) {
				if f.Rule == "MK224" {
					got = append(got, texts([]preflight.Finding{f})...)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q for %s (-want +got):\n%s", image, os, diff)
			}
		}
	}
}
