package differential

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/tests/internal/oracles"
)

// oracle returns the verdicts of the API server of one version of Kubernetes.
type oracle struct{ *oracles.Oracle }

// answer is the answer of an oracle about one object.
type answer struct {
	Errors      []verdict `json:"errors"`
	DecodeError string    `json:"decodeError"`
}

// startOracles starts an oracle for each version, the oldest first.
func startOracles(t *testing.T) []*oracle {
	t.Helper()
	var all []*oracle
	for _, o := range oracles.Start(t) {
		all = append(all, &oracle{o})
	}
	return all
}

// ask sends all questions, each a line of JSON, and returns the answers in the same order.
func (o *oracle) ask(lines [][]byte) ([]answer, error) { return oracles.Ask[answer](o.Oracle, lines) }

// judge asks the oracle about one object.
func (o *oracle) judge(object map[string]any) (answer, error) {
	line, err := oracles.Question(object)
	if err != nil {
		return answer{}, err
	}
	answers, err := o.ask([][]byte{line})
	if err != nil {
		return answer{}, err
	}
	return answers[0], nil
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
				t.Errorf("%s, %s: -want +got:\n%s", o.Version, test.name, diff)
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
			t.Errorf("%s: %s: %v", o.Version, out, err)
		}
		if out, err := o.measure(t, refused); err == nil ||
			!strings.HasPrefix(string(out),
				"error: the object is refused: spec.template.spec.os.name: Required value") {
			t.Errorf("%s: %s: %v", o.Version, out, err)
		}
	}
}

func (o *oracle) measure(t *testing.T, object object) ([]byte, error) {
	t.Helper()
	line, err := oracles.Question(object)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), o.Program, "-bench", "20")
	cmd.Stdin = bytes.NewReader(line)
	return cmd.CombinedOutput()
}
