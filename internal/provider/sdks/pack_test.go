package sdks

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestPackingIsLeftOut packs SDKs on a machine without the tools: no package of an earlier build remains.
func TestPackingIsLeftOut(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for language, want := range map[string]string{
		"nodejs": `left out: "node --version" does not work on this machine: install Node.js 20 or later with npm`,
		"python": `left out: "python3 -m pip --version" does not work on this machine: ` +
			`install Python 3.10 or later with pip`,
	} {
		out := t.TempDir()
		old := filepath.Join(out, "mixedkube-0.1.0"+packers[language].suffix)
		if err := os.WriteFile(old, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Pack(t.Context(), language, filepath.Join(out, language))
		if !errors.Is(err, ErrLeftOut) || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", language, err, want)
		}
		if _, err := os.Stat(old); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", old, err)
		}
	}
}

func TestEachLanguageIsPacked(t *testing.T) {
	t.Parallel()
	for language := range Languages {
		if _, ok := packers[language]; !ok {
			t.Errorf("nothing packs the SDK of %s", language)
		}
	}
	_, err := Pack(t.Context(), "cobol", ".")
	if want := `"cobol" is not a language of the SDKs`; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
