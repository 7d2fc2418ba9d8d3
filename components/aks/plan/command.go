package plan

import (
	"cmp"
	"maps"
	"regexp"
	"strings"
)

// Command is a command of the Azure CLI. Its text is made of constants: values are
// variables of the environment, so that a shell takes none of them for code.
type Command struct {
	text string
	// Environment has the values, by the names of their variables.
	Environment map[string]string
}

// The variables whose values can be outputs of other resources.
const (
	GroupVariable  = "MIXEDKUBE_RESOURCE_GROUP"
	PoolIDVariable = "MIXEDKUBE_POOL_ID"
)

// Place is how the Azure CLI names a cluster.
type Place struct{ ResourceGroup, Cluster string }

const (
	ofPools = ` --resource-group "$MIXEDKUBE_RESOURCE_GROUP" --cluster-name "$MIXEDKUBE_CLUSTER" --name ` +
		`"$MIXEDKUBE_POOL"`
	ofCluster = ` --resource-group "$MIXEDKUBE_RESOURCE_GROUP" --name "$MIXEDKUBE_CLUSTER"`
)

func (p Place) command(text string) Command {
	return Command{text, map[string]string{GroupVariable: p.ResourceGroup, "MIXEDKUBE_CLUSTER": p.Cluster}}
}

// UpgradeCommand gives a pool a version of Kubernetes, by the pool's name in Azure.
func UpgradeCommand(pool, version string, at Place) Command {
	c := at.command("az aks nodepool upgrade" + ofPools +
		` --kubernetes-version "$MIXEDKUBE_VERSION" --yes --output none`)
	c.Environment["MIXEDKUBE_POOL"] = pool
	c.Environment["MIXEDKUBE_VERSION"] = strings.TrimPrefix(version, "v")
	return c
}

// RemoveCommand removes a pool by its resource ID. Unlike `az aks nodepool delete`, it
// does not fail if the pool is gone already.
func RemoveCommand(id string) Command {
	return Command{`az resource delete --ids "$MIXEDKUBE_POOL_ID" --output none`, map[string]string{PoolIDVariable: id}}
}

// deleteCommand is the one for people.
func deleteCommand(pool string, at Place) Command {
	c := at.command("az aks nodepool delete" + ofPools)
	c.Environment["MIXEDKUBE_POOL"] = pool
	return c
}

// UpdateCommand gives the nodes the administrator's password, which it reads from its
// standard input, and the rest of the Windows profile.
func UpdateCommand(admin WindowsAdmin, at Place) Command {
	return update(admin, at, " --windows-admin-password @-", " --yes --output none")
}

// update is `az aks update` with what changes the Windows profile, except for the password.
func update(admin WindowsAdmin, at Place, before, after string) Command {
	flags := updateFlags(admin)
	c := at.command("az aks update" + ofCluster + before + " " + flags.text + after)
	maps.Copy(c.Environment, flags.Environment)
	return c
}

// UpdateFlags are those of `az aks update` for all but the password, with their values.
func UpdateFlags(admin WindowsAdmin) string { return updateFlags(admin).String() }

func updateFlags(admin WindowsAdmin) Command {
	flags := "--disable-ahub"
	if cmp.Or(admin.LicenseType, NoLicense) != NoLicense {
		flags = "--enable-ahub"
	}
	switch gmsa := admin.GMSA; {
	case !gmsa.Enabled:
		return Command{flags + " --disable-windows-gmsa", nil}
	case gmsa.DNSServer == "":
		return Command{flags + " --enable-windows-gmsa", nil}
	default:
		return Command{
			flags + ` --enable-windows-gmsa --gmsa-dns-server "$MIXEDKUBE_GMSA_DNS_SERVER" --gmsa-root-domain-name ` +
				`"$MIXEDKUBE_GMSA_ROOT_DOMAIN"`,
			map[string]string{
				"MIXEDKUBE_GMSA_DNS_SERVER":  gmsa.DNSServer,
				"MIXEDKUBE_GMSA_ROOT_DOMAIN": gmsa.RootDomainName,
			},
		}
	}
}

var (
	// variable is how a text names one.
	variable = regexp.MustCompile(`"\$([A-Z_]+)"`)
	// word needs no quotes.
	word = regexp.MustCompile(`^[A-Za-z0-9._/-]+$`)
)

// Text is the command for the shell of an operating system: cmd for "windows", else a
// POSIX shell. cmd replaces variables before it looks for code: there only rules that are
// mandatory keep values from becoming some.
func (c Command) Text(goos string) string {
	if goos == "windows" {
		return variable.ReplaceAllString(c.text, `"%$1%"`)
	}
	return c.text
}

// String is the command with its values in place, for people to run it in a POSIX shell.
func (c Command) String() string {
	return variable.ReplaceAllStringFunc(c.text, func(name string) string {
		value := c.Environment[strings.Trim(name, `"$`)]
		if word.MatchString(value) {
			return value
		}
		return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	})
}
