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
	const why = ": is not an image reference, and the kubelet refuses it (InvalidImageName): %s (MK224)"
	fixes := map[string]string{
		"error":   "write registry/name:tag, the name in lower case and without https://",
		"warning": "put a value in place of the placeholder first",
	}
	for image, severity := range map[string]string{
		"Bad Image": "error", "shop.example.com/Shop:1.4": "error", "https://shop.example.com/shop": "error",
		"shop:": "error", "shop@sha256:12": "error", " shop": "error", "[a] shop": "error",
		"shop": "", "localhost:5000/shop:V1": "", "": "", "ko://example.com/Shop": "", "shop:__TAG__": "",
		"SHOP_IMAGE": "warning", "${IMAGE}": "warning", "shop:{{ .Values.tag }}": "warning",
		"$(params.image)": "warning",
		"shop:$TAG":       "warning", "<image>": "warning", "shop:%TAG%": "warning", "@REGISTRY@/shop": "warning",
		"example.com/[your name]/shop": "warning", "{registry}/{project}:{version}": "warning", "shop:#tag#": "warning",
		"__IMAGE__": "warning",
	} {
		var want []string
		if severity != "" {
			want = []string{fmt.Sprintf("%s spec.containers[0].image: %q"+why, severity, image, fixes[severity])}
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

// OpenShift writes the image of an image stream before it creates pods.
func TestImagesOfTriggers(t *testing.T) {
	t.Parallel()
	for annotation, want := range map[string][]string{
		"image.openshift.io/triggers": nil, "other": {"spec.containers[0].image: … (MK224)"},
	} {
		pod := object(
			t,
			"{kind: Pod, metadata: {annotations: {"+annotation+": '[]'}}, spec: {containers: [{image: ' '}]}}",
		)
		wantFindings(t, pod, v136, "MK224", want...)
	}
}
