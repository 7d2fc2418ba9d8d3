package deploy

import "testing"

func TestADirectoryWithoutStacks(t *testing.T) {
	t.Parallel()
	stacks := t.TempDir()
	_, err := ReadStack(stacks, "lab")
	want := `unknown stack "lab": no stack exists, because ` + stacks + " has no file Pulumi.*.yaml"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
