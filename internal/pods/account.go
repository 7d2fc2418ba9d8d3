package pods

import "strings"

// HostAccounts are those that host-process containers can be on every node, as the runtime
// needs them: it compares the domain with case.
var HostAccounts = [...]string{
	`NT AUTHORITY\SYSTEM`, `NT AUTHORITY\Local service`, `NT AUTHORITY\NetworkService`,
}

// UseHostAccount says what a host-process container can be.
const UseHostAccount = `use NT AUTHORITY\SYSTEM, NT AUTHORITY\Local service or NT AUTHORITY\NetworkService, or the ` +
	`name of a local group`

// HostAccountProblem says why a host-process container cannot be a user, "" if it can: the name
// may be that of a local group. The runtime knows no password of anybody
// (processToken in internal/jobcontainers/logon.go of hcsshim).
func HostAccountProblem(name string) string {
	for _, account := range HostAccounts {
		if strings.EqualFold(name, account) {
			return ""
		}
	}
	domain, user, qualified := strings.Cut(name, `\`)
	if !qualified {
		domain, user = "", name
	}
	ofContainers := strings.EqualFold(user, "ContainerAdministrator") || strings.EqualFold(user, "ContainerUser")
	switch {
	case ofContainers && (!qualified || strings.EqualFold(domain, "User Manager")):
		return "is a user of containers, and not of the node"
	case qualified:
		return "is an account that needs a password to log on"
	}
	return ""
}
