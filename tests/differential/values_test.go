package differential

import "strings"

// setting is a field with its test values: valid values, which break only rules about Windows, empty values, and null.
type setting struct {
	path   []string
	values []any
}

// missing is the value of a field that is not set.
const missing = unset("missing")

type unset string

type (
	object = map[string]any
	list   = []any
)

var (
	switches = list{true, false, nil}
	ids      = list{int64(0), int64(1), int64(2147483647), nil}
	profiles = list{
		object{"type": "RuntimeDefault"},
		object{"type": "Unconfined"},
		object{"type": "Localhost", "localhostProfile": "profile"},
		nil,
	}
	seLinux = list{object{}, object{"level": "s0:c1,c2"}, object{"user": "u", "role": "r", "type": "t"}, nil}
)

// podSettings are the fields of a pod's spec that the rules are about, and some other fields.
var podSettings = []setting{
	{[]string{"hostUsers"}, switches},
	{[]string{"hostPID"}, switches},
	{[]string{"hostIPC"}, switches},
	{[]string{"hostNetwork"}, switches},
	{[]string{"shareProcessNamespace"}, switches},
	{[]string{"resources"}, list{
		object{},
		object{"limits": object{}},
		object{"limits": object{"cpu": "2", "memory": "2Gi"}},
		object{"requests": object{"cpu": "500m"}},
		object{"requests": nil},
		nil,
	}},
	{[]string{"nodeSelector"}, list{object{"kubernetes.io/os": "windows"}, object{}, nil}},
	{[]string{"securityContext", "appArmorProfile"}, profiles},
	{[]string{"securityContext", "seLinuxOptions"}, seLinux},
	{[]string{"securityContext", "seccompProfile"}, profiles},
	{[]string{"securityContext", "fsGroup"}, ids},
	{[]string{"securityContext", "fsGroupChangePolicy"}, list{"Always", "OnRootMismatch", nil}},
	{[]string{"securityContext", "sysctls"}, list{
		list{},
		list{object{"name": "kernel.shm_rmid_forced", "value": "0"}},
		list{object{"name": "net.core.somaxconn", "value": "1024"}},
		nil,
	}},
	{[]string{"securityContext", "runAsUser"}, ids},
	{[]string{"securityContext", "runAsGroup"}, ids},
	{[]string{"securityContext", "runAsNonRoot"}, switches},
	{
		[]string{"securityContext", "supplementalGroups"},
		list{list{}, list{int64(0)}, list{int64(1000), int64(2000)}, nil},
	},
	{[]string{"securityContext", "supplementalGroupsPolicy"}, list{"Merge", "Strict", nil}},
	// MountOption needs a feature gate that is off by default.
	{[]string{"securityContext", "seLinuxChangePolicy"}, list{"Recursive", nil}},
}

// containerSettings are the same for a container.
var containerSettings = []setting{
	{[]string{"securityContext", "appArmorProfile"}, profiles},
	{[]string{"securityContext", "seLinuxOptions"}, seLinux},
	{[]string{"securityContext", "seccompProfile"}, profiles},
	{[]string{"securityContext", "capabilities"}, list{
		object{}, object{"add": list{}}, object{"drop": list{"ALL"}}, object{"add": list{"NET_ADMIN"}}, nil,
	}},
	{[]string{"securityContext", "readOnlyRootFilesystem"}, switches},
	{[]string{"securityContext", "privileged"}, switches},
	{[]string{"securityContext", "allowPrivilegeEscalation"}, switches},
	{[]string{"securityContext", "procMount"}, list{"Default", "Unmasked", nil}},
	{[]string{"securityContext", "runAsUser"}, ids},
	{[]string{"securityContext", "runAsGroup"}, ids},
	{[]string{"securityContext", "runAsNonRoot"}, switches},
	// The API server drops it before validation, and the empty lifecycle too.
	{[]string{"lifecycle", "stopSignal"}, list{"SIGKILL", "SIGTERM", "SIGINT", "SIGNONE", ""}},
}

// strangeOS are values of spec.os other than the two supported ones.
var strangeOS = list{
	nil,
	object{},
	object{"name": ""},
	object{"name": nil},
	object{"name": "Windows"},
	object{"name": "windows "},
	object{"name": "LINUX"},
	object{"name": "plan9"},
	object{"name": "\"windows\""},
}

