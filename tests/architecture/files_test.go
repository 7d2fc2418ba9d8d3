package architecture

import (
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// harmless are the functions of os and path/filepath that touch no file, or only one that is open already. The linter
// forbids all others outside of internal/system/disk; .golangci.yml has the exceptions with their reasons.
var harmless = map[string][]string{
	"os": {
		"Clearenv", "Environ", "Executable", "Exit", "Expand", "ExpandEnv", "FindProcess", "Getegid", "Getenv",
		"Geteuid", "Getgid", "Getgroups", "Getpagesize", "Getpid", "Getppid", "Getuid", "Getwd", "Hostname", "IsExist",
		"IsNotExist", "IsPathSeparator", "IsPermission", "IsTimeout", "LookupEnv", "NewFile", "NewSyscallError", "Pipe",
		"SameFile", "Setenv", "StartProcess", "TempDir", "Unsetenv", "UserCacheDir", "UserConfigDir", "UserHomeDir",
	},
	"path/filepath": {
		"Abs", "Base", "Clean", "Dir", "Ext", "FromSlash", "HasPrefix", "IsAbs", "IsLocal", "Join", "Localize", "Match",
		"Rel", "Split", "SplitList", "ToSlash", "VolumeName",
	},
}

// It is not parallel, because it changes the default of go/build: a test that is built with -trimpath knows Go's
// sources only if the environment has GOROOT.
func TestTheLinterForbidsEveryFunctionThatTouchesADisk(t *testing.T) {
	where, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	build.Default.GOROOT = strings.TrimSpace(string(where))
	content, err := os.ReadFile(filepath.Join("..", "..", ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct {
			Settings struct {
				Forbidigo struct {
					Forbid []struct{ Pattern, Pkg string }
				}
			}
		}
	}
	if err := yaml.Unmarshal(content, &config); err != nil {
		t.Fatal(err)
	}
	forbidden := map[string]*regexp.Regexp{}
	for _, f := range config.Linters.Settings.Forbidigo.Forbid {
		for path := range harmless {
			if f.Pkg == "^"+path+"$" {
				forbidden[path] = regexp.MustCompile(f.Pattern)
			}
		}
	}
	source := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for path, allowed := range harmless {
		if forbidden[path] == nil {
			t.Fatalf("no pattern for %s in .golangci.yml", path)
		}
		found, err := source.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found.Scope().Names() {
			object, isFunc := found.Scope().Lookup(name).(*types.Func)
			if !isFunc || !object.Exported() {
				continue
			}
			qualified := found.Name() + "." + name
			if is := forbidden[path].MatchString(qualified); is == slices.Contains(allowed, name) {
				t.Errorf("%s: forbid it in .golangci.yml, or list it as harmless (it is forbidden: %t)", qualified, is)
			}
		}
	}
}
