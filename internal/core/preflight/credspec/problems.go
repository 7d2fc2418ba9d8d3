package credspec

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/value"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Problem is one of a field of a specification.
type Problem struct {
	Path   string
	Value  any // as it is written
	Detail string
	// Fix is empty if nothing more is known than that New-CredentialSpec writes the field.
	Fix string
}

// Problems returns what is wrong with the fields of a specification that are known, except those of HostAccountConfig.
// Secret values are checked and not shown.
func Problems(spec map[string]any, path *field.Path) []Problem {
	r := reading{values: map[string]any{}, unknown: map[string]bool{}}
	s := r.read(spec, path)
	accounts := path.Child("ActiveDirectoryConfig", "GroupManagedServiceAccounts").String()
	var found, scopes []Problem
	named := len(r.unknown) == 0
	for _, err := range append(s.check(path), r.names(&s, path)...) {
		switch {
		case r.isUnknown(err.Field):
		case err.Field == accounts:
			scopes = append(scopes, r.lacks(err))
		default:
			found = append(found, r.problem(err))
			named = named && !isName(err.Field, accounts)
		}
	}
	if named {
		found = append(found, scopes...)
	}
	return found
}

// isName reports whether the field at a path is one that the scopes of accounts depend on.
func isName(path, accounts string) bool {
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "MachineAccountName", "DnsName", "NetBiosName":
		return true
	}
	return strings.HasPrefix(path, accounts)
}

// problem describes an error of a field.
func (r *reading) problem(err *field.Error) Problem {
	p := Problem{Path: err.Field, Value: r.values[err.Field]}
	_, secret := p.Value.(value.Secret)
	switch {
	case secret:
		p.Detail = "is not what New-CredentialSpec writes"
	case err.Type == field.ErrorTypeRequired:
		p.Detail = "is not set"
	default:
		p.Detail, p.Fix, _ = strings.Cut(err.Detail, ": ")
	}
	return p
}

// lacks describes an element that the accounts do not have.
func (r *reading) lacks(err *field.Error) Problem {
	if r.secret {
		return Problem{
			Path:   err.Field,
			Detail: "lacks the account of DomainJoinConfig with its DnsName or its NetBiosName as the Scope",
		}
	}
	return Problem{Path: err.Field, Detail: "lacks " + err.Detail, Fix: "add it"}
}

// reading is what a specification has at its paths.
type reading struct {
	values map[string]any
	// unknown are the paths of values that are not known, and secret means that there are secret ones.
	unknown map[string]bool
	secret  bool
}

func (r *reading) read(spec map[string]any, path *field.Path) Specification {
	var s Specification
	for i, v := range r.list(spec, path, "CmsPlugins") {
		s.CmsPlugins = append(s.CmsPlugins, r.text(v, path.Child("CmsPlugins").Index(i)))
	}
	join, at := r.object(spec, path, "DomainJoinConfig")
	s.DomainJoinConfig = DomainJoinConfig{
		SID:                r.text(join["Sid"], at.Child("Sid")),
		MachineAccountName: r.text(join["MachineAccountName"], at.Child("MachineAccountName")),
		GUID:               r.text(join["Guid"], at.Child("Guid")),
		DNSTreeName:        r.text(join["DnsTreeName"], at.Child("DnsTreeName")),
		DNSName:            r.text(join["DnsName"], at.Child("DnsName")),
		NetBIOSName:        r.text(join["NetBiosName"], at.Child("NetBiosName")),
	}
	directory, at := r.object(spec, path, "ActiveDirectoryConfig")
	accounts := &s.ActiveDirectoryConfig.GroupManagedServiceAccounts
	for i, v := range r.list(directory, at, "GroupManagedServiceAccounts") {
		of := at.Child("GroupManagedServiceAccounts").Index(i)
		r.note(v, of)
		account := tree.Map(v)
		*accounts = append(*accounts, ScopedAccount{
			r.text(account["Name"], of.Child("Name")), r.text(account["Scope"], of.Child("Scope")),
		})
	}
	return s
}

// names returns the names of accounts that the documentation advises against, and that Windows may take.
func (r *reading) names(s *Specification, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	check := func(name string, at *field.Path) {
		if bare := strings.TrimSuffix(name, "$"); bare != name && bare != "" {
			errs = append(errs, field.Invalid(at, name, "ends with a dollar sign: leave it out"))
		}
	}
	check(s.DomainJoinConfig.MachineAccountName, path.Child("DomainJoinConfig", "MachineAccountName"))
	for i, account := range s.ActiveDirectoryConfig.GroupManagedServiceAccounts {
		check(account.Name, path.Child("ActiveDirectoryConfig", "GroupManagedServiceAccounts").Index(i).Child("Name"))
	}
	return errs
}

// note remembers the value at a path.
func (r *reading) note(v any, path *field.Path) {
	r.values[path.String()] = v
	if _, is := v.(value.Secret); is {
		r.secret = true
	}
	if tree.IsUnknown(v) {
		r.unknown[path.String()] = true
	}
}

// text returns a text, "" if there is none.
func (r *reading) text(v any, path *field.Path) string {
	r.note(v, path)
	text, known := tree.Text(v)
	if v != nil && !known {
		r.unknown[path.String()] = true
	}
	return text
}

func (r *reading) object(in map[string]any, path *field.Path, key string) (map[string]any, *field.Path) {
	r.note(in[key], path.Child(key))
	return tree.Map(in[key]), path.Child(key)
}

func (r *reading) list(in map[string]any, path *field.Path, key string) []any {
	r.note(in[key], path.Child(key))
	return tree.List(in[key])
}

// isUnknown reports whether the value at a path, one around it, or one in it is not known.
func (r *reading) isUnknown(path string) bool {
	for at := range r.unknown {
		if path == at || strings.HasPrefix(path, at+".") || strings.HasPrefix(path, at+"[") ||
			strings.HasPrefix(at, path+"[") {
			return true
		}
	}
	return false
}
