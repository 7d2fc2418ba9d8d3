package azurenative

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
)

type object = map[string]any

// shape is the body of the PUT of a type, and the outputs of its answer.
type shape struct {
	Inputs  object
	ID      string
	Body    arm.Body
	Answer  arm.Body
	Outputs object
	// Back are the inputs that the outputs show.
	Back object
}

// The files are testdata/bodies/MODULE/TYPE.yaml.
func TestBodyRoundTrip(t *testing.T) {
	t.Parallel()
	for file, x := range casetest.Files[shape](t, "testdata/bodies", bodyIDs...) {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			typ := table[tokenOf(file)]
			id, err := typ.id(x.Inputs)
			if err != nil {
				t.Fatal(err)
			}
			if id != x.ID {
				t.Errorf("the ID is %s, want %s", id, x.ID)
			}
			parsed, err := typ.parse(id)
			if err != nil {
				t.Fatal(err)
			}
			want := object{}
			for _, name := range typ.InPath() {
				want[name] = x.Inputs[name]
			}
			if name, ok := want["scope"].(string); ok {
				want["scope"] = name[1:]
			}
			if diff := cmp.Diff(want, parsed); diff != "" {
				t.Errorf("parsed ID (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.Body, typ.body(x.Inputs)); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.Outputs, typ.outputs(x.Answer)); diff != "" {
				t.Errorf("outputs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.Back, typ.inputsOf(typ.outputs(x.Answer))); diff != "" {
				t.Errorf("inputs of the outputs (-want +got):\n%s", diff)
			}
		})
	}
}

// bodyIDs replace the placeholders of IDs in files.
var bodyIDs = []string{"$group", group, "$cluster", cluster, "$network/", networkProvider}

func TestAnIDOfAnotherTypeIsNotParsed(t *testing.T) {
	t.Parallel()
	_, err := table["azure-native:containerservice:AgentPool"].parse(cluster)
	want := "failed to parse '" + cluster +
		"' against the path '/subscriptions/SUBSCRIPTION/resourceGroups/{resourceGroupName}" +
		"/providers/Microsoft.ContainerService/managedClusters/{resourceName}/agentPools/{agentPoolName}'"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
