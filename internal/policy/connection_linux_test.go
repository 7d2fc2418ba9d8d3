package policy

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// clientOf is the variable of the environment that makes this test a client of a pack, in a process of another user.
const clientOf = "MIXEDKUBE_TEST_CLIENT_OF"

func TestMain(m *testing.M) {
	address := os.Getenv(clientOf)
	if address == "" {
		os.Exit(m.Run())
	}
	conn, err := net.Dial("tcp", address)
	if err == nil {
		err = refuses(conn)
	}
	if err != nil {
		_, _ = os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString("refused")
	os.Exit(0)
}

// The pack closes the connections of other users before a call, also the first one.
func TestOtherUsersAreRefused(t *testing.T) {
	t.Parallel()
	const nobody = 65534
	if os.Geteuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	fresh := run(t, t.TempDir())
	for name, address := range map[string]string{"before the handshake": fresh, "later": start(t, true, "{}").address} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Another user cannot run the test's binary where it is, but a process with an open descriptor of it can.
			binary, err := os.Open("/proc/self/exe")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = binary.Close() }()
			client := exec.CommandContext(t.Context(), "/proc/self/fd/3")
			client.ExtraFiles = []*os.File{binary}
			client.Dir = "/"
			client.Env = []string{clientOf + "=" + address}
			client.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			out, err := client.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != "refused" {
				t.Errorf("the client of another user: %v: %s", err, got)
			}
		})
	}
	// The pack still serves its own user.
	if diff := answersOf(t.Context(), shakeHands(t, fresh, connect(t, fresh), t.TempDir(), true).client,
		"Handshake", "ConfigureStack")["GetAnalyzerInfo"]; diff != "" {
		t.Errorf("the own user is refused: %s", diff)
	}
}
