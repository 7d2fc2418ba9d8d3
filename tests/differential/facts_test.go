package differential

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
)

// fact is a handwritten pod with the verdicts of the API server of every version: want are those that preflight also
// gives, extra those of rules that preflight does not check.
type fact struct {
	name string
	// pod is the pod's spec, except its first container c, which is container.
	pod, container object
	want, extra    []string
}

const (
	forWindows = ": Forbidden: cannot be set for a windows pod"
	forLinux   = ": Forbidden: windows options cannot be set for a linux pod"

	allOrNone = "spec: Invalid value: If pod contains any hostProcess containers then all containers must be " +
		"HostProcess containers"
	hostNetwork = "spec.hostNetwork: Invalid value: hostNetwork must be true if pod contains any hostProcess containers"
	hostUsers   = ": Forbidden: when `hostUsers` is false"

	emptySpec = "gmsaCredentialSpec cannot be an empty string"
	largeSpec = "gmsaCredentialSpec size must be under 64 KiB"

	noName    = "runAsUserName cannot be an empty string"
	control   = "runAsUserName cannot contain control characters"
	backslash = "runAsUserName cannot contain more than one backslash"
	domain    = "runAsUserName's Domain length must be under 256 characters"
	format    = "runAsUserName's Domain doesn't match the NetBios nor the DNS format"
	noUser    = "runAsUserName's User cannot be empty"
	longUser  = "runAsUserName's User length must not be longer than 104 characters"
	onlyDots  = "runAsUserName's User cannot contain only periods or spaces"
	forbidden = `runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`
)

var notSubdomain = validation.IsDNS1123Subdomain("_")[0]

var windows, linux = object{"name": "windows"}, object{"name": "linux"}

func facts() []fact {
	return slices.Concat(osFacts(), linuxFieldFacts(), specNameFacts(), userNameFacts(), hostProcessFacts(),
		portFacts())
}

func osFacts() []fact {
	const required = "spec.os.name: Required value"
	const unsupported = `spec.os: Unsupported value: supported values: "linux", "windows"`
	options := object{"windowsOptions": object{}}
	return []fact{
		{
			name: "no os", pod: object{
				"hostPID":         true,
				"securityContext": object{"runAsUser": int64(0), "windowsOptions": object{}},
			},
		},
		{name: "os null", pod: object{"os": nil, "hostPID": true}},
		{name: "os empty", pod: object{"os": object{}}, want: []string{required}},
		{name: "os name empty", pod: object{"os": object{"name": ""}}, want: []string{required}},
		{name: "os name null", pod: object{"os": object{"name": nil}}, want: []string{required}},
		{name: "os of another case", pod: object{"os": object{"name": "Windows"}}, want: []string{unsupported}},
		{
			name: "an os that is not supported has no rules of its own",
			pod: object{
				"os": object{"name": "plan9"}, "hostPID": true, "resources": object{},
				"securityContext": object{"runAsUser": int64(0), "windowsOptions": object{"runAsUserName": ""}},
			},
			want: []string{unsupported, "spec.securityContext.windowsOptions.runAsUserName: Invalid value: " + noName},
		},
		{
			name: "empty options on a linux pod",
			pod: object{
				"os": linux, "securityContext": options,
				"initContainers":      list{object{"name": "i", "image": "i", "securityContext": options}},
				"ephemeralContainers": list{object{"name": "e", "image": "i", "securityContext": options}},
			},
			container: object{"securityContext": options},
			want: []string{
				"spec.securityContext.windowsOptions" + forLinux,
				"spec.containers[0].securityContext.windowsOptions" + forLinux,
				"spec.initContainers[0].securityContext.windowsOptions" + forLinux,
				"spec.ephemeralContainers[0].securityContext.windowsOptions" + forLinux,
			},
			extra: []string{"spec.ephemeralContainers: Forbidden: cannot be set on create"},
		},
		{
			name:      "null options on a linux pod",
			pod:       object{"os": linux, "securityContext": object{"windowsOptions": nil}},
			container: object{"securityContext": object{"windowsOptions": nil}},
		},
	}
}

