package preflight_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// withOptions returns a pod with windowsOptions. The same options are used for the pod and in a program.
func withOptions(options map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"spec": map[string]any{
			"securityContext": map[string]any{"windowsOptions": options},
			"containers":      []any{map[string]any{"name": "shop"}},
		},
	}
}

func TestGMSACredentialSpec(t *testing.T) {
	t.Parallel()
	const (
		namePath = "spec.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "
		specPath = "spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "
		nameFix  = ": write the name of a GMSACredentialSpec, or remove it (MK140)"
		dns      = ": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
			"and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
			"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')" + nameFix
		long  = ": must be no more than 253 characters" + nameFix
		empty = specPath + `"": gmsaCredentialSpec cannot be an empty string: remove it: gmsaCredentialSpecName ` +
			`names the specification (MK141)`
		size = ": gmsaCredentialSpec size must be under 64 KiB: create a GMSACredentialSpec from it, and name that " +
			"in gmsaCredentialSpecName (MK142)"
	)
	repeat := strings.Repeat
	tests := []struct {
		name, field string
		value       any
		want        []string
	}{
		{"a name", "gmsaCredentialSpecName", "contoso-shop", nil},
		{"a name with periods", "gmsaCredentialSpecName", "a.b", nil},
		{"the longest name", "gmsaCredentialSpecName", repeat("a", 253), nil},
		{
			"one longer", "gmsaCredentialSpecName", repeat("a", 254),
			[]string{namePath + `"` + repeat("a", 254) + `"` + long},
		},
		{"no name", "gmsaCredentialSpecName", "", []string{namePath + `""` + dns}},
		{"upper case", "gmsaCredentialSpecName", "A", []string{namePath + `"A"` + dns}},
		{"a hyphen first", "gmsaCredentialSpecName", "-a", []string{namePath + `"-a"` + dns}},
		{
			"both at once", "gmsaCredentialSpecName", repeat("A", 254),
			[]string{namePath + `"` + repeat("A", 254) + `"` + long, namePath + `"` + repeat("A", 254) + `"` + dns},
		},
		{
			"a secret name", "gmsaCredentialSpecName",
			preflight.Secret{Value: "A"},
			[]string{namePath + `"[secret]"` + dns},
		},
		{"a name that is not known", "gmsaCredentialSpecName", preflight.Unknown{}, nil},
		{"null", "gmsaCredentialSpecName", nil, nil},
		{"a specification", "gmsaCredentialSpec", "{}", nil},
		{"an empty one", "gmsaCredentialSpec", "", []string{empty}},
		{"the longest one", "gmsaCredentialSpec", repeat("é", 32<<10), nil},
		{
			"one byte more", "gmsaCredentialSpec", repeat("x", 64<<10+1),
			[]string{specPath + `"` + repeat("x", 100) + `… (65537 bytes)"` + size},
		},
		{
			"a secret specification", "gmsaCredentialSpec",
			preflight.Secret{Value: repeat("x", 64<<10+1)},
			[]string{specPath + `"[secret]"` + size},
		},
		{"one that is not known", "gmsaCredentialSpec", preflight.Unknown{}, nil},
		{"null", "gmsaCredentialSpec", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, withOptions(map[string]any{tt.field: tt.value}), v136, "MK14,MK15", tt.want...)
		})
	}
}

// The texts for a user name, by rule.
var userTexts = map[string]string{
	"MK143": "runAsUserName cannot be an empty string: remove it for the image's user, or write ContainerUser",
	"MK144": "runAsUserName cannot contain control characters: remove line breaks, tabs and the like",
	"MK145": `runAsUserName cannot contain more than one backslash: write DOMAIN\USER; in single quotes or without ` +
		`quotes, YAML keeps one backslash`,
	"MK146": "runAsUserName's Domain length must be under 256 characters: write the domain's NetBIOS name",
	"MK147": "runAsUserName's Domain doesn't match the NetBios nor the DNS format: write the domain's NetBIOS or DNS " +
		"name",
	"MK148": "runAsUserName's User cannot be empty: write the user after the backslash",
	"MK149": "runAsUserName's User length must not be longer than 104 characters: use a shorter name",
	"MK150": "runAsUserName's User cannot contain only periods or spaces: write a user such as ContainerUser",
	"MK151": `runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]: remove them`,
}

const (
	localUser = "runAsUserName's Domain doesn't match the NetBios nor the DNS format: write the user alone for one " +
		"of the container"
	domainUser = `runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]: write DOMAIN\USER`
)

