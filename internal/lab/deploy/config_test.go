package deploy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// setsSecrets is initStack, with a `pulumi config set --secret KEY --stack S --cwd DIR`
// that writes what it reads in rot13.
const setsSecrets = initStack + `if [ "$1" = config ]; then ` +
	`printf 'config:\n  %s:\n    secure: %s\n' "$4" "$(tr a-z n-za-m)" ` +
	`>> "$8/Pulumi.$6.yaml"; exit; fi
`

func TestSecretsAreSetInTheLabsConfiguration(t *testing.T) {
	t.Parallel()
	s := newStack(t, setsSecrets)
	const user = `# the user's
encryptionsalt: the user's
config:
  shop:password:
    secure: the user's
  shop:version: "1.36"
  shop:since: 2026-11-21
secretsprovider: passphrase
`
	if err := os.WriteFile(s.Config, []byte(user), 0o600); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for range 2 {
		if err := s.EnsureSecret(t.Context(), "shop:password", func() string { calls++; return "hush" }); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 1 {
		t.Errorf("a value was made %d times, want once", calls)
	}
	for range 2 {
		if err := s.Preview(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.Join(s.Dir, "Pulumi.dev.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `encryptionsalt: the lab's
config:
    shop:password:
        secure: uhfu
    shop:since: 2026-11-21
    shop:version: "1.36"
secretsprovider: passphrase
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("the configuration (-want +got):\n%s", diff)
	}
	if got, err := os.ReadFile(s.Config); err != nil || string(got) != user {
		t.Errorf("the user's file is now %s (%v)", got, err)
	}
}

func TestASecretThatPulumiDoesNotTake(t *testing.T) {
	t.Parallel()
	s := newStack(t, initStack+"echo no such thing; exit 4")
	err := s.SetSecret(t.Context(), "shop:password", "hush")
	if want := "pulumi config set shop:password: exit status 4\nno such thing\n"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestConfigurationThatIsNotYAML(t *testing.T) {
	t.Parallel()
	s := newStack(t, initStack)
	if err := os.WriteFile(s.Config, []byte("config: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	err := s.Preview(t.Context())
	if want := s.Config + ": yaml: line 1: did not find expected node content"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
