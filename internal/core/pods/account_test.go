package pods_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/pods"
)

func TestUsersOfHostProcesses(t *testing.T) {
	t.Parallel()
	const (
		system  = `NT AUTHORITY\SYSTEM`
		local   = `NT AUTHORITY\Local service`
		network = `NT AUTHORITY\NetworkService`
		inUpper = "has the domain nt authority, which the runtime recognizes in upper case only"
		renamed = "is not the name of the account on the node"
		inside  = "is a user of containers, and not of the node"
		locked  = "is an account that needs a password to log on"
		grouped = "is a group with its domain, and the runtime finds groups by their name alone"
		others  = `use NT AUTHORITY\SYSTEM, NT AUTHORITY\Local service or NT AUTHORITY\NetworkService, or the name ` +
			`of ` +
			`a local group`
	)
	for name, want := range map[string]struct{ account, problem, fix string }{
		system:                          {account: system},
		`NT AUTHORITY\system`:           {account: system},
		`NT AUTHORITY\LocalService`:     {account: local},
		`NT AUTHORITY\Local service`:    {account: local},
		`NT AUTHORITY\LOCAL SERVICE`:    {account: local},
		`NT AUTHORITY\Network Service`:  {account: network},
		`NT AUTHORITY\NETWORK SERVICE`:  {account: network},
		`NT AUTHORITY\NetworkService`:   {account: network},
		`nt authority\system`:           {system, inUpper, "write " + system},
		`nt authority\LOCAL SERVICE`:    {local, inUpper, "write " + local},
		"SYSTEM":                        {"", renamed, "write " + system},
		"LocalSystem":                   {"", renamed, "write " + system},
		"Local System":                  {"", renamed, "write " + system},
		"LOCAL  SERVICE":                {"", renamed, "write " + local},
		`.\LocalSystem`:                 {"", renamed, "write " + system},
		`NT AUTHORITY\LocalSystem`:      {"", renamed, "write " + system},
		"LocalService":                  {"", renamed, "write " + local},
		"Network Service":               {"", renamed, "write " + network},
		`SHOP\system`:                   {"", locked, others},
		`NT AUTHORITY\Local  service`:   {"", locked, others},
		`NT AUTHORITY\IUSR`:             {"", locked, others},
		`NT SERVICE\agent`:              {"", locked, others},
		`SHOP\agent`:                    {"", locked, others},
		"ContainerAdministrator":        {"", inside, others},
		`User Manager\ContainerUser`:    {"", inside, others},
		`SHOP\ContainerUser`:            {"", locked, others},
		`BUILTIN\Performance Log Users`: {"", grouped, "write Performance Log Users"},
		"Performance Log Users":         {},
		"agents":                        {},
		"":                              {},
	} {
		problem, fix := pods.HostAccountProblem(name)
		if account := pods.HostAccount(name); account != want.account || problem != want.problem || fix != want.fix {
			t.Errorf("%q: %q, %q, %q, want %+v", name, account, problem, fix, want)
		}
	}
}
