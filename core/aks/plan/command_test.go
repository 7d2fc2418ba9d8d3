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

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

// commands returns all commands that a program runs, with s for each value of a cluster, and the expected arguments of
// az.
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
	license := "--enable-ahub"
	if s == "" || s == "None" {
		license = "--disable-ahub"
	}
	gmsa := []string{"--enable-windows-gmsa", "--gmsa-dns-server", s, "--gmsa-root-domain-name", s}
	if s == "" {
		gmsa = gmsa[:1]
	}
	end := []string{"--yes", "--output", "none"}
	return map[string]command{
		"upgrade": {plan.UpgradeCommand("window", s, at), []string{
			"aks", "nodepool", "upgrade", "--resource-group", s, "--cluster-name", s, "--name", "window",
			"--kubernetes-version", s,
			"--yes", "--output", "none",
		}},
		"remove": {plan.RemoveCommand(s), []string{"resource", "delete", "--ids", s, "--output", "none"}},
		"update": {plan.UpdateCommand(admin, at), slices.Concat(update, []string{license}, gmsa, end)},
		"update without gMSA": {
			plan.UpdateCommand(plan.WindowsAdmin{LicenseType: plan.LicenseType(s)}, at),
			slices.Concat(update, []string{license, "--disable-windows-gmsa"}, end),
		},
	}
}

// FuzzNothingBecomesCode runs the commands with values that the rules would refuse: the texts stay the same, and a
// shell passes each value to az as one argument.
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
			if diff := cmp.Diff(c.arguments, argumentsOfAz(t, c.Command)); diff != "" {
				t.Errorf("%s: arguments of az for %q (-want +got):\n%s", name, s, diff)
			}
		}
		// Nor does a tag become code.
		first, err := plan.FirstPoolOf(nil, nil, map[string]string{plan.FirstPoolTag: s}, nil)
		if strings.Trim(first.Left, "abcdefghijklmnopqrstuvwxyz0123456789") != "" || len(first.Left) > 12 ||
			err != nil && first != (plan.FirstPool{}) {
			t.Errorf("the tag %q becomes %+v (%v)", s, first, err)
		}
	})
}

// argumentsOfAz returns the arguments of az in a command. It runs the command in the same way as pulumi-command, with a
// function for az.
func argumentsOfAz(t *testing.T, c plan.Command) []string {
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

// Each value in a text is a variable, and each variable is in the text.
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

func TestCommandStrings(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]plan.Command{
		`az aks nodepool upgrade --resource-group shop-group_1 --cluster-name shop --name window ` +
			`--kubernetes-version 1.36.3 --yes --output none`: plan.UpgradeCommand(
			"window", "1.36.3", plan.Place{ResourceGroup: "shop-group_1", Cluster: "shop"}),
		`az aks nodepool upgrade --resource-group 'Läden(1)' --cluster-name shop --name window --kubernetes-version ` +
			`1.36.3 --yes --output none`: plan.UpgradeCommand(
			"window", "1.36.3", plan.Place{ResourceGroup: "Läden(1)", Cluster: "shop"}),
		`az resource delete --ids 'a'\''$(id)' --output none`: plan.RemoveCommand("a'$(id)"),
	} {
		if got := c.String(); got != want {
			t.Errorf("the command is %s, want %s", got, want)
		}
	}
}