func TestRunAsUserName(t *testing.T) {
	t.Parallel()
	repeat := strings.Repeat
	dns := func(n int) string { // a DNS name of n bytes
		return repeat("d.", n/2-1) + repeat("d", n-2*(n/2-1))
	}
	tests := []struct {
		name, user string
		want       []string // IDs, or whole texts where they differ from userTexts
	}{
		{"a user", "u", nil},
		{"the default", "ContainerUser", nil},
		{"a user of a domain", `CONTOSO\nina`, nil},
		{"an account of the system", `NT AUTHORITY\SYSTEM`, nil},
		{"an account with a space", `NT AUTHORITY\Local service`, nil},
		{"an application pool", `IIS APPPOOL\shop`, nil},
		{"none", "", []string{"MK143"}},

		{"the first control character", "u\x00", []string{"MK144"}},
		{"the last one before the space", "u\x1f", []string{"MK144"}},
		{"delete", "u\x7f", []string{"MK144"}},
		{"what Unicode calls control beyond that is fine", "u\u0080", nil},
		{"a tab alone", "\t", []string{"MK144"}},
		{"a control character ends the search", "d\n\\a\\\n", []string{"MK144"}},

		{"two backslashes", `a\b\c`, []string{"MK145"}},
		{"two backslashes and nothing else", `\\`, []string{"MK145"}},

		{"a backslash alone", `\`, []string{localUser, "MK148"}},
		{"no domain before it", `\u`, []string{localUser}},
		{"the shorthand for the machine", `.\u`, []string{localUser}},
		{"a period first", `.d\u`, []string{"MK147"}},
		{"a period last", `d.\u`, nil},
		{"no user after it", `d\`, []string{"MK148"}},
		{"a domain of 15 characters", "d_d_d_d_d_d_d_d" + `\u`, nil},
		{"16 are too many for NetBIOS", "d_d_d_d_d_d_d_d_" + `\u`, []string{"MK147"}},
		{"16 may be DNS", repeat("d", 16) + `\u`, nil},
		{"15 letters that are two bytes each", repeat("é", 15) + `\u`, nil},
		{"16 of these", repeat("é", 16) + `\u`, []string{"MK147"}},
		{"hyphens as NetBIOS", `-d-\u`, nil},
		{"hyphens first as DNS", "-" + repeat("d", 16) + `\u`, []string{"MK147"}},
		{"hyphens last as DNS", repeat("d", 16) + `-\u`, []string{"MK147"}},
		{"hyphens inside as DNS", repeat("d", 16) + `-d\u`, nil},
		{"digits and upper case as DNS", repeat("D1z9A0", 4) + `\u`, nil},
		{"a label of 63", repeat("d", 63) + `.d\u`, nil},
		{"a label of 64", repeat("d", 64) + `.d\u`, []string{"MK147"}},
		{"a label of none", `d..` + repeat("d", 16) + `\u`, []string{"MK147"}},
		{"no label at the end", repeat("d", 16) + `.\u`, []string{"MK147"}},
		{"an underscore in DNS", repeat("d_", 8) + `\u`, []string{"MK147"}},
		{"a domain of 255 bytes", dns(255) + `\u`, nil},
		{"a domain of 256 bytes", dns(256) + `\u`, []string{"MK146"}},
		{"a domain that is too long and malformed", repeat("d", 256) + `\`, []string{"MK146", "MK147", "MK148"}},
		{"what only users must not hold", `d;=,+@[]\u`, nil},

		{"a user of 104 bytes", repeat("u", 104), nil},
		{"a user that is as long as no domain may be", repeat("u", 256), []string{"MK149"}},
		{"a user of 105 bytes", repeat("u", 105), []string{"MK149"}},
		{"53 letters that are two bytes each", repeat("é", 53), []string{"MK149"}},
		{"the domain does not count", `CONTOSO\` + repeat("u", 104), nil},
		{"a space", " ", []string{"MK150"}},
		{"periods and spaces", ". .", []string{"MK150"}},
		{"105 periods", repeat(".", 105), []string{"MK149", "MK150"}},
		{"periods after a domain", `d\..`, []string{"MK150"}},
		{"a period and something else", ".u ", nil},
		{"no user and a malformed domain", `d/\ `, []string{"MK147", "MK150"}},
		{"an address of mail", "nina@contoso.com", []string{domainUser}},
		{"a slash for the backslash", "CONTOSO/nina", []string{domainUser}},
		{"105 asterisks", repeat("*", 105), []string{"MK149", "MK151"}},
	}
	for _, c := range `"/:;|=,+*?<>@[]` {
		want := "MK151"
		if c == '/' || c == '@' {
			want = domainUser
		}
		tests = append(tests, struct {
			name, user string
			want       []string
		}{"a user with " + string(c), "u" + string(c), []string{want}})
	}
	for _, c := range "'!#$%&()-^_`{}~" {
		tests = append(tests, struct {
			name, user string
			want       []string
		}{"a user with " + string(c), "u" + string(c), nil})
	}
	for _, c := range `/:*?"<>|` {
		tests = append(tests, struct {
			name, user string
			want       []string
		}{"a domain with " + string(c), "d" + string(c) + `\u`, []string{"MK147"}})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			value := preflight.Finding{Type: "FieldValueInvalid", Value: tt.user, Rule: "x"}.Message()
			value = strings.TrimSuffix(value, " (x)")
			want := func(path, value string) []string {
				var list []string
				for _, w := range tt.want {
					id, text := w, userTexts[w]
					switch w {
					case localUser:
						id, text = "MK147", w
					case domainUser:
						id, text = "MK151", w
					}
					list = append(list, path+"securityContext.windowsOptions.runAsUserName: "+value+": "+text+" ("+id+
						")")
				}
				return list
			}
			wantFindings(t, withOptions(map[string]any{"runAsUserName": tt.user}), v136, "MK14,MK15",
				want("spec.", value)...)
			wantFindings(t, withOptions(map[string]any{"runAsUserName": preflight.Secret{Value: tt.user}}), v136,
				"MK14,MK15", want("spec.", `Invalid value: "[secret]"`)...)
		})
	}
}

