package plan_test

import (
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/aks/plan"
)

// commands are all that a program runs, with s for each value of a cluster, and what az
// is to be given.
func commands(s string) map[string]struct {
	plan.Command
	arguments []string
} {
	type command = struct {
		plan.Command
		arguments []string
	}
	at := plan.Place{ResourceGroup: s, Cluster: s}
	admin := plan.WindowsAdmin{
		Username: s, Password: s, LicenseType: plan.LicenseType(s),
		GMSA: plan.GMSA{Enabled: true, DNSServer: s, RootDomainName: s},
	}
	update := []string{"aks", "update", "--resource-group", s, "--name", s, "--windows-admin-password", "@-"}
	licence := "--enable-ahub"
	if s == "" || s == "None" {
		licence = "--disable-ahub"
	}
	gmsa := []string{"--enable-windows-gmsa", "--gmsa-dns-server", s, "--gmsa-root-domain-name", s}
	if s == "" {
		gmsa = gmsa[:1]
	}
	end := []string{"--yes", "--output", "none"}
	return map[string]command{
		"upgrade": {plan.UpgradeCommand("window", s, at), []string{
			"aks", "nodepool", "upgrade", "--resource-group", s, "--cluster-name", s, "--name", "window",
			"--kubernetes-version", strings.TrimPrefix(s, "v"),
			"--yes", "--output", "none",
		}},
		"remove": {plan.RemoveCommand(s), []string{"resource", "delete", "--ids", s, "--output", "none"}},
		"update": {plan.UpdateCommand(admin, at), slices.Concat(update, []string{licence}, gmsa, end)},
		"update without gMSA": {
			plan.UpdateCommand(plan.WindowsAdmin{LicenseType: plan.LicenseType(s)}, at),
			slices.Concat(update, []string{licence, "--disable-windows-gmsa"}, end),
		},
	}
}

// FuzzNothingBecomesCode gives the commands what the rules would refuse: their texts stay
// the same, and a shell gives az each value as one argument.
func FuzzNothingBecomesCode(f *testing.F) {
	for _, seed := range []string{
		"shop", "", "None", "Windows_Server", "v1.36.3", `x"; id >&2; : "`, "'", `"`, "`id`", "$(id)", "${PATH}",
		"$MIXEDKUBE_CLUSTER", "a\nb", "a\r\nb", "a;b", "a && b",
		"a|b", "> a", "*", "~", "#", `\`, `a\`, `\"`, "a b", " ", "\t", "-n", "--yes", "@-", "@/etc/passwd", "%PATH%",
		"!", "{a,b}", "é", "日本", "\u2028", "\x1b[0m", "\x7f", "\xff", "EOF",
	} {
		f.Add(seed)
	}
	texts := map[string]bool{}
	for _, like := range []string{"", "None", "shop"} {
		for _, c := range commands(like) {
			texts[c.Text("linux")] = true
			texts[c.Text("windows")] = true
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, c := range commands(s) {
			for _, goos := range []string{"linux", "windows"} {
				if text := c.Text(goos); !texts[text] {
					t.Errorf("%s: %q is in the text: %s", name, s, text)
				}
			}
			// No program's environment has a zero byte.
			if strings.Contains(s, "\x00") || runtime.GOOS == "windows" {
				continue
			}
			if diff := cmp.Diff(c.arguments, whatAzGets(t, c.Command)); diff != "" {
				t.Errorf("%s: az is given for %q (-want +got):\n%s", name, s, diff)
			}
		}
		// Nor does a tag.
		first, err := plan.FirstPoolOf(nil, nil, map[string]string{plan.FirstPoolTag: s}, nil)
		if strings.Trim(first.Left, "abcdefghijklmnopqrstuvwxyz0123456789") != "" || len(first.Left) > 12 ||
			err != nil && first != (plan.FirstPool{}) {
			t.Errorf("the tag %q becomes %+v (%v)", s, first, err)
		}
	})
}

// whatAzGets runs a command as pulumi-command does, with a function for az.
func whatAzGets(t *testing.T, c plan.Command) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", `az() { printf '%s\0' "$@"; }`+"\n"+c.Text("linux"))
	cmd.Env = os.Environ()
	for name, value := range c.Environment {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	arguments := strings.Split(string(out), "\x00")
	return arguments[:len(arguments)-1]
}

// All values that are in a text have a variable, and all variables are in the text.
func TestTheTextsNameTheirVariables(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"upgrade": {
			`az aks nodepool upgrade --resource-group "$MIXEDKUBE_RESOURCE_GROUP" --cluster-name ` +
				`"$MIXEDKUBE_CLUSTER" --name "$MIXEDKUBE_POOL"` +
				` --kubernetes-version "$MIXEDKUBE_VERSION" --yes --output none`,
			`az aks nodepool upgrade --resource-group "%MIXEDKUBE_RESOURCE_GROUP%" --cluster-name ` +
				`"%MIXEDKUBE_CLUSTER%" --name "%MIXEDKUBE_POOL%"` +
				` --kubernetes-version "%MIXEDKUBE_VERSION%" --yes --output none`,
		},
		"remove": {
			`az resource delete --ids "$MIXEDKUBE_POOL_ID" --output none`,
			`az resource delete --ids "%MIXEDKUBE_POOL_ID%" --output none`,
		},
		"update": {
			`az aks update --resource-group "$MIXEDKUBE_RESOURCE_GROUP" --name "$MIXEDKUBE_CLUSTER" ` +
				`--windows-admin-password @- --enable-ahub` +
				` --enable-windows-gmsa --gmsa-dns-server "$MIXEDKUBE_GMSA_DNS_SERVER" --gmsa-root-domain-name ` +
				`"$MIXEDKUBE_GMSA_ROOT_DOMAIN" --yes --output none`,
			`az aks update --resource-group "%MIXEDKUBE_RESOURCE_GROUP%" --name "%MIXEDKUBE_CLUSTER%" ` +
				`--windows-admin-password @- --enable-ahub` +
				` --enable-windows-gmsa --gmsa-dns-server "%MIXEDKUBE_GMSA_DNS_SERVER%" --gmsa-root-domain-name ` +
				`"%MIXEDKUBE_GMSA_ROOT_DOMAIN%" --yes --output none`,
		},
	} {
		c := commands("x")[name]
		if got := [2]string{c.Text("darwin"), c.Text("windows")}; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
		for _, variable := range slices.Sorted(maps.Keys(c.Environment)) {
			if !strings.Contains(c.Text("linux"), `"$`+variable+`"`) {
				t.Errorf("%s does not use %s", name, variable)
			}
		}
	}
}

func TestCommandsForPeople(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]plan.Command{
		`az aks nodepool upgrade --resource-group shop-group_1 --cluster-name shop --name window ` +
			`--kubernetes-version 1.36.3 --yes --output none`: plan.UpgradeCommand(
			"window", "v1.36.3", plan.Place{ResourceGroup: "shop-group_1", Cluster: "shop"}),
		`az aks nodepool upgrade --resource-group 'Läden(1)' --cluster-name shop --name window --kubernetes-version ` +
			`1.36.3 --yes --output none`: plan.UpgradeCommand(
			"window", "v1.36.3", plan.Place{ResourceGroup: "Läden(1)", Cluster: "shop"}),
		`az resource delete --ids 'a'\''$(id)' --output none`: plan.RemoveCommand("a'$(id)"),
	} {
		if got := c.String(); got != want {
			t.Errorf("it is %s, want %s", got, want)
		}
	}
}
