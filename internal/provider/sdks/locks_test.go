package sdks

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver"
	"github.com/google/go-cmp/cmp"
)

// nodePackages is a lock file of npm.
type nodePackages struct {
	Packages map[string]nodePackage
}

type nodePackage struct {
	Version, Integrity, Resolved  string
	Link                          bool
	Dependencies, DevDependencies map[string]string
}

// generated returns the files of the SDK of a language.
func generated(t *testing.T, language string) map[string][]byte {
	t.Helper()
	plugin, kubernetes := schemas(t)
	files, err := Generate(language, plugin, kubernetes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// hashed reports whether an integrity hash is a whole SHA-512.
func hashed(integrity string) bool {
	text, ok := strings.CutPrefix(integrity, "sha512-")
	sum, err := base64.StdEncoding.DecodeString(text)
	return ok && err == nil && len(sum) == 64
}

// TestTheLockOfNodeFitsThePackage compares the lock file with the generated package.json: npm ci refuses to install if
// they differ.
func TestTheLockOfNodeFitsThePackage(t *testing.T) {
	t.Parallel()
	files := generated(t, "nodejs")
	var lock nodePackages
	var want nodePackage
	for name, into := range map[string]any{nodeLock: &lock, manifestFile: &want} {
		if err := json.Unmarshal(files[name], into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	want.Version = "" // the lock file applies to each version
	if diff := cmp.Diff(want, lock.Packages[""]); diff != "" {
		t.Errorf("the lock file is not for the generated package.json: run make locks (-package.json +lock file):\n%s",
			diff)
	}
	for name := range want.Dependencies {
		want.DevDependencies[name] = ""
	}
	for name := range want.DevDependencies {
		if _, ok := lock.Packages["node_modules/"+name]; !ok {
			t.Errorf("the lock file does not have %s: run make locks", name)
		}
	}
}

// TestEachLockedPackageHasAHash also checks that no package comes from an address: the registry of one machine is not
// that of another one, and a package of a repository has no hash.
func TestEachLockedPackageHasAHash(t *testing.T) {
	t.Parallel()
	var lock nodePackages
	content, err := locks.ReadFile("locks/nodejs/" + nodeLock)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		t.Fatal(err)
	}
	delete(lock.Packages, "")
	if len(lock.Packages) < 100 {
		t.Errorf("%s has %d packages, want at least 100", nodeLock, len(lock.Packages))
	}
	for _, name := range slices.Sorted(maps.Keys(lock.Packages)) {
		if p := lock.Packages[name]; p.Version == "" || !hashed(p.Integrity) || p.Resolved != "" || p.Link {
			t.Errorf("%s: %s is %+v, want a version, a SHA-512 and no address: run make locks", nodeLock, name, p)
		}
	}
}

// lockedWheel matches a line of the lock file of pip.
var lockedWheel = regexp.MustCompile(`^([a-z0-9-]+)==(\d+(?:\.\d+)*) --hash=sha256:[0-9a-f]{64}$`)

// TestTheLockOfPythonFitsThePackage compares the lock file with what the generated pyproject.toml needs for the build.
func TestTheLockOfPythonFitsThePackage(t *testing.T) {
	t.Parallel()
	files := generated(t, "python")
	versions := map[string]string{}
	for line := range strings.Lines(string(files[pythonLock])) {
		line = strings.TrimSuffix(line, "\n")
		found := lockedWheel.FindStringSubmatch(line)
		switch {
		case found != nil:
			versions[found[1]] = found[2]
		case !strings.HasPrefix(line, "# "):
			t.Errorf("%s: %q: want NAME==VERSION --hash=sha256:HASH: run make locks", pythonLock, line)
		}
	}
	names, err := required(files["pyproject.toml"])
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Error("the generated pyproject.toml needs nothing for the build: want setuptools")
	}
	for _, name := range names {
		name, least, _ := strings.Cut(name, ">=")
		want, err := semver.ParseTolerant(least)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := semver.ParseTolerant(versions[name]); err != nil || got.LT(want) {
			t.Errorf("%s has %s %q, but the build needs at least %s: run make locks", pythonLock, name, versions[name],
				least)
		}
	}
}

func TestTheRequirementsOfABuildAreRead(t *testing.T) {
	t.Parallel()
	for project, want := range map[string]string{
		"[build-system]\n  requires = [\"setuptools>=61.0\", \"wheel\"]\n": "setuptools>=61.0 wheel",
		"[build-system]\nbuild-backend = \"setuptools.build_meta\"\n": "the generated pyproject.toml has no list " +
			"requires of the packages that build it",
		"requires = ['setuptools']\n": "reading requires of the generated pyproject.toml: invalid character '\\'' " +
			"looking for beginning of value",
	} {
		names, err := required([]byte(project))
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", project, got, want)
		}
	}
}

// TestLock asks a registry with two versions of each package, one of them a day old, for the packages to lock.
func TestLock(t *testing.T) { //nolint:paralleltest // it sets environment variables
	r := serveRegistry(t)
	dir := t.TempDir()
	for language, tt := range map[string]struct { //nolint:paralleltest // the environment
		files map[string][]byte
		want  string
	}{
		"nodejs": {
			map[string][]byte{
				manifestFile: []byte(`{"name": "sdk", "version": "1.2.3", "dependencies": {"a": "^1.0.0"}}`),
			},
			`{
  "name": "sdk",
  "lockfileVersion": 3,
  "requires": true,
  "packages": {
    "": {
      "name": "sdk",
      "dependencies": {
        "a": "^1.0.0"
      }
    },
    "node_modules/a": {
      "version": "1.0.0",
      "integrity": "` + r.integrity + `"
    }
  }
}
`,
		},
		"python": {
			map[string][]byte{"pyproject.toml": []byte("  requires = [\"setuptools>=61.0\"]\n")},
			"# Written by make locks: what builds the wheel.\n" + r.lockOf(newestVersion),
		},
	} {
		t.Run(language, func(t *testing.T) {
			if err := packers[language].available(t.Context()); err != nil {
				t.Skipf("needs the tools of %s: %v", language, err)
			}
			if err := os.Mkdir(filepath.Join(dir, language), 0o700); err != nil {
				t.Fatal(err)
			}
			file, err := Lock(t.Context(), language, dir, tt.files)
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Join(dir, language, packers[language].lockFile); file != want {
				t.Errorf("the file is %s, want %s", file, want)
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(content)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path.Base(file), diff)
			}
		})
	}
	if _, err := Lock(t.Context(), "cobol", dir, nil); err == nil || err.Error() != unknown("cobol").Error() {
		t.Errorf("the error is %v, want %v", err, unknown("cobol"))
	}
}

