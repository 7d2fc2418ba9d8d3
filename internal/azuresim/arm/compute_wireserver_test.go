package arm

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
)

// A pod gets the settings of its machine's extensions, and no customData. Another machine's WireServer does not know
// them.
func TestPodsReachOnlyTheWireServerOfTheirMachine(t *testing.T) {
	t.Parallel()
	c := machineRoom(t, (&nodes{}).options())
	putAll(t, c, vmID, waiting("init"))
	putAll(t, c, extensionID, linuxScript(machinetest.LinuxConfiguration(initText)))
	putAll(t, c, otherVMID, onNIC(nic2ID, "two", linuxMachine(nil)))
	state, err := c.Ask(t.Context(), vmID, machine.Pod{})
	if err != nil || len(state.Extensions) != 1 {
		t.Fatalf("got %+v, %v", state, err)
	}
	script, err := base64.StdEncoding.DecodeString(state.Extensions[0].Protected["script"].(string))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := payload.Decrypt(payload.In(string(script)), machinetest.PayloadKey().File("linux").Content)
	if err != nil || len(plain) == 0 {
		t.Errorf("%d bytes, %v", len(plain), err)
	}
	text, err := json.Marshal(state)
	if err != nil || strings.Contains(string(text), testToken) {
		t.Errorf("the answer has the token: %t, %v", strings.Contains(string(text), testToken), err)
	}
	other, err := c.Ask(t.Context(), otherVMID, machine.Pod{HostNetwork: true})
	if err != nil || other.Extensions != nil {
		t.Errorf("got %+v, %v", other, err)
	}
	want := "The virtual machine '" + vmID + "x' was not found."
	if _, err := c.Ask(t.Context(), vmID+"x", machine.Pod{}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
