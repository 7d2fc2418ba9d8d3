package differential

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// oracle is a running program that returns the verdicts of the API server of one version of Kubernetes. It handles one
// batch of questions at a time.
type oracle struct {
	// version is the release, v1.36.3 for example; minor is 1.36.
	version, minor string
	program        string

	mu        sync.Mutex
	questions io.WriteCloser
	answers   *bufio.Reader
}

// answer is the answer of an oracle about one object.
type answer struct {
	Errors      []verdict `json:"errors"`
	DecodeError string    `json:"decodeError"`
}

// startOracles starts an oracle for each version, the oldest first. It builds those that are not built yet, which takes
// a while.
func startOracles(t *testing.T) []*oracle {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := tools.FromRoot(root, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	names := tools.Oracles()
	paths, err := cache.Ensure(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	var all []*oracle
	for _, name := range names {
		version, err := cache.Pinned(name)
		if err != nil {
			t.Fatal(err)
		}
		o := startOracle(t, paths[name])
		o.version, o.minor = version, strings.TrimPrefix(name, "oracle-")
		all = append(all, o)
	}
	return all
}

// startOracle starts an oracle that runs until the end of the test.
func startOracle(t *testing.T, path string) *oracle {
	t.Helper()
	// The context of the test is canceled before the cleanup, which lets the program end by itself.
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	questions, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = questions.Close()
		// Discard the answers that have not been read.
		_, _ = io.Copy(io.Discard, answers)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(path), err, stderr.String())
		}
	})
	return &oracle{program: path, questions: questions, answers: bufio.NewReaderSize(answers, 1<<20)}
}

// ask sends all questions, each a line of JSON, and returns the answers in the same order.
func (o *oracle) ask(lines [][]byte) ([]answer, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	written := make(chan error, 1)
	// Write while reading the answers: a pipe cannot hold all of them.
	go func() {
		_, err := o.questions.Write(bytes.Join(lines, nil))
		written <- err
	}()
	answers := make([]answer, len(lines))
	for i := range answers {
		line, err := o.answers.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &answers[i])
		}
		if err != nil {
			return nil, fmt.Errorf("oracle %s: %w", o.version, err)
		}
	}
	return answers, <-written
}

// judge asks the oracle about one object.
func (o *oracle) judge(object map[string]any) (answer, error) {
	line, err := question(object)
	if err != nil {
		return answer{}, err
	}
	answers, err := o.ask([][]byte{line})
	if err != nil {
		return answer{}, err
	}
	return answers[0], nil
}

// question encodes the object as a line of JSON.
func question(object map[string]any) ([]byte, error) {
	line, err := json.Marshal(object)
	return append(line, '\n'), err
}

func TestOraclesJudgeKnownObjects(t *testing.T) {
	metadata := object{"name": "it"}
	for _, o := range startOracles(t) {
		for _, test := range []struct {
			name        string
			object      object
			want        []verdict
			decodeError string
		}{
			{
				"a RuntimeClass",
				object{
					"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": metadata,
					"handler": "runhcs-wcow-process",
				},
				[]verdict{},
				"",
			},
			{
				"a RuntimeClass with a bad handler",
				object{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": metadata, "handler": "X"},
				[]verdict{{"handler", field.ErrorTypeInvalid, validation.IsDNS1123Label("X")[0]}},
				"",
			},
			{
				"another kind",
				object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata},
				[]verdict{},
				"/v1, Kind=ConfigMap is not a kind that the oracle supports",
			},
			{
				"no kind",
				object{"apiVersion": "v1"},
				[]verdict{},
				"Object 'Kind' is missing in '{\"apiVersion\":\"v1\"}\n'",
			},
			{
				"another type",
				object{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": object{"hostPID": "true"}},
				[]verdict{},
				"json: cannot unmarshal string into Go struct field PodSpec.spec.hostPID of type bool",
			},
		} {
			got, err := o.judge(test.object)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(answer{test.want, test.decodeError}, got); diff != "" {
				t.Errorf("%s, %s: -want +got:\n%s", o.version, test.name, diff)
			}
		}
	}
}

func TestAnOracleMeasuresTheCreationOfAnObject(t *testing.T) {
	_, deployment := fact{}.objects()
	_, refused := fact{pod: object{"os": object{}}}.objects()
	for _, o := range startOracles(t) {
		out, err := o.measure(t, deployment)
		if err != nil {
			t.Fatal(err)
		}
		var took struct{ Validate, Create int64 }
		if err := json.Unmarshal(out, &took); err != nil || took.Validate <= 0 || took.Create <= 0 {
			t.Errorf("%s: %s: %v", o.version, out, err)
		}
		if out, err := o.measure(t, refused); err == nil ||
			!strings.HasPrefix(string(out),
				"error: the object is refused: spec.template.spec.os.name: Required value") {
			t.Errorf("%s: %s: %v", o.version, out, err)
		}
	}
}

func (o *oracle) measure(t *testing.T, object object) ([]byte, error) {
	t.Helper()
	line, err := question(object)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), o.program, "-bench", "20")
	cmd.Stdin = bytes.NewReader(line)
	return cmd.CombinedOutput()
}