// TestOtherContentThanLockedIsNotInstalled packs the SDKs with a registry that has other content for the locked
// versions. npm and pip refuse it before anything of it runs.
func TestOtherContentThanLockedIsNotInstalled(t *testing.T) { //nolint:paralleltest // it sets environment variables
	wants := map[string]string{"nodejs": "EINTEGRITY", "python": "DO NOT MATCH THE HASHES"}
	for language, want := range wants { //nolint:paralleltest // the environment
		t.Run(language, func(t *testing.T) {
			r := serveRegistry(t)
			dir := filepath.Join(t.TempDir(), language)
			if err := Write(dir, generated(t, language)); err != nil {
				t.Fatal(err)
			}
			_, err := Pack(t.Context(), language, dir)
			if errors.Is(err, ErrLeftOut) {
				t.Skipf("needs the tools of %s: %v", language, err)
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, want one with %s", err, want)
			}
			if _, err := os.Stat(r.ran); !os.IsNotExist(err) {
				t.Errorf("the content of the registry was run: %v", err)
			}
		})
	}
}

// TestTheBuildOfTheWheelTakesNothingElse packs an SDK whose lock file has an older version of setuptools than the
// registry: pip builds with it, and not with the newest one.
func TestTheBuildOfTheWheelTakesNothingElse(t *testing.T) { //nolint:paralleltest // it sets environment variables
	r := serveRegistry(t)
	files := generated(t, "python")
	files[pythonLock] = []byte(r.lockOf(goodVersion))
	dir := filepath.Join(t.TempDir(), "python")
	if err := Write(dir, files); err != nil {
		t.Fatal(err)
	}
	packed, err := Pack(t.Context(), "python", dir)
	if errors.Is(err, ErrLeftOut) {
		t.Skipf("needs the tools of python: %v", err)
	}
	if want := filepath.Join(filepath.Dir(dir), "mixedkube-1.2.3-py3-none-any.whl"); err != nil || packed != want {
		t.Errorf("packed as %s, %v, want %s", packed, err, want)
	}
	if _, err := os.Stat(r.ran); !os.IsNotExist(err) {
		t.Errorf("the newest content of the registry was run: %v", err)
	}
}
