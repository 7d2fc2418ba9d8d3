package gosource

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

const module = "github.com/pulumi/pulumi-azure-native-sdk/resources/v3"

// On a fresh machine go reports a download while it answers.
func TestTheModuleIsFoundWhileGoReports(t *testing.T) {
	want := moduleDir(t, module)
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := "#!/bin/sh\necho 'go: downloading a module' >&2\nexec '" + program + "' \"$@\"\n"
	if err := executable.Write(filepath.Join(dir, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if got := moduleDir(t, module); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAPackageIsLoaded(t *testing.T) {
	t.Parallel()
	files := Load(t, module)
	if len(files) == 0 || files[0].Name.Name != "resources" {
		t.Errorf("there are %d files, want those of the package resources", len(files))
	}
}
