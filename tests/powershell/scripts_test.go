package powershell

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestScriptsArePowerShell(t *testing.T) {
	check := func(name, script string) {
		if p := parse(t, script); p.HasError {
			t.Errorf("%s is not valid PowerShell:\n%s", name, strings.Join(p.Problems, "\n"))
		}
	}
	constant := map[string]string{}
	for _, kind := range network.Kinds() {
		for _, p := range windowsPlatforms {
			if kind.IsCalico() && p == platform.WindowsServer2025 {
				continue // which Calico does not run on
			}
			for _, version := range []string{"1.34", "1.35", "1.36", "1.37"} {
				files := mustNodeFiles(t, kind, p, version)
				for name, script := range scripts(files) {
					constant[script] = name
				}
				check("the script that delivers to "+strings.Join([]string{string(kind), string(p), version}, ", "),
					bootstrap.WindowsScript(files))
			}
		}
	}
	check("the program of the command",
		commandProgram(t, mustNodeFiles(t, network.UpstreamL3, platform.WindowsServer2022, "1.36")))
	// The same on every node.
	if len(constant) != 4 {
		t.Errorf("%d texts of scripts", len(constant))
	}
	for script, name := range constant {
		check(name, script)
	}
}

// A parser that takes everything would prove nothing.
func TestBrokenScriptsAreFound(t *testing.T) {
	good := scripts(mustNodeFiles(t, network.UpstreamL3, platform.WindowsServer2022, "1.36"))["bootstrap.ps1"]
	for name, broken := range map[string]string{
		"a brace too few":           strings.Replace(good, "{", "", 1),
		"a brace too many":          good + "}",
		"a string without end":      good + "\r\n$x = 'a",
		"a string that ends early":  strings.Replace(good, "'done'", "'don'e'", 1),
		"a variable in a string":    strings.Replace(good, `"mixedkube:`, `"mixedkube: $(`, 1),
		"an operator without right": good + "\r\n$x = 1 +",
		"a here-string without end": good + "\r\n$x = @'\r\nabc\r\n",
	} {
		if broken == good {
			t.Fatalf("%s: nothing was broken", name)
		}
		if !parse(t, broken).HasError {
			t.Errorf("%s is taken for PowerShell", name)
		}
	}
}

// unit is a script with what it reads.
type unit struct {
	name  string
	trees []node
}

func units(t *testing.T) []unit {
	t.Helper()
	files := mustNodeFiles(t, network.UpstreamL3, platform.WindowsServer2022, "1.36")
	trees := map[string]node{}
	for name, script := range scripts(files) {
		trees[name] = parse(t, script).Tree
	}
	common := trees["common.ps1"]
	delete(trees, "common.ps1")
	found := []unit{
		{"the script that delivers", []node{parse(t, bootstrap.WindowsScript(files)).Tree}},
		{"the program of the command", []node{parse(t, commandProgram(t, files)).Tree}},
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		found = append(found, unit{name, []node{trees[name], common}})
	}
	return found
}

// automatic are the variables that PowerShell has itself (about_Automatic_Variables).
var automatic = []string{
	"_", "null", "true", "false", "psscriptroot", "matches", "lastexitcode",
	"erroractionpreference", "progresspreference",
}

// In strict mode a variable that nothing was assigned to is an error, but only when the
// line is reached.
func TestVariablesAreAssigned(t *testing.T) {
	for _, u := range units(t) {
		want := 10
		if u.name == "the program of the command" {
			want = 2
		}
		if used := checkVariables(t, u); used < want {
			t.Errorf("%s: only %d variables were found", u.name, used)
		}
	}
}

// checkVariables fails for a variable that nothing is assigned to, and returns how many
// are used.
func checkVariables(t *testing.T, u unit) int {
	t.Helper()
	assigned, used := map[string]bool{}, map[string]int{}
	for _, name := range automatic {
		assigned[name] = true
	}
	for _, tree := range u.trees {
		variables(tree, false, assigned, used)
	}
	for name, line := range used {
		if !assigned[name] && !strings.HasPrefix(name, "env:") {
			t.Errorf("%s: nothing is assigned to $%s, line %d", u.name, name, line)
		}
	}
	return len(used)
}

// variables finds those that are assigned, in assignments, parameters and loops, and
// those that are used.
func variables(n node, assigns bool, assigned map[string]bool, used map[string]int) {
	if n.Type == "variable" {
		name := strings.TrimPrefix(strings.ToLower(strings.Trim(n.source(), "${}")), "script:")
		if assigns {
			assigned[name] = true
		} else {
			used[name] = n.Line
		}
		return
	}
	for _, child := range n.Children {
		direct := child.Type == "variable" && (n.Type == "script_parameter" || n.Type == "foreach_statement")
		inside := (assigns || n.Type == "left_assignment_expression") && child.Type != "member_access" &&
			child.Type != "element_access"
		variables(child, direct || inside, assigned, used)
	}
}

