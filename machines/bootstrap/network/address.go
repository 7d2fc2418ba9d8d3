package network

import (
	"encoding/binary"
	"net/netip"
)

// The functions below are for IPv4 only, and for prefixes without host bits.

func isIPv4(p netip.Prefix) bool { return p.IsValid() && p.Addr().Is4() }

// number returns an address as a number.
func number(a netip.Addr) uint32 {
	b := a.As4()
	return binary.BigEndian.Uint32(b[:])
}

func address(n uint32) netip.Addr {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	return netip.AddrFrom4(b)
}

// size returns how many addresses a prefix with a length has.
func size(bits int) uint64 { return 1 << (32 - bits) }

// nth returns an address of a range, counted from 0.
func nth(p netip.Prefix, n uint32) netip.Addr { return address(number(p.Masked().Addr()) + n) }

// last returns the last address of a range, its broadcast address.
func last(p netip.Prefix) netip.Addr { return nth(p, uint32(size(p.Bits())-1)) }

// offset returns the number of an address in a range, counted from 0.
func offset(p netip.Prefix, a netip.Addr) uint32 { return number(a) - number(p.Masked().Addr()) }

// parts returns how many prefixes with a length a range has.
func parts(p netip.Prefix, bits int) uint64 { return 1 << (bits - p.Bits()) }

// part returns a prefix with a length in a range, counted from 0.
func part(p netip.Prefix, bits int, n uint32) netip.Prefix {
	return netip.PrefixFrom(nth(p, n<<(32-bits)), bits)
}