// linuxFieldFacts returns a fact for each field with each of its values on a Windows pod.
func linuxFieldFacts() []fact {
	all := []fact{
		{
			name: "nothing", pod: object{"os": windows, "securityContext": object{}},
			container: object{"securityContext": nil},
		},
		{
			name:      "runAsNonRoot is valid for both",
			pod:       object{"os": windows, "securityContext": object{"runAsNonRoot": true}},
			container: object{"securityContext": object{"runAsNonRoot": false}},
		},
		{
			name: "no profile type", pod: object{"os": windows, "securityContext": object{"seccompProfile": object{}}},
			container: object{"securityContext": object{"appArmorProfile": object{}}},
			want: []string{
				"spec.securityContext.seccompProfile" + forWindows,
				"spec.containers[0].securityContext.appArmorProfile" + forWindows,
			},
			extra: []string{
				"spec.securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set",
				"spec.containers[0].securityContext.appArmorProfile.type: Required value: type is required when " +
					"appArmorProfile is set",
			},
		},
		{
			name: "the node's namespaces without its users",
			pod: object{
				"os": windows, "hostUsers": false, "hostPID": true, "hostIPC": true, "hostNetwork": true,
				"shareProcessNamespace": true,
			},
			want: []string{
				"spec.hostUsers" + forWindows, "spec.hostPID" + forWindows, "spec.hostIPC" + forWindows,
				"spec.shareProcessNamespace" + forWindows,
			},
			extra: []string{
				"spec.hostNetwork" + hostUsers, "spec.HostPID" + hostUsers, "spec.HostIPC" + hostUsers,
				"spec.shareProcessNamespace: Invalid value: ShareProcessNamespace and HostPID cannot " +
					"both be enabled",
			},
		},
	}
	stop := object{"lifecycle": object{"stopSignal": "SIGINT"}}
	for name, os := range map[string]any{"windows": windows, "linux": linux, "no": nil} {
		all = append(all, fact{
			name: "a stop signal is dropped: " + name + " os", pod: object{"os": os},
			container: stop,
		})
	}
	refused := func(path string, value any) []string {
		empty, isList := value.(list)
		switch {
		case value == nil,
			value == false && (path == "spec.hostPID" || path == "spec.hostIPC"),
			isList && len(empty) == 0 && strings.HasSuffix(path, ".sysctls"):
			return nil
		case path == "spec.resources":
			return []string{path + ": Forbidden: may not be set for a windows pod"}
		case slices.Contains([]string{"spec.hostNetwork", "spec.nodeSelector", "spec.securityContext.runAsNonRoot"},
			path):
			return nil
		default:
			return []string{path + forWindows}
		}
	}
	for _, s := range podSettings {
		for _, value := range s.values {
			pod := object{"os": windows}
			put(pod, value, s.path...)
			path := "spec." + strings.Join(s.path, ".")
			all = append(all, fact{name: path, pod: pod, want: refused(path, value)})
		}
	}
	for _, s := range containerSettings {
		if s.path[0] != "securityContext" || s.path[1] == "runAsNonRoot" {
			continue
		}
		for _, value := range s.values {
			container := object{}
			put(container, value, s.path...)
			path := "spec.containers[0]." + strings.Join(s.path, ".")
			f := fact{name: path, pod: object{"os": windows}, container: container, want: refused(path, value)}
			if value == "Unmasked" {
				f.extra = []string{path + ": Invalid value: `hostUsers` must be false to use `Unmasked`"}
			}
			all = append(all, f)
		}
	}
	return all
}

func specNameFacts() []fact {
	const at = "spec.securityContext.windowsOptions."
	const long = at + "gmsaCredentialSpecName: Invalid value: must be no more than 253 characters"
	const empty = at + "gmsaCredentialSpec: Invalid value: " + emptySpec
	const large = at + "gmsaCredentialSpec: Invalid value: " + largeSpec
	subdomain := at + "gmsaCredentialSpecName: Invalid value: " + notSubdomain
	var all []fact
	for _, row := range []struct {
		field, value string
		want         []string
	}{
		{"gmsaCredentialSpecName", "gmsa.web-1", nil},
		{"gmsaCredentialSpecName", strings.Repeat("a", 253), nil},
		{"gmsaCredentialSpecName", strings.Repeat("a", 254), []string{long}},
		{"gmsaCredentialSpecName", strings.Repeat("A", 254), []string{subdomain, long}},
		{"gmsaCredentialSpecName", "", []string{subdomain}},
		{"gmsaCredentialSpecName", "gm_sa", []string{subdomain}},
		{"gmsaCredentialSpec", "", []string{empty}},
		{"gmsaCredentialSpec", " ", nil},
		{"gmsaCredentialSpec", strings.Repeat("x", 65536), nil},
		{"gmsaCredentialSpec", strings.Repeat("x", 65537), []string{large}},
		{"gmsaCredentialSpec", strings.Repeat("é", 32768), nil},
		{"gmsaCredentialSpec", strings.Repeat("é", 32768) + "x", []string{large}},
	} {
		pod := object{"securityContext": object{"windowsOptions": object{row.field: row.value}}}
		all = append(all, fact{name: row.field + " " + abbreviated(row.value), pod: pod, want: row.want})
	}
	return all
}

