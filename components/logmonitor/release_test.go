package logmonitor_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// takesAnyPath is true for releases of LogMonitor that accept any path of the configuration.
// The others end with "Invalid configuration file name" and exit code 0, without starting the
// program, if the path has one of .. / \ : in it
// (https://github.com/microsoft/windows-container-tools/blob/v2.2.0/LogMonitor/src/LogMonitor/Main.cpp).
var takesAnyPath = map[string]bool{"2.1.3": true, "2.1.4": true, "2.2.0": false, "2.2.1": false}

// starts reports whether a release of LogMonitor starts the program of a command.
func starts(t *testing.T, release string, command []any) bool {
	t.Helper()
	anyPath, known := takesAnyPath[release]
	if !known {
		t.Fatalf("how LogMonitor %s reads its command line is not known here", release)
	}
	if len(command) < 4 || command[1] != "/CONFIG" {
		t.Fatalf("%q does not name a configuration and a program", command)
	}
	file, _ := command[2].(string)
	return anyPath || !strings.Contains(file, "..") && !strings.ContainsAny(file, `/\:`)
}

func TestTheDocumentedReleasesStartTheProgram(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, deploy(iisArgs(), pod()))
	container := podSpec(t, graph)["containers"].([]any)[0].(map[string]any)
	command := container["command"].([]any)
	if dir, ok := container["workingDir"]; ok {
		t.Errorf("the working directory is changed to %v", dir)
	}
	recommended := regexp.MustCompile(`of release (\S+) or\s+(?:// )?(\d\S*\d)`)
	for _, file := range []string{"doc.go", "../../examples/log-monitor/Dockerfile"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := recommended.FindStringSubmatch(string(text))
		if found == nil {
			t.Fatalf("%s does not name the releases of LogMonitor that work", file)
		}
		for _, release := range found[1:] {
			if !starts(t, release, command) {
				t.Errorf("%s recommends LogMonitor %s, which refuses %q", file, release, command)
			}
		}
		for release := range takesAnyPath {
			if !strings.Contains(string(text), release) {
				t.Errorf("%s does not state if LogMonitor %s works", file, release)
			}
		}
	}
}
