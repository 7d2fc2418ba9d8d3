package pods

import "strings"

// HostAccounts are the accounts that host-process containers can use on every node, in their canonical spelling.
var HostAccounts = [...]string{
	`NT AUTHORITY\SYSTEM`, `NT AUTHORITY\Local service`, `NT AUTHORITY\NetworkService`,
}

// serviceDomain is the domain of the service accounts. The runtime compares it with case, and logs on the accounts of
// any other domain interactively, which service accounts must not do (processToken in
// internal/jobcontainers/logon.go of hcsshim).
const serviceDomain = "NT AUTHORITY"

// serviceNames are the names of service accounts in lower case. Windows takes those of Local Service and Network
// Service with and without the space: the example of LogonUser has LocalService
// (https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-logonuserw), Kubernetes' documentation "Local
// service", and hcsshim names NETWORK SERVICE and LOCAL SERVICE.
var serviceNames = map[string]string{
	"system":        HostAccounts[0],
	"local service": HostAccounts[1], "localservice": HostAccounts[1],
	"network service": HostAccounts[2], "networkservice": HostAccounts[2],
}

// HostAccount returns the canonical spelling of a service account, "" for any other name. The domain may be in any
// case.
func HostAccount(name string) string {
	domain, user, _ := strings.Cut(name, `\`)
	if !strings.EqualFold(domain, serviceDomain) {
		return ""
	}
	return serviceNames[strings.ToLower(user)]
}

// HostAccountProblem returns why a host-process container cannot run as a user, and what to do about it. The problem is
// "" if it can: the name may be the name of a local group. The runtime does not know passwords.
func HostAccountProblem(name string) (problem, fix string) {
	domain, user, qualified := strings.Cut(name, `\`)
	if account := HostAccount(name); account != "" {
		if domain == serviceDomain {
			return "", ""
		}
		return "has the domain " + domain + ", which the runtime recognizes in upper case only", "write " + account
	}
	if !qualified {
		domain, user = "", name
	}
	lower := strings.ToLower(user)
	plain := lower
	if !qualified { // it is not the name of a local group
		plain = strings.Join(strings.Fields(lower), "")
	}
	known := serviceNames[plain]
	if plain == "localsystem" { // the name of the account for services
		known = HostAccounts[0]
	}
	switch {
	case known != "" && (!qualified || domain == "." || strings.EqualFold(domain, serviceDomain)):
		return "is not the name of the account on the node", "write " + known
	case (lower == "containeradministrator" || lower == "containeruser") &&
		(!qualified || strings.EqualFold(domain, "User Manager")):
		return "is a user of containers, and not of the node", useHostAccount
	case strings.EqualFold(domain, "BUILTIN"):
		return "is a group with its domain, and the runtime finds groups by their name alone", "write " + user
	case qualified:
		return "is an account that needs a password to log on", useHostAccount
	}
	return "", ""
}

const useHostAccount = `use NT AUTHORITY\SYSTEM, NT AUTHORITY\Local service or NT AUTHORITY\NetworkService, or the ` +
	`name of a local group`
