package powershell

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// connectivityContainer is a container of Windows that components/connectivity has
// recorded, with its script as PowerShell gets it.
type connectivityContainer struct {
	pod, name, script string
	env               map[string]string
}

func connectivityFile(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func connectivityContainers(t *testing.T) []connectivityContainer {
	t.Helper()
	var recorded struct {
		Commands   [][]string
		Containers []struct {
			Pod, Name, Platform string
			Command             int
			Env                 map[string]string
		}
	}
	if err := json.Unmarshal([]byte(connectivityFile(t, "components", "connectivity", "testdata", "containers.json")),
		&recorded); err != nil {
		t.Fatal(err)
	}
	var found []connectivityContainer
	for _, c := range recorded.Containers {
		if c.Platform == "linux" {
			continue
		}
		command := recorded.Commands[c.Command]
		want := []string{
			`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`, "-NoProfile", "-NonInteractive",
			"-ExecutionPolicy", "Bypass", "-Command",
		}
		if !slices.Equal(want, command[:len(command)-1]) {
			t.Fatalf("%s in %s starts with %q", c.Name, c.Pod, command[:len(command)-1])
		}
		found = append(found,
			connectivityContainer{c.Pod, c.Name, strings.ReplaceAll(command[len(command)-1], "$$", "$"), c.Env})
	}
	return found
}

// ofNetwork are commands of Windows' own modules that only these scripts use.
var ofNetwork = []string{"Clear-DnsClientCache", "Resolve-DnsName"}

func TestConnectivityScriptsArePowerShell(t *testing.T) {
	scripts := map[string]string{}
	for _, c := range connectivityContainers(t) {
		scripts[c.script] = c.name
	}
	if len(scripts) != 2 {
		t.Errorf("%d different scripts, want one that serves and one that checks", len(scripts))
	}
	for script, name := range scripts {
		p := parse(t, script)
		if p.HasError {
			t.Errorf("the script of %s is not valid PowerShell:\n%s", name, strings.Join(p.Problems, "\n"))
		}
		if used := checkVariables(t, unit{name, []node{p.Tree}}); used < 5 {
			t.Errorf("%s: only %d variables were found", name, used)
		}
		own := functions([]node{p.Tree})
		p.Tree.each(func(n node) {
			if n.Type == "command" && !slices.Contains(ofNetwork, commandName(n)) {
				checkCommand(t, name, n, own)
			}
		})
		for f, calls := range own {
			if verb, noun, ok := strings.Cut(f, "-"); !ok || noun == "" || !slices.Contains(approvedVerbs, verb) {
				t.Errorf("%s: the function %s has no approved verb", name, f)
			}
			if calls.calls == 0 {
				t.Errorf("%s: the function %s is not called", name, f)
			}
		}
	}
}

func commandName(command node) string {
	for _, child := range command.Children {
		if child.Type == "command_name" {
			return child.source()
		}
	}
	return ""
}

// parameters returns the parameters of a command, with the text that follows each.
func parameters(command node) map[string]string {
	found := map[string]string{}
	var last string
	for _, child := range command.Children {
		if child.Type != "command_elements" {
			continue
		}
		for _, element := range child.Children {
			text := strings.TrimSpace(element.source())
			switch {
			case element.Type == "command_parameter":
				last = text
				found[last] = ""
			case text != "":
				found[last] = text
			}
		}
	}
	return found
}

// checkingScript returns the script of the checks.
func checkingScript(t *testing.T) string {
	t.Helper()
	for _, c := range connectivityContainers(t) {
		if c.name != "server" {
			return c.script
		}
	}
	t.Fatal("there is no check")
	return ""
}

// The requests are in a golden file of tests/connectivity: those that the Linux containers
// have really sent.
func TestChecksOfWindowsSendTheRequestsOfLinux(t *testing.T) {
	found := map[string]map[string]string{}
	tree := parse(t, checkingScript(t)).Tree
	tree.each(func(n node) {
		if name := commandName(n); n.Type == "command" && (name == "Invoke-WebRequest" || name == "Resolve-DnsName") {
			if found[name] != nil {
				t.Errorf("%s is listed twice", name)
			}
			found[name] = parameters(n)
		}
	})
	// Nothing else is sent, and the method is GET: there is neither -Method nor -Body.
	if diff := cmp.Diff(map[string]map[string]string{
		"Invoke-WebRequest": {
			"-Uri": "$env:URL", "-UseBasicParsing": "", "-DisableKeepAlive": "",
			"-TimeoutSec": "$Seconds",
		},
		"Resolve-DnsName": {"-Name": "$env:DNS_NAME", "-Type": "$type", "-DnsOnly": "", "-NoHostsFile": ""},
	}, found); diff != "" {
		t.Fatalf("the requests of the script (-want +got):\n%s", diff)
	}

	linux := map[string]bool{}
	for line := range strings.Lines(connectivityFile(t, "tests", "connectivity", "testdata", "requests.golden")) {
		// No check from Windows goes to a port of a node.
		if !strings.HasPrefix(line, "6-inbound ") {
			linux[strings.TrimSpace(line)] = true
		}
	}
	windows := map[string]bool{}
	for _, c := range connectivityContainers(t) {
		if c.name == "server" {
			continue
		}
		value := func(command, parameter string) string {
			return c.env[strings.TrimPrefix(found[command][parameter], "$env:")]
		}
		uri, err := url.Parse(value("Invoke-WebRequest", "-Uri"))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		if _, err := netip.ParseAddr(uri.Hostname()); err != nil {
			names = append(names, "A "+uri.Hostname())
		}
		if name := value("Resolve-DnsName", "-Name"); name != "" {
			names = append(names, "A "+name)
		}
		uri.Host = strings.TrimSuffix(uri.Host, ":80")
		requests := append(slices.Compact(names), "GET "+uri.String())
		windows[fmt.Sprintf("%s to %s: %s", c.name, c.env["TO"], strings.Join(requests, ", "))] = true
	}
	if diff := cmp.Diff(linux, windows); diff != "" {
		t.Errorf("requests (-Linux has sent +Windows sends):\n%s", diff)
	}
}

var (
	ofWindows = regexp.MustCompile(`\$env:([A-Z_]+)`)
	inString  = regexp.MustCompile(`\$\(\$env:([A-Z_]+)\)`)
	ofLinux   = regexp.MustCompile(`\$\{?([A-Z_]{2,})`)
	lastLine  = regexp.MustCompile(`"(\$\S+ from [^"\n]*)"`)
)

// Both want the same variables, and say the same at the end.
func TestChecksOfWindowsPrintTheMessagesOfLinux(t *testing.T) {
	windows := checkingScript(t)
	linux := connectivityFile(t, "components", "connectivity", "scripts", "check.sh")
	linux = strings.ReplaceAll(linux, "$NF", "") // of awk
	variables := func(pattern *regexp.Regexp, script string) []string {
		all := map[string]bool{}
		for _, match := range pattern.FindAllStringSubmatch(script, -1) {
			all[match[1]] = true
		}
		return slices.Sorted(maps.Keys(all))
	}
	want := []string{"ANSWER", "CHECK", "DNS_ADDRESS", "DNS_NAME", "FROM", "TIMEOUT_SECONDS", "TO", "URL"}
	for name, have := range map[string][]string{
		"check.sh":  variables(ofLinux, linux),
		"check.ps1": variables(ofWindows, windows),
	} {
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("variables of %s (-want +got):\n%s", name, diff)
		}
	}
	fromLinux := variables(lastLine, linux)
	if diff := cmp.Diff(fromLinux, variables(lastLine, inString.ReplaceAllString(windows, "$$$1"))); diff != "" ||
		len(fromLinux) != 2 {
		t.Errorf("the last lines (-Linux +Windows):\n%s\n%q", diff, fromLinux)
	}
}