// Empty values.
var (
	emptyOptions = list{object{}, nil}
	emptyLists   = list{list{}, nil}
)

// longSpecs have lengths near the limit. They cost more than the rest of a pod.
var (
	specNames = list{
		"", "gmsa", "gmsa.web-1", "GMSA", "-gmsa", "gmsa-", "gm_sa", "gmsa.", "a..b", "gmsa\n", "ä", nil,
		strings.Repeat("a", 253), strings.Repeat("a", 254), strings.Repeat("A", 254), strings.Repeat("é", 127),
	}
	specs     = list{"", "{}", " ", "{\"CmsPlugins\":[\"ActiveDirectory\"]}", nil}
	longSpecs = list{
		strings.Repeat("x", 65535), strings.Repeat("x", 65536), strings.Repeat("x", 65537),
		strings.Repeat("é", 32768), strings.Repeat("é", 32768) + "x",
	}
)

// emptyNames are names that are empty, names with an empty domain or user, and names with two backslashes.
var emptyNames = list{"", "", `d\`, `\`, `a\b\c`, `\\`, `.\ `, `d\. .`, nil}

var userNames = list{
	"ContainerAdministrator", `NT AUTHORITY\SYSTEM`, `NT AUTHORITY\Local service`, `IIS APPPOOL\web`,
	"u\x00", "u\x1f", "u\x7f", "u\u0080", "u\u0085", "u\u2028", "u\n", "\t", "d\x01\\a\\b", "\ufeffu", "😀",
	strings.Repeat("a", 300) + `\` + strings.Repeat("*", 105), strings.Repeat("d", 256) + `\`,
	strings.Repeat("d.", 128) + `d\u`,
}

// domains and users are the parts before and after the backslash. Some have the maximum length, or one character more.
var (
	domains = []string{
		"", "d", "contoso", "contoso.com", ".d", "d.", ".", "..", "d d", " ", "d_d", "-d", "d-", "a..b",
		"d/d", "d:d", "d*d", "d?d", `d"d`, "d<d", "d>d", "d|d", "d;d", "d=d", "d,d", "d+d", "d@d", "d[d]",
		strings.Repeat("d", 15), strings.Repeat("d", 16), strings.Repeat("-", 15), strings.Repeat("-", 16),
		strings.Repeat("_", 15), strings.Repeat("_", 16), strings.Repeat("é", 15), strings.Repeat("é", 16),
		strings.Repeat("d", 14) + ".", strings.Repeat("d", 15) + ".", "." + strings.Repeat("d", 14),
		"a-" + strings.Repeat("d", 14), strings.Repeat("d", 15) + "-", "-" + strings.Repeat("d", 15),
		strings.Repeat("d", 63), strings.Repeat("d", 64), strings.Repeat("d", 63) + ".com",
		"a." + strings.Repeat("d", 64),
		strings.Repeat("d.", 8) + "d", strings.Repeat("d.", 127) + "d", strings.Repeat("d.", 127) + "dd",
		strings.Repeat("d", 255), strings.Repeat("d", 256), strings.Repeat("é", 127), strings.Repeat("é", 128),
	}
	users = []string{
		"", "u", "User Name", "u.", ".u", " ", ".", "..", ". .", "u\u00a0", "\u00a0", "$u", "u'",
		`u"`, "u/", "u:", "u;", "u|", "u=", "u,", "u+", "u*", "u?", "u<", "u>", "u@", "u[", "u]",
		strings.Repeat("u", 104), strings.Repeat("u", 105), strings.Repeat("é", 52), strings.Repeat("é", 52) + "u",
		strings.Repeat(".", 104), strings.Repeat(" ", 105), strings.Repeat("*", 105), ". *",
	}
)

// nameParts are the parts of random names.
var nameParts = []string{
	"a", "Z", "9", ".", " ", "-", "_", "\\", "$", "é", "\x00", "\x1f", "\x7f", "\u0080",
	"/", ":", "*", "?", "\"", "<", ">", "|", ";", "=", ",", "+", "@", "[", "]", "'", "`", "~", "{", "}", "(", ")", "!",
	"#", "%", "^", "&",
	"contoso", "com", "ddddddd", "dddddddd", "user", strings.Repeat("x", 52), strings.Repeat("d", 62),
	strings.Repeat("y", 104), strings.Repeat("z", 255),
}
