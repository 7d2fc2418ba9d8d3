package powershell

import (
	"encoding/base64"
	"encoding/binary"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// payloadKey is the key of the machines here.
var payloadKey = bootstrap.NewPayloadKey([]byte(strings.Repeat("k", 32)))

// commandProgram returns the program of the command that brings the secret ones of some files
// onto a machine which has the others.
func commandProgram(tb testing.TB, files []bootstrap.File) string {
	tb.Helper()
	secret := func(f bootstrap.File) bool { return f.Secret }
	public := slices.DeleteFunc(slices.Clone(files), secret)
	files = slices.DeleteFunc(slices.Clone(files), func(f bootstrap.File) bool { return !f.Secret })
	command, err := bootstrap.WindowsCommand(bootstrap.WindowsScript(public), files, payloadKey)
	if err != nil {
		tb.Fatal(err)
	}
	return decode(tb, command)
}

func decode(tb testing.TB, command string) string {
	tb.Helper()
	b, err := base64.StdEncoding.DecodeString(command[strings.LastIndexByte(command, ' ')+1:])
	if err != nil {
		tb.Fatal(err)
	}
	units := make([]uint16, len(b)/2)
	if _, err := binary.Decode(b, binary.LittleEndian, units); err != nil {
		tb.Fatal(err)
	}
	return string(utf16.Decode(units))
}

// data are the literals of the program that differ.
var data = regexp.MustCompile(`'([0-9a-f]{64}|v1\.[A-Za-z0-9+/=]{40,}\.[0-9a-f]{64})'`)

// programShape returns the syntax tree of a program without them.
func programShape(tb testing.TB, program string) string {
	tb.Helper()
	found := data.FindAllString(program, -1)
	if len(found) != 2 {
		tb.Fatalf("%d literals of data in\n%s", len(found), program)
	}
	p := parse(tb, program)
	if p.HasError {
		tb.Fatalf("it is not valid PowerShell:\n%s", strings.Join(p.Problems, "\n"))
	}
	var b strings.Builder
	describe(p.Tree, &b)
	return strings.NewReplacer(found[0], "<data>", found[1], "<data>").Replace(b.String())
}

func TestValuesDoNotChangeTheProgramOfTheCommand(t *testing.T) {
	want := programShape(t, commandProgram(t, mustNodeFiles(t, network.UpstreamL3, platform.WindowsServer2022, "1.36")))
	check := func(script string, files ...bootstrap.File) {
		command, err := bootstrap.WindowsCommand(script, files, payloadKey)
		if err != nil {
			t.Fatal(err)
		}
		if got := programShape(t, decode(t, command)); got != want {
			t.Errorf("%q and %+v change the program:\n%s", script, files, got)
		}
	}
	check("")
	for _, text := range fragments {
		check(text, bootstrap.File{Path: text, Content: text, Secret: true})
	}
	r := rand.New(rand.NewPCG(*seed, 1))
	for range *count / 3 {
		check(random(r), bootstrap.File{Path: random(r), Content: random(r)},
			bootstrap.File{Path: random(r), Content: random(r)})
	}
}
