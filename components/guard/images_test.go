package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/images"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
)

// uses makes pods with these images.
func uses(references ...string) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		for i, reference := range references {
			if _, err := pod(ctx, "pod"+string(rune('a'+i)), windows(func(s *corev1.PodSpecArgs) {
				s.Containers = corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("c"), Image: pulumi.String(reference),
				}}
			})); err != nil {
				return err
			}
		}
		return nil
	}
}

// A preview writes down which images the program uses, for the command that looks them up.
func TestImagesAreWrittenDown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "images.yaml")
	known := &platform.Facts{Digest: "sha256:" + strings.Repeat("0", 64), Variants: []platform.Variant{{
		OS: platform.WindowsOS, OSVersion: "10.0.20348", Architecture: "amd64",
		Digest: "sha256:" + strings.Repeat("0", 64),
	}}}
	args := guard.Args{Images: file}
	program := guarded(args, uses("registry.example.com/web:1", "registry.example.com/web:2", "Not valid"))
	_, err := mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "guard: images: "+file+": no such file or directory")

	t.Setenv("MIXEDKUBE_IMAGES", "write")
	if _, err := mocktest.Run(program); err == nil {
		t.Error("an update writes the file")
	}
	lock := &images.Lock{}
	if err := lock.Set("registry.example.com/web:1", known); err != nil {
		t.Fatal(err)
	}
	if err := lock.Write(file); err != nil {
		t.Fatal(err)
	}
	diffLogs(t, mocktest.MustRun(t, program, mocktest.Preview()),
		"info the stack: "+file+" has 2 images, 1 of them new, 1 to look up: mixedkube images lock --file "+file)
	lock, err = images.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lock.References(), " "); got != "registry.example.com/web:1 registry.example.com/web:2" ||
		lock.Facts("registry.example.com/web:1") == nil || lock.Facts("registry.example.com/web:2") != nil {
		t.Errorf("it has %s", got)
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	mocktest.MustRun(t, program, mocktest.Preview())
	if after, _ := os.Stat(file); !os.SameFile(before, after) {
		t.Error("the file is written again, and is the same")
	}

	t.Setenv("MIXEDKUBE_IMAGES", "yes")
	_, err = mocktest.Run(program, mocktest.Preview())
	diffError(t, err, `guard: MIXEDKUBE_IMAGES: Unsupported value: "yes": supported values: "write"`)
}
