package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

const lockFile = "testdata/images/mixedkube.images.yaml"

// The lock file states that an image without a platform in its name is for Windows Server 2022.
func TestPlaceUsesTheLockFile(t *testing.T) {
	t.Parallel()
	args := guard.Args{Topology: mixed, Place: true, Images: lockFile}
	program := guarded(args, podsOf(map[string]corev1.PodSpecArgs{
		"windows": {Containers: container("shop.example/web:1")},
		"both":    {Containers: container("shop.example/both:1")},
		"said": {
			Containers: container("shop.example/both:1"), Os: corev1.PodOSArgs{Name: pulumi.String("windows")},
		},
		"unsaid": {Containers: container("shop.example/other:1")},
	}))
	diffPlaced(t, mocktest.MustRun(t, program), map[string]placed{
		"windows": {selector2022, []any{toleration}, named("windows")},
		"said":    {selector2022, []any{toleration}, named("windows")},
		"both":    {},
		"unsaid":  {},
	})
}

func TestTheGuardJudgesImagesByTheLockFile(t *testing.T) {
	t.Parallel()
	var found guard.Report
	program := func(images string) pulumi.RunFunc {
		return guard.Program(enforcing(guard.Args{Topology: mixed, Images: images}, func(ctx *pulumi.Context) error {
			_, err := pod(ctx, "web", corev1.PodSpecArgs{
				Containers: container("shop.example/web:1"), NodeSelector: pulumi.ToStringMap(map[string]string{
					"kubernetes.io/os": "linux",
				}),
			})
			return err
		}), guard.ReportTo(&found))
	}
	if _, err := mocktest.Run(program("")); err != nil {
		t.Errorf("without a lock file: %v", err)
	}
	_, err := mocktest.Run(program(lockFile))
	var texts []string
	for _, f := range found.Findings {
		texts = append(texts, f.String())
	}
	const want = `spec.containers[0].image: "shop.example/web:1": is a Windows image (Windows Server 2022), but ` +
		`the node selector kubernetes.io/os=linux makes these Linux pods: use a Linux image (MK202)`
	if text := strings.Join(texts, "\n"); err == nil || !strings.Contains(text, want) {
		t.Errorf("with a lock file: %v, and the findings are:\n%s\nwant %s", err, text, want)
	}
}

// The error lists all mistakes in the lock file together with those in the arguments.
func TestALockFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "lock.yaml")
	if err := os.WriteFile(broken, []byte("version: 1\nimages: {'a b': {}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"testdata/no-such-file.yaml": "images: testdata/no-such-file.yaml",
		broken:                       `must be an image reference, nginx:1.27 for example`,
	} {
		args := guard.Args{EnforcementLevel: "strict", Images: path}
		_, err := mocktest.Run(guarded(args, func(*pulumi.Context) error { return nil }))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "enforcementLevel") {
			t.Errorf("%s: %v, want %q and what else is wrong", path, err, want)
		}
	}
}
