package bootstrap

import (
	"encoding/binary"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// dropRule is a rule that nft takes, and nothing else.
var dropRule = regexp.MustCompile(
	`^\t\tip daddr (\d{1,3}\.){3}\d{1,3}/\d{1,2}( tcp dport \{ [1-9]\d{0,4}(, [1-9]\d{0,4})* \})? drop\n$`)

// forgedRule is a rule that drops packets from a range which do not come from there.
var forgedRule = regexp.MustCompile(
	`^\t\tip saddr (\d{1,3}\.){3}\d{1,3}/\d{1,2} fib saddr \. iif oif missing drop\n$`)

// FuzzBlockedEgress checks that each valid destination causes one rule for packets to it and one
// for packets from it, and that nothing else depends on the destinations.
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
		without := strings.SplitAfter(egressRules(open.WithDefaults()), "\n")
		var forged, blocked []string
		rest := slices.DeleteFunc(strings.SplitAfter(egressRules(n.WithDefaults()), "\n"), func(line string) bool {
			switch {
			case slices.Contains(without, line):
				return false
			case forgedRule.MatchString(line):
				forged = append(forged, line)
			case dropRule.MatchString(line):
				blocked = append(blocked, line)
			default:
				t.Fatalf("a new line is %q", line)
			}
			return true
		})
		if !slices.Equal(rest, without) {
			t.Fatalf("the rest has changed:\n%s", strings.Join(rest, ""))
		}
		if len(forged) != len(n.BlockedEgress) || len(blocked) != len(n.BlockedEgress) {
			t.Fatalf("%d and %d rules for %d destinations", len(forged), len(blocked), len(n.BlockedEgress))
		}
		for i, d := range n.BlockedEgress {
			if !strings.Contains(forged[i], "saddr "+d.CIDR.String()+" ") {
				t.Errorf("%+v became %q", d, forged[i])
			}
			if !strings.Contains(blocked[i], "daddr "+d.CIDR.String()+" ") ||
				strings.Contains(blocked[i], "dport") != (len(d.TCPPorts) > 0) {
				t.Errorf("%+v became %q", d, blocked[i])
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
