package kubeversion_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"1.36": "1.36", "v1.36.3": "1.36", "1.9.0": "1.9", "2.0": "2.0",
		"1.32.101-akslts": "1.32", "v1.32.101-akslts": "1.32", "1.32-akslts": "", "1.32.101-akslts.1": "",
		"": "", "1": "", "1.36.": "", "1.36.3.4": "", "v": "", "latest": "", "1.3x": "", "1.36 rc": "", "1.36-rc.1": "",
		"1.1234": "", "01.36": "",
	} {
		v, ok := kubeversion.Parse(in)
		if got := v.String(); ok != (want != "") || ok && got != want {
			t.Errorf("Parse(%q) = %s, %t, want %q", in, got, ok, want)
		}
		if !ok && v != (kubeversion.Version{}) {
			t.Errorf("Parse(%q) = %+v beside false", in, v)
		}
	}
}

func TestCompareAndWithin(t *testing.T) {
	t.Parallel()
	v := func(major, minor int) kubeversion.Version { return kubeversion.Version{Major: major, Minor: minor} }
	if v(1, 9).Compare(v(1, 10)) >= 0 || v(2, 0).Compare(v(1, 99)) <= 0 || v(1, 36).Compare(v(1, 36)) != 0 {
		t.Error("versions are not compared as numbers, the major one first")
	}
	open := kubeversion.Version{}
	for _, tt := range []struct {
		version, first, last kubeversion.Version
		want                 bool
	}{
		{v(1, 35), v(1, 33), v(1, 35), true},
		{v(1, 33), v(1, 33), v(1, 35), true},
		{v(1, 32), v(1, 33), v(1, 35), false},
		{v(1, 36), v(1, 33), v(1, 35), false},
		{v(1, 36), v(1, 33), open, true},
		{v(1, 2), open, v(1, 35), true},
	} {
		if got := tt.version.Within(tt.first, tt.last); got != tt.want {
			t.Errorf("%s within %s and %s: %t", tt.version, tt.first, tt.last, got)
		}
	}
}

func TestUnprefixed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"v1.36.3": "1.36.3", "1.36": "1.36", "": ""} {
		if got := kubeversion.Unprefixed(text); got != want {
			t.Errorf("Unprefixed(%q) is %q, want %q", text, got, want)
		}
	}
}
