package pods

import "strings"

// HostAccounts are the accounts that host-process containers can use on every node, in the spelling
// that the runtime needs: it compares the domain with case.
var HostAccounts = [...]string{
	`NT AUTHORITY\SYSTEM`, `NT AUTHORITY\Local service`, `NT AUTHORITY\NetworkService`,
}

// UseHostAccount is the fix for an account that a host-process container cannot use.
const UseHostAccount = `use NT AUTHORITY\SYSTEM, NT AUTHORITY\Local service or NT AUTHORITY\NetworkService, or the ` +
	`name of a local group`

// HostAccountProblem returns why a host-process container cannot run as a user, "" if it can: the name
// may be the name of a local group. The runtime does not know passwords
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
