package bootstrap

import (
	"encoding/binary"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/bootstrap/network"
)

// dropRule is a rule that nft takes, and nothing else.
var dropRule = regexp.MustCompile(
	`^\t\tip daddr (\d{1,3}\.){3}\d{1,3}/\d{1,2}( tcp dport \{ [1-9]\d{0,4}(, [1-9]\d{0,4})* \})? drop\n$`)

// FuzzBlockedEgress checks that each valid destination causes one rule, and that nothing else
// depends on the destinations.
func FuzzBlockedEgress(f *testing.F) {
	f.Add([]byte{168, 63, 129, 16}, 32, []byte{0, 80, 127, 14}, []byte{169, 254, 169, 254}, 32, []byte(nil))
	f.Add([]byte{0, 0, 0, 0}, 0, []byte{0, 0}, []byte{10, 96, 0, 10}, 32, []byte{0, 53})
	f.Add([]byte{203, 0, 113, 7}, 24, []byte{255, 255}, []byte{203, 0, 113, 0}, 24, []byte{0, 1, 0, 1})
	f.Add(make([]byte, 16), 128, []byte(nil), []byte{1}, -1, []byte{1})
	f.Fuzz(func(
		t *testing.T, first []byte, firstBits int, firstPorts, second []byte, secondBits int, secondPorts []byte,
	) {
		n := network.Network{
			NodeCIDR: netip.MustParsePrefix("10.0.0.0/24"),
			BlockedEgress: []network.Destination{
				destination(first, firstBits, firstPorts), destination(second, secondBits, secondPorts),
			},
		}
		if len(n.Validate(field.NewPath("network"))) > 0 {
			return
		}
		open := n
		open.BlockedEgress = nil
		template, _, _ := strings.Cut(egressRules(open.WithDefaults()), "\tchain forward")
		all := egressRules(n.WithDefaults())
		rules, rest, found := strings.Cut(all, "\t}\n\tchain forward")
		rules, ok := strings.CutPrefix(rules, strings.TrimSuffix(template, "\t}\n"))
		if !found || !ok || !strings.HasPrefix(rest, " {\n") {
			t.Fatalf("the rest has changed:\n%s", all)
		}
		lines := strings.SplitAfter(strings.TrimSuffix(rules, "\n")+"\n", "\n")
		lines = lines[:len(lines)-1]
		if len(lines) != len(n.BlockedEgress) {
			t.Fatalf("%d rules for %d destinations:\n%s", len(lines), len(n.BlockedEgress), rules)
		}
		for i, line := range lines {
			d := n.BlockedEgress[i]
			if !dropRule.MatchString(line) || !strings.Contains(line, "daddr "+d.CIDR.String()+" ") ||
				strings.Contains(line, "dport") != (len(d.TCPPorts) > 0) {
				t.Errorf("%+v became %q", d, line)
			}
		}
	})
}

// destination is one of any bytes.
func destination(address []byte, bits int, ports []byte) network.Destination {
	a, _ := netip.AddrFromSlice(address)
	d := network.Destination{CIDR: netip.PrefixFrom(a, bits)}
	for ; len(ports) >= 2; ports = ports[2:] {
		d.TCPPorts = append(d.TCPPorts, int(binary.BigEndian.Uint16(ports)))
	}
	return d
}
