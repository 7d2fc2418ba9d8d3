package plan

import (
	"cmp"
	"maps"
	"regexp"
	"strings"
)

// Command is a command of the Azure CLI. Its text consists of constants. Values are environment variables, so a shell
// does not interpret them as code.
type Command struct {
	text string
	// Environment maps the names of variables to their values.
	Environment map[string]string
}

// The variables whose values can be outputs of other resources.
const (
	GroupVariable  = "MIXEDKUBE_RESOURCE_GROUP"
	PoolIDVariable = "MIXEDKUBE_POOL_ID"
)

// Place identifies a cluster for the Azure CLI.
type Place struct{ ResourceGroup, Cluster string }

const (
	ofPools = ` --resource-group "$MIXEDKUBE_RESOURCE_GROUP" --cluster-name "$MIXEDKUBE_CLUSTER" --name ` +
		`"$MIXEDKUBE_POOL"`
	ofCluster = ` --resource-group "$MIXEDKUBE_RESOURCE_GROUP" --name "$MIXEDKUBE_CLUSTER"`
)

func (p Place) command(text string) Command {
	return Command{text, map[string]string{GroupVariable: p.ResourceGroup, "MIXEDKUBE_CLUSTER": p.Cluster}}
}

// UpgradeCommand upgrades a pool, by its name in Azure, to a version of Kubernetes.
func UpgradeCommand(pool, version string, at Place) Command {
	c := at.command("az aks nodepool upgrade" + ofPools +
		` --kubernetes-version "$MIXEDKUBE_VERSION" --yes --output none`)
	c.Environment["MIXEDKUBE_POOL"] = pool
	c.Environment["MIXEDKUBE_VERSION"] = version
	return c
}

// ResizeCommand changes the size of the machines of a pool in place. It needs the extension aks-preview.
func ResizeCommand(pool, size string, at Place) Command {
	c := at.command("az aks nodepool update" + ofPools + ` --node-vm-size "$MIXEDKUBE_SIZE" --output none`)
	c.Environment["MIXEDKUBE_POOL"] = pool
	c.Environment["MIXEDKUBE_SIZE"] = size
	return c
}

// OSCommand changes the release of Windows of a pool in place. It needs the extension aks-preview.
func OSCommand(pool, sku string, at Place) Command {
	c := at.command("az aks nodepool update" + ofPools +
		` --os-sku "$MIXEDKUBE_OS_SKU" --enable-fips-image --output none`)
	c.Environment["MIXEDKUBE_POOL"] = pool
	c.Environment["MIXEDKUBE_OS_SKU"] = sku
	return c
}

// RemoveCommand removes a pool by its resource ID. Unlike `az aks nodepool delete`, it does not fail if the pool no
// longer exists.
func RemoveCommand(id string) Command {
	return Command{`az resource delete --ids "$MIXEDKUBE_POOL_ID" --output none`, map[string]string{PoolIDVariable: id}}
}

// deleteCommand removes a pool by its name. It is shown to users.
func deleteCommand(pool string, at Place) Command {
	c := at.command("az aks nodepool delete" + ofPools)
	c.Environment["MIXEDKUBE_POOL"] = pool
	return c
}

// UpdateCommand sets the password of the administrator, which it reads from its standard input, and the rest of the
// Windows profile.
func UpdateCommand(admin WindowsAdmin, at Place) Command {
	return update(admin, at, " --windows-admin-password @-", " --yes --output none")
}

// update returns `az aks update` with the flags that change the Windows profile, except for the password.
func update(admin WindowsAdmin, at Place, before, after string) Command {
	flags := updateFlags(admin)
	c := at.command("az aks update" + ofCluster + before + " " + flags.text + after)
	maps.Copy(c.Environment, flags.Environment)
	return c
}

// UpdateFlags returns the flags of `az aks update` for the Windows profile except the password, with their values.
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
	// variable matches a variable in the text of a command.
	variable = regexp.MustCompile(`"\$([A-Z_]+)"`)
	// word matches a value that needs no quotes.
	word = regexp.MustCompile(`^[A-Za-z0-9._/-]+$`)
)

// Text returns the command for the shell of an operating system: cmd for "windows", and a POSIX shell for any other.
// cmd replaces variables before it looks for code, so only mandatory rules prevent cmd from running values as code.
func (c Command) Text(goos string) string {
	if goos == "windows" {
		return variable.ReplaceAllString(c.text, `"%$1%"`)
	}
	return c.text
}

// String returns the command with its values, for users who run it in a POSIX shell.
func (c Command) String() string {
	return variable.ReplaceAllStringFunc(c.text, func(name string) string {
		value := c.Environment[strings.Trim(name, `"$`)]
		if word.MatchString(value) {
			return value
		}
		return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	})
}