// The API server checks the options of the pod and of each container, for any operating system.
func TestWindowsOptionsOfAllContainers(t *testing.T) {
	t.Parallel()
	const empty = `securityContext.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty ` +
		`string: remove it for the image's user, or write ContainerUser (MK143)`
	const options = `securityContext: {windowsOptions: {runAsUserName: ""}}`
	for _, os := range []string{"", "windows", "linux", "plan9"} {
		t.Run("os "+os, func(t *testing.T) {
			t.Parallel()
			lists := options + ", initContainers: [{name: a}, {name: b, " + options +
				"}], ephemeralContainers: [{name: c, " + options + "}]"
			wantFindings(t, object(t, inPod(os, lists, options)), v136, "MK14",
				"spec.containers[0]."+empty, "spec.ephemeralContainers[0]."+empty, "spec.initContainers[1]."+empty,
				"spec."+empty)
		})
	}
	t.Run("what is not known is not looked at", func(t *testing.T) {
		t.Parallel()
		wantFindings(t, withOptions(map[string]any{"runAsUserName": preflight.Unknown{}}), v136, "MK14")
		wantFindings(t, object(t,
			inPod("windows", `securityContext: {windowsOptions: "$unknown"}`, `securityContext: "$unknown"`)), v136,
			"MK14")
	})
}

func TestASecretIsPrintedInNoForm(t *testing.T) {
	t.Parallel()
	findings := preflight.Check(withOptions(map[string]any{"runAsUserName": preflight.Secret{Value: "hidden@contoso"}}),
		v136)
	inJSON, err := json.Marshal(findings)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		string(inJSON), fmt.Sprint(findings), fmt.Sprintf("%+v", findings), fmt.Sprintf("%#v", findings),
		fmt.Sprintf("%q", findings),
	} {
		if strings.Contains(text, "hidden") || strings.Contains(text, "Secret{") ||
			!strings.Contains(text, "[secret]") {
			t.Error(text)
		}
	}
}

// A second implementation, with regular expressions.
var (
	control = regexp.MustCompile(`[\x00-\x1f\x7f]`)
	netBIOS = regexp.MustCompile(`\A[^.\\/:*?"<>|][^\\/:*?"<>|]{0,14}\z`)
	dnsName = regexp.MustCompile(
		`\A(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?)(?:\.[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*\z`,
	)
	onlyDots = regexp.MustCompile(`\A[ .]+\z`)
	reserved = regexp.MustCompile(`[]["/\\:;|=,+*?<>@]`)
)

func userRules(name string) []string {
	if name == "" {
		return []string{"MK143"}
	}
	if control.MatchString(name) {
		return []string{"MK144"}
	}
	parts := strings.Split(name, `\`)
	if len(parts) > 2 {
		return []string{"MK145"}
	}
	user := parts[len(parts)-1]
	var ids []string
	add := func(id string, when bool) {
		if when {
			ids = append(ids, id)
		}
	}
	if len(parts) == 2 {
		add("MK146", len(parts[0]) >= 256)
		add("MK147", !netBIOS.MatchString(parts[0]) && !dnsName.MatchString(parts[0]))
	}
	add("MK148", user == "")
	add("MK149", len(user) > 104)
	add("MK150", onlyDots.MatchString(user))
	add("MK151", reserved.MatchString(user))
	return ids
}

func FuzzRunAsUserName(f *testing.F) {
	for _, seed := range []string{
		"", "u", `CONTOSO\nina`, `NT AUTHORITY\SYSTEM`, `.\u`, `\`, `\\`, "u\n", "u\x7f", ". .", `d\.`, `a.b-c.D9\u`,
		"u@d", "\xff", "é\xffé\\u", strings.Repeat("é", 16) + `\u`,
		strings.Repeat("d", 64) + `\` + strings.Repeat("u", 105), strings.Repeat("u", 256),
		strings.Repeat("ab.", 90) + `\u`, `-d\u`, "d\u212a" + strings.Repeat("d", 20) + `\u`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		var got []string
		for _, finding := range preflight.Check(withOptions(map[string]any{"runAsUserName": name}), v136) {
			if strings.HasPrefix(finding.Rule, "MK14") || strings.HasPrefix(finding.Rule, "MK15") {
				got = append(got, finding.Rule)
			}
		}
		if diff := cmp.Diff(userRules(name), got); diff != "" {
			t.Errorf("%q (-regular expressions +preflight):\n%s", name, diff)
		}
	})
}