func userNameFacts() []fact {
	names := map[string][]string{
		"":                                 {noName},
		"ContainerAdministrator":           nil,
		`NT AUTHORITY\SYSTEM`:              nil,
		"u\x00":                            {control},
		"u\x1f\\":                          {control},
		"u\x7f":                            {control},
		"u\u0080":                          nil,
		"d\n\\a\\b":                        {control},
		`a\b\c`:                            {backslash},
		`\\`:                               {backslash},
		`\`:                                {format, noUser},
		`\u`:                               {format},
		`d\`:                               {noUser},
		".":                                {onlyDots},
		". .":                              {onlyDots},
		`d\ `:                              {onlyDots},
		"u.":                               nil,
		". *":                              {forbidden},
		strings.Repeat("u", 104):           nil,
		strings.Repeat("u", 105):           {longUser},
		strings.Repeat("u", 300):           {longUser},
		strings.Repeat("é", 52):            nil,
		strings.Repeat("é", 53):            {longUser},
		strings.Repeat(" ", 105):           {longUser, onlyDots},
		strings.Repeat("*", 105):           {longUser, forbidden},
		`.d\u`:                             {format},
		`d.\u`:                             nil,
		`d d_-\u`:                          nil,
		strings.Repeat("-", 15) + `\u`:     nil,
		strings.Repeat("-", 16) + `\u`:     {format},
		strings.Repeat("é", 15) + `\u`:     nil,
		strings.Repeat("é", 16) + `\u`:     {format},
		strings.Repeat("d", 63) + `\u`:     nil,
		strings.Repeat("d", 64) + `\u`:     {format},
		strings.Repeat("d", 15) + `-\u`:    {format},
		strings.Repeat("d", 15) + `.\u`:    {format},
		strings.Repeat("d.", 8) + `d\u`:    nil,
		strings.Repeat("d.", 127) + `d\u`:  nil,
		strings.Repeat("d.", 127) + `dd\u`: {domain},
		strings.Repeat("d", 256) + `\` + strings.Repeat("*", 105): {domain, format, longUser, forbidden},
		strings.Repeat("d", 256) + `\ `:                           {domain, format, onlyDots},
	}
	for _, c := range `"/:;|=,+*?<>@[]` {
		names["u"+string(c)] = []string{forbidden}
	}
	for _, c := range `/:*?"<>|` {
		names["d"+string(c)+`\u`] = []string{format}
	}
	for _, c := range ";=,+@[]$'!#%&()^`{}~" {
		names["d"+string(c)+`\u`] = nil
	}
	for _, c := range "$'!#%&()^`{}~-_" {
		names["u"+string(c)] = nil
	}
	var all []fact
	for name, want := range names {
		f := fact{
			name:      "runAsUserName " + abbreviated(name),
			container: object{"securityContext": object{"windowsOptions": object{"runAsUserName": name}}},
		}
		for _, detail := range want {
			f.want = append(f.want,
				"spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "+detail)
		}
		all = append(all, f)
	}
	return all
}

