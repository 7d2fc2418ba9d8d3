package wine

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestWithoutApt(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out bytes.Buffer
	_, err := Ensure(t.Context(), t.TempDir(), &out)
	if !errors.As(err, new(UnavailableError)) {
		t.Fatalf("got error %v, want one that says why there is no Wine", err)
	}
	for _, want := range []string{
		"Wine is not available here: apt-get is not on PATH: use Debian or Ubuntu", "on linux/amd64 only",
	} {
		if strings.Contains(err.Error(), want) {
			return
		}
	}
	t.Errorf("got error %v", err)
}
