package machine

import (
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	kubeletUnit    = "/etc/systemd/system/kubelet.service"
	kubeletDropIns = kubeletUnit + ".d/"
	unitDir        = "/etc/systemd/system/"
)

var (
	nftFile      = regexp.MustCompile(`(?m)^ExecStart(?:Pre)?=\S*/nft --file (/\S+)$`)
	requiredUnit = regexp.MustCompile(`(?m)^Requires=(.+)$`)
)

// nftLetsThrough applies each nft file that is loaded before the kubelet runs.
func (f files) nftLetsThrough(to netip.AddrPort) (bool, error) {
	for _, path := range f.nftFiles() {
		loaded, exists := f[path]
		if !exists {
			return false, fmt.Errorf("%s: the kubelet needs it, but customData does not bring it", path)
		}
		rules, err := readNFT(loaded.content)
		if err == nil {
			var through bool
			if through, err = rules.forwards(to); err == nil && !through {
				return false, nil
			}
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", path, err)
		}
	}
	return true, nil
}

// nftFiles returns the files that the kubelet's unit loads, or a unit that it requires.
func (f files) nftFiles() []string {
	var paths []string
	find := func(unit string) {
		for _, found := range nftFile.FindAllStringSubmatch(unit, -1) {
			if !slices.Contains(paths, found[1]) {
				paths = append(paths, found[1])
			}
		}
	}
	for path, unit := range f {
		if path != kubeletUnit && !strings.HasPrefix(path, kubeletDropIns) {
			continue
		}
		find(unit.content)
		for _, required := range requiredUnit.FindAllStringSubmatch(unit.content, -1) {
			for name := range strings.FieldsSeq(required[1]) {
				find(f[unitDir+name].content)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// nftChain is a chain. It has a hook if packets enter it without a jump.
type nftChain struct {
	hook string
	// policy is the verdict for a packet that matches no rule.
	policy string
	rules  []string
}

// nftRules are the chains of a table by their names.
type nftRules map[string]*nftChain

var (
	nftTable = regexp.MustCompile(`^(?:(delete) )?table (?:ip|inet) (\w+)( \{)?$`)
	nftBegin = regexp.MustCompile(`^chain (\w+) \{$`)
	nftHook  = regexp.MustCompile(`^type (?:filter|nat) hook (\w+) priority [^;]+;(?: policy (accept|drop);)?$`)
	nftMatch = regexp.MustCompile(`^ip daddr (\S+)(?: (tcp|udp) dport (\d+|\{[^}]*\}))? (drop|accept)$`)
	nftJump  = regexp.MustCompile(`^jump (\w+)$`)
)

// readNFT reads a file with one table of chains, each on lines of its own.
func readNFT(text string) (nftRules, error) {
	rules, table := nftRules{}, false
	var chain *nftChain
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		hook := nftHook.FindStringSubmatch(line)
		switch {
		case chain != nil && line == "}":
			chain = nil
		case chain != nil && hook != nil:
			chain.hook, chain.policy = hook[1], hook[2]
		case chain != nil:
			chain.rules = append(chain.rules, line)
		case table && line == "}":
			table = false
		case table && nftBegin.MatchString(line):
			chain = &nftChain{}
			rules[nftBegin.FindStringSubmatch(line)[1]] = chain
		case !table && nftTable.MatchString(line):
			table = strings.HasSuffix(line, "{")
		default:
			return nil, fmt.Errorf("line %d is not understood: it is read as a table with chains", number)
		}
	}
	return rules, nil
}

// forwards reports whether a packet of a pod passes all chains of the hook forward.
func (r nftRules) forwards(to netip.AddrPort) (bool, error) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		chain := r[name]
		if chain.hook != "forward" {
			continue
		}
		verdict, err := r.verdict(chain, to, 0)
		if err != nil {
			return false, err
		}
		if verdict == "" {
			verdict = chain.policy
		}
		if verdict == "drop" {
			return false, nil
		}
	}
	return true, nil
}

// nftAnswers is a rule that accepts answers. It does not match connections that the pod opens.
const nftAnswers = "ct direction reply accept"

// mostJumps is nft's own limit.
const mostJumps = 16

// verdict returns the verdict of the first rule that has one for the packet, empty if none has.
func (r nftRules) verdict(chain *nftChain, to netip.AddrPort, depth int) (string, error) {
	for _, rule := range chain.rules {
		if jump := nftJump.FindStringSubmatch(rule); jump != nil {
			next := r[jump[1]]
			if next == nil || depth == mostJumps {
				return "", fmt.Errorf("the rule %q leads nowhere", rule)
			}
			if verdict, err := r.verdict(next, to, depth+1); err != nil || verdict != "" {
				return verdict, err
			}
			continue
		}
		if rule == nftAnswers {
			continue
		}
		match := nftMatch.FindStringSubmatch(rule)
		if match == nil {
			return "", fmt.Errorf("the rule %q is not understood: it is read as ip daddr, tcp dport or udp dport, "+
				"and a verdict", rule)
		}
		destination, err := prefixOf(match[1])
		if err != nil {
			return "", fmt.Errorf("the rule %q is not understood: %w", rule, err)
		}
		if destination.Contains(to.Addr()) && (match[2] == "" || match[2] == "tcp" && hasPort(match[3], to.Port())) {
			return match[4], nil
		}
	}
	return "", nil
}

// prefixOf parses a range, or a single address.
func prefixOf(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		return netip.ParsePrefix(text)
	}
	address, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	return netip.PrefixFrom(address, address.BitLen()), nil
}

// hasPort reports whether a port is in a list "80" or "{ 80, 32526 }".
func hasPort(list string, port uint16) bool {
	for text := range strings.SplitSeq(strings.Trim(list, "{} "), ",") {
		if strings.TrimSpace(text) == strconv.Itoa(int(port)) {
			return true
		}
	}
	return false
}