func hostProcessFacts() []fact {
	at := func(value any) object { return object{"windowsOptions": object{"hostProcess": value}} }
	differs := func(container, was string) string {
		return "spec." + container + ".securityContext.windowsOptions.hostProcess: Invalid value: " +
			"pod hostProcess value must be identical if both are specified, was " + was
	}
	withContainer := func(list string, value any) object {
		pod := object{"hostNetwork": true}
		pod[list] = []any{object{"name": "x", "image": "i", "securityContext": at(value)}}
		return pod
	}
	return []fact{
		{name: "from the pod", pod: object{"hostNetwork": true, "securityContext": at(true)}},
		{name: "from the pod, of a linux one", pod: object{"os": linux, "securityContext": at(true)}, want: []string{
			hostNetwork, "spec.securityContext.windowsOptions" + forLinux,
		}},
		{name: "without the network", pod: object{"securityContext": at(true)}, want: []string{hostNetwork}},
		{
			name: "network false", pod: object{"hostNetwork": false}, container: object{"securityContext": at(true)},
			want: []string{hostNetwork},
		},
		{
			name: "explicitly false", pod: object{"securityContext": at(false)},
			container: object{"securityContext": at(false)},
		},
		{
			name: "not for the container", pod: object{"hostNetwork": true, "securityContext": at(true)},
			container: object{"securityContext": at(false)}, want: []string{differs("containers[0]", "true")},
		},
		{
			name: "not for the pod", pod: object{"securityContext": at(false)},
			container: object{"securityContext": at(true)},
			want:      []string{differs("containers[0]", "false"), hostNetwork},
		},
		{
			name: "null is not set", pod: object{"hostNetwork": true, "securityContext": at(nil)},
			container: object{"securityContext": at(true)},
		},
		{name: "an init container alone", pod: withContainer("initContainers", true), want: []string{allOrNone}},
		{
			name: "all but an init container", pod: withContainer("initContainers", false),
			container: object{"securityContext": at(true)}, want: []string{allOrNone},
		},
		{
			name: "all but an ephemeral container", pod: withContainer("ephemeralContainers", nil),
			container: object{"securityContext": at(true)},
			want:      []string{allOrNone},
			extra:     []string{"spec.ephemeralContainers: Forbidden: cannot be set on create"},
		},
	}
}

func portFacts() []fact {
	const refused = "spec.containers[0].ports[0].hostPort: Invalid value: must match `containerPort` when " +
		"`hostNetwork` is true"
	ports := func(hostPort any) object {
		port := object{"containerPort": int64(80)}
		put(port, hostPort, "hostPort")
		return object{"ports": list{port}}
	}
	host := object{"hostNetwork": true}
	initPort := ports(int64(81))
	initPort["name"], initPort["image"] = "i", "i"
	return []fact{
		{name: "no host port", pod: host, container: ports(missing)},
		{name: "host port null", pod: host, container: ports(nil)},
		{name: "host port 0", pod: host, container: ports(int64(0))},
		{name: "the same host port", pod: host, container: ports(int64(80))},
		{name: "another host port", pod: host, container: ports(int64(81)), want: []string{refused}},
		{name: "another host port without the network", container: ports(int64(81))},
		{
			name: "another host port of an init container",
			pod:  object{"hostNetwork": true, "initContainers": list{initPort}},
		},
	}
}

func abbreviated(text string) string {
	if len(text) > 24 {
		return text[:8] + "…"
	}
	return text
}

// objects returns the Pod, and a Deployment with its spec.
func (f fact) objects() (pod, deployment object) {
	container := object{"name": "c", "image": "i"}
	maps.Copy(container, f.container)
	spec := object{"containers": list{container}}
	maps.Copy(spec, f.pod)
	labels := object{"app": "it"}
	return object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": "it"}, "spec": spec},
		object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{"name": "it"}, "spec": object{
			"selector": object{"matchLabels": labels},
			"template": object{"metadata": object{"labels": labels}, "spec": spec},
		}}
}

// Each pod breaks only a few of the rules.
func TestRulesMatchTheAPIServer(t *testing.T) {
	for _, o := range startOracles(t) {
		for _, f := range facts() {
			pod, deployment := f.objects()
			for kind, object := range map[string]object{"Pod": pod, "Deployment": deployment} {
				a, err := o.judge(object)
				if err != nil {
					t.Fatal(err)
				}
				if a.DecodeError != "" {
					t.Errorf("%s %s, %s: %s", o.Version, kind, f.name, a.DecodeError)
					continue
				}
				same(t, o.Version+" "+kind+", "+f.name, texts(a.Errors), slices.Concat(f.want, f.extra))
				same(t, "preflight for "+o.Minor+" "+kind+", "+f.name, texts(check(object, o.Minor)), f.want)
			}
		}
	}
}

// texts returns the verdicts with their paths and messages in a Pod of the newest version.
func texts(verdicts []verdict) []string {
	var all []string
	for _, v := range verdicts {
		v.Path = template.ReplaceAllLiteralString(v.Path, "")
		if v.Detail == "ephemeral containers not allowed in pod template" {
			v.Detail = "cannot be set on create"
		}
		if v.Path == "spec.securityContext.shareProcessNamespace" {
			v.Path = "spec.shareProcessNamespace" // as since 1.37
		}
		all = append(all, v.String())
	}
	return all
}

// same compares two lists, ignoring the order.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if diff := cmp.Diff(want, got); len(got)+len(want) > 0 && diff != "" {
		t.Errorf("%s: -want +got:\n%s", what, diff)
	}
}
