package badinput

import (
	"maps"
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strings"
)

// bad is a bad value for an argument.
type bad struct {
	// name describes what is bad about it.
	name  string
	value reflect.Value
}

// mark is in every bad text, and after follows a character that could end the text.
const mark, after = "zq7", "zq8"

// texts are invalid values of every argument.
var texts = map[string]string{
	"empty": "", "spaces": " " + mark + " ", "huge": strings.Repeat(mark, 30_000), "upper case": "ZQ7_Z.Q7/Z",
	"single quote": mark + "'; reboot #", "double quote": mark + `"; reboot; "`, "backtick": mark + "`reboot`",
	"substitution": mark + "$(reboot)", "variable": "${" + mark + "}", "percent": mark + "%PATH%",
	"newline": mark + "\n" + after + ": reboot", "CRLF": mark + "\r\n" + after, "NUL": mark + "\x00" + after,
	"escape": mark + "\x1b[31m" + after, "tab": mark + "\t" + after, "line separator": mark + "\u2028" + after,
	"quotes of PowerShell": mark + "\u2019; reboot; \u2018", "here-string": mark + "\n'@\n" + after,
	"YAML": mark + ": {a: [b]} #", "JSON": mark + `","a":"b`, "path": "../../" + mark, "flag": "--" + mark,
	"look-alike": "\u0455y\u0455", "full width": "\uff5a\uff51\uff17", "right to left": mark + "\u202e" + after,
	"no width": mark + "\u200b" + after, "no UTF-8": mark + "\xff" + after,
}

// endings make a good text bad.
var endings = map[string]string{
	"single quote at the end": "'", "double quote at the end": `"`, "newline at the end": "\n",
	"NUL at the end": "\x00", "space at the end": " ", "substitution at the end": "$(reboot)",
	"semicolon at the end": ";reboot",
}

// lookAlikes replaces Latin letters with Cyrillic ones.
var lookAlikes = strings.NewReplacer("a", "\u0430", "c", "\u0441", "e", "\u0435", "o", "\u043e", "p", "\u0440",
	"s", "\u0455", "x", "\u0445", "i", "\u0456")

// badFor returns all bad values for an argument that has a good value.
func badFor(good reflect.Value) []bad {
	t := good.Type()
	var all []bad
	add := func(name string, value any) {
		all = append(all, bad{name, reflect.ValueOf(value).Convert(t)})
	}
	switch {
	case t == addressType:
		for _, name := range slices.Sorted(maps.Keys(addresses)) {
			add(name, netip.MustParseAddr(addresses[name]))
		}
		add("no address", netip.Addr{})
	case t == prefixType:
		for _, name := range slices.Sorted(maps.Keys(prefixes)) {
			add(name, netip.MustParsePrefix(prefixes[name]))
		}
		add("no range", netip.Prefix{})
	case good.CanFloat():
		add("not a number", math.NaN())
		add("infinite", math.Inf(1))
		add("negative", -1.0)
		add("huge", 1e300)
	case good.CanInt():
		add("negative", -1)
		add("zero", 0)
		largest := int64(1)<<(t.Bits()-1) - 1
		add("largest", largest)
		add("smallest", -largest-1)
	case good.CanUint():
		add("zero", 0)
		add("largest", uint64(1)<<(t.Bits()-1)*2-1)
	default:
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			add(name, texts[name])
		}
		text := good.String()
		for _, name := range slices.Sorted(maps.Keys(endings)) {
			add(name, text+endings[name])
		}
		if like := lookAlikes.Replace(text); like != text {
			add("look-alikes", like)
		}
	}
	return all
}

var addresses = map[string]string{
	"of version 6": "2001:db8::7", "with a zone": "fe80::7%eth0;reboot", "unspecified": "0.0.0.0",
	"broadcast": "255.255.255.255", "loopback": "127.0.0.1", "multicast": "224.0.0.7",
	"version 4 in 6": "::ffff:10.0.0.7",
}

var prefixes = map[string]string{
	"of version 6": "2001:db8::/64", "everything": "0.0.0.0/0", "one address": "10.0.0.7/32",
	"not the first address": "10.0.0.7/16", "multicast": "224.0.0.0/16", "loopback": "127.0.0.0/16",
}
