package pods

import "testing"

// A pod can have tens of thousands of containers, and checks of each of them ask for host process.
func TestHostProcessIsReadOnce(t *testing.T) { //nolint:paralleltest // it counts allocations
	// To read a value of such a type allocates memory.
	options := map[string]any{"windowsOptions": map[string]any{"hostProcess": []string{"no boolean"}}}
	p := OfSpec(map[string]any{"containers": []any{map[string]any{"securityContext": options}}})
	if p.HostProcess() || p.HostProcessUnknown() {
		t.Fatal("a host process")
	}
	if n := testing.AllocsPerRun(10, func() { p.HostProcess(); p.HostProcessUnknown() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