// known are the commands of Windows PowerShell 5.1 that the scripts may use, with those
// of Windows Server's own modules (https://learn.microsoft.com/powershell/module/).
var known = []string{
	"Add-Type", "ConvertFrom-Json", "ConvertTo-Json", "ForEach-Object", "Get-ChildItem", "Get-CimInstance", "Get-Date",
	"Get-FileHash", "Get-Service",
	"Invoke-CimMethod", "Invoke-WebRequest", "Join-Path", "Move-Item", "New-Item", "New-Object", "New-Service",
	"New-TimeSpan",
	"Remove-Item", "Select-Object", "Set-Service", "Set-StrictMode", "Split-Path", "Start-Service", "Start-Sleep",
	"Stop-Service",
	"Test-Path", "Where-Object",
	// NetTCPIP and NetSecurity
	"Get-NetFirewallPortFilter", "Get-NetFirewallRule", "Get-NetIPAddress", "Get-NetIPInterface", "Get-NetRoute",
	"New-NetFirewallRule", "New-NetRoute",
	"Remove-NetFirewallRule", "Remove-NetRoute", "Set-NetIPInterface", "Set-NetRoute",
	// Defender
	"Add-MpPreference",
	// RemoteAccess and ServerManager
	"Get-RemoteAccess", "Install-RemoteAccess", "Get-WindowsFeature", "Install-WindowsFeature",
	// ScheduledTasks
	"Disable-ScheduledTask", "Get-ScheduledTask", "New-ScheduledTaskAction", "New-ScheduledTaskPrincipal",
	"New-ScheduledTaskSettingsSet",
	"New-ScheduledTaskTrigger", "Register-ScheduledTask", "Start-ScheduledTask", "Unregister-ScheduledTask",
}

// approvedVerbs are the verbs of Get-Verb that the functions may begin with.
var approvedVerbs = []string{
	"Add", "Clear", "Close", "Complete", "Confirm", "ConvertFrom", "ConvertTo", "Copy", "Disable", "Enable", "Expand",
	"Find", "Get", "Install", "Invoke", "Join",
	"Move", "New", "Open", "Protect", "Read", "Register", "Remove", "Restart", "Restore", "Save", "Set", "Start",
	"Stop", "Test", "Unprotect", "Wait", "Write",
}

// function is one of the scripts' own, with its parameters in lower case.
type function struct {
	parameters []string
	calls      int
}

func functions(trees []node) map[string]*function {
	found := map[string]*function{}
	for _, tree := range trees {
		tree.each(func(n node) {
			if n.Type != "function_statement" {
				return
			}
			f := &function{}
			var name string
			n.each(func(n node) {
				switch n.Type {
				case "function_name":
					name = n.Text
				case "script_parameter":
					for _, child := range n.Children {
						if child.Type == "variable" {
							f.parameters = append(f.parameters, strings.ToLower(strings.TrimPrefix(child.Text, "$")))
						}
					}
				}
			})
			found[name] = f
		})
	}
	return found
}

// A command that does not exist, or a parameter that a function does not have, is an
// error only when the line is reached.
func TestCommandsAndParametersExist(t *testing.T) {
	for _, u := range units(t) {
		own := functions(u.trees)
		for name := range own {
			verb, noun, ok := strings.Cut(name, "-")
			if !ok || noun == "" || !slices.Contains(approvedVerbs, verb) {
				t.Errorf("%s: the function %s has no approved verb", u.name, name)
			}
		}
		for _, tree := range u.trees {
			tree.each(func(n node) {
				if n.Type == "command" {
					checkCommand(t, u.name, n, own)
				}
			})
		}
		// The common functions are for all, and not all of them need each.
		for name := range functions(u.trees[:1]) {
			if own[name].calls == 0 {
				t.Errorf("%s: the function %s is not called", u.name, name)
			}
		}
	}
}

// checkCommand checks a call of a command by its name.
func checkCommand(t *testing.T, where string, command node, own map[string]*function) {
	t.Helper()
	var name string
	var parameters []string
	for _, child := range command.Children {
		switch child.Type {
		case "command_name":
			name = child.source()
		case "command_elements":
			for _, element := range child.Children {
				if element.Type == "command_parameter" {
					parameters = append(parameters, strings.ToLower(strings.Trim(element.source(), "-:")))
				}
			}
		}
	}
	f := own[name]
	switch {
	case name == "": // & or . with a script, a program or a part of a step
	case f != nil:
		f.calls++
		for _, p := range parameters {
			if !slices.Contains(f.parameters, p) {
				t.Errorf("%s: %s has no parameter -%s, line %d", where, name, p, command.Line)
			}
		}
	case !slices.Contains(known, name):
		t.Errorf("%s: there is no %s, line %d", where, name, command.Line)
	}
}

// kubeadm and the kubelet write to directories of the current drive.
func TestProgramsRunInTheRootOfTheDrive(t *testing.T) {
	starts := 0
	for name, script := range scripts(mustNodeFiles(t, network.UpstreamL3, platform.WindowsServer2022, "1.36")) {
		parse(t, script).Tree.each(func(n node) { starts += checkStart(t, name, n) })
	}
	if starts != 2 {
		t.Errorf("%d functions start programs", starts)
	}
}

// checkStart says 1 for a function that starts a program.
func checkStart(t *testing.T, where string, n node) int {
	t.Helper()
	text := n.source()
	if n.Type != "function_statement" || !strings.Contains(text, "Diagnostics.ProcessStartInfo") {
		return 0
	}
	if !strings.Contains(text, ".WorkingDirectory=$DriveRoot") {
		t.Errorf("%s: a function starts a program in whatever directory is current, line %d", where, n.Line)
	}
	return 1
}

// The error of a task is visible only in its log.
func TestNetworkScriptIsInsideItsTry(t *testing.T) {
	for _, u := range units(t) {
		if u.name != "network.ps1" {
			continue
		}
		var outside []string
		var walk func(n node)
		walk = func(n node) {
			switch n.Type {
			case "function_statement", "try_statement":
				return
			case "command":
				outside = append(outside, n.source())
			}
			for _, child := range n.Children {
				walk(child)
			}
		}
		walk(u.trees[0])
		// common.ps1 and the path of the log.
		if len(outside) != 3 {
			t.Errorf("outside of try: %q", outside)
		}
	}
}
