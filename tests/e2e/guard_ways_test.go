package e2e

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// guardWays previews a program once for each way in which resources reach the guard, through the engine or without it.
func guardWays(t *testing.T, l testLab) {
	t.Helper()
	const (
		hostPID    = " error: spec.hostPID: … (MK111)"
		privileged = " error: spec.template.spec.containers[0].securityContext.privileged: … (MK127)"
	)
	stack := l.project(t, "components/guard/testdata/ways", "dev", "")
	// This preview prepares Pulumi's directories. It must fail, because the way is not configured.
	if err := stack.Preview(t.Context()); err == nil {
		t.Fatal("the program does not need its configuration")
	}
	for _, tt := range []struct {
		way   string
		wrong []string
		shown []string // Pods and objects of charts for which the engine calls the program
	}{
		{
			"each-by-itself",
			[]string{
				"wrong-above" + hostPID, "wrong-args" + hostPID, "wrong-transform" + hostPID,
			},
			[]string{"wrong-above", "wrong-args", "wrong-transform"},
		},
		{"output", []string{"wrong" + hostPID}, []string{"wrong"}},
		{"chart", []string{"chart:default/shop" + privileged}, []string{"chart:default/agent", "chart:default/shop"}},
		{"group", []string{"group:default/wrong" + hostPID}, []string{"group:default/wrong"}},
		{"stack-transform", []string{"right" + hostPID}, []string{"right"}},
		{"stack-transformation", []string{"wrong" + hostPID}, []string{"wrong"}},
		{"own-transformation", []string{"wrong" + hostPID}, []string{"wrong"}},
	} {
		text, shown := previewWay(t, stack, tt.way)
		if diff := cmp.Diff(tt.wrong, labtest.ErrorsAt(text), golden.AnySentence); diff != "" {
			t.Errorf("%s: the preview shows (-want +got):\n%s\n%s", tt.way, diff, text)
		}
		// The registration of the first Pod may still be in progress when the engine begins to call the program.
		if !slices.Contains(tt.shown, "right") && tt.way != "each-by-itself" {
			shown = slices.DeleteFunc(shown, func(name string) bool { return name == "right" })
		}
		if diff := cmp.Diff(tt.shown, shown); diff != "" {
			t.Errorf("%s: calls of the engine for (-want +got):\n%s", tt.way, diff)
		}
	}
}

// previewWay returns the output of the CLI, and the names of the objects for which the engine has called the program.
func previewWay(t *testing.T, stack *deploy.Stack, way string) (text string, shown []string) {
	t.Helper()
	calls := filepath.Join(t.TempDir(), "calls.json")
	cmd := exec.CommandContext(t.Context(), stack.Tools["pulumi"], "preview", "--config", "ways:way="+way,
		"--stack", stack.Name, "--config-file", filepath.Join(stack.Dir, "Pulumi."+stack.Name+".yaml"))
	cmd.Dir, cmd.Env = stack.Project.Dir, append(stack.Environ(), "PULUMI_DEBUG_GRPC="+calls)
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("%s: a preview with a mistake passes", way)
	}
	return string(out), called(t, calls)
}

// called returns the names of the objects in the engine's calls in a file.
func called(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	check(t, err)
	defer func() { _ = f.Close() }()
	var names []string
	for lines := json.NewDecoder(f); ; {
		var call struct {
			Method  string
			Request struct{ Request []byte }
		}
		if err := lines.Decode(&call); errors.Is(err, io.EOF) {
			break
		} else if call.Method != "/pulumirpc.Callbacks/Invoke" {
			continue // the request may have another type
		} else if err != nil {
			t.Fatal(err)
		}
		typ, name := typeAndName(call.Request.Request)
		if strings.HasPrefix(typ, "kubernetes:core/") || strings.HasPrefix(typ, "kubernetes:apps/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// typeAndName decodes the first two fields of Pulumi's TransformRequest, to avoid the many dependencies of its package.
func typeAndName(request []byte) (typ, name string) {
	for len(request) > 0 {
		number, kind, n := protowire.ConsumeTag(request)
		if n < 0 {
			break
		}
		length := protowire.ConsumeFieldValue(number, kind, request[n:])
		if length < 0 {
			break
		}
		value := request[n : n+length]
		request = request[n+length:]
		if number > 2 || kind != protowire.BytesType {
			continue
		}
		text, _ := protowire.ConsumeString(value)
		if number == 1 {
			typ = text
		} else {
			name = text
		}
	}
	return typ, name
}
