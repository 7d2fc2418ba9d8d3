package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// The lock file states that an image without a platform in its name is for Windows Server 2022.
func TestGroupsUseTheLockFile(t *testing.T) {
	t.Parallel()
	args := text("{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: " +
		"[{name: web, image: 'shop.example/web:1'}]}}")
	args.Images = "../guard/testdata/images/mixedkube.images.yaml"
	r, err := mocktest.MustRun(t, group(args)).Get("kubernetes:core/v1:Pod", "shop:web")
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := r.Plain()["spec"].(map[string]any)
	want := map[string]any{
		"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "node.kubernetes.io/windows-build": "10.0.20348",
	}
	if diff := cmp.Diff(any(want), spec["nodeSelector"]); diff != "" {
		t.Errorf("the node selector (-want +got):\n%s", diff)
	}
}

func TestALockFileThatDoesNotExist(t *testing.T) {
	t.Parallel()
	const want = "images: testdata/no-such-file.yaml"
	args := text("{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}")
	args.Images = "testdata/no-such-file.yaml"
	if _, err := mocktest.Run(group(args)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the group: %v, want %s", err, want)
	}
	bad := &manifest.ChartArgs{Options: args.Options, Images: args.Images}
	if _, err := mocktest.Run(chart(bad)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the chart: %v, want %s", err, want)
	}
}
