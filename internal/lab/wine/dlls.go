package wine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// dll is a DLL that Wine lacks, or that lacks functions that Go programs need.
type dll struct {
	name string
	// exports are the names of functions, and where they lead: a function of another DLL,
	// or a label of the assembly.
	exports []string
	// assembly is code for amd64, in the syntax of GNU as. It may be empty.
	assembly string
}

// dlls are the DLLs that are added.
//
// ProcessPrng is where Go's runtime gets its random numbers from since Go 1.22; Wine has it
// since 9.0. SystemFunction036 is RtlGenRandom, with the same arguments
// (https://learn.microsoft.com/en-us/windows/win32/seccng/processprng,
// https://learn.microsoft.com/en-us/windows/win32/api/ntsecapi/nf-ntsecapi-rtlgenrandom).
//
// The kubelet does not start without certain performance counters, and Wine has only two others. Here
// every counter can be added and none has a value: the kubelet logs that, and has no usage to report.
var dlls = []dll{
	{name: "bcryptprimitives", exports: []string{"ProcessPrng = advapi32.SystemFunction036"}},
	{
		name: "pdh",
		exports: []string{
			"PdhAddCounterW = success", "PdhAddEnglishCounterW = success", "PdhCloseQuery = success",
			"PdhCollectQueryData = success", "PdhGetFormattedCounterArrayW = success",
			"PdhGetFormattedCounterValue = success", "PdhOpenQuery = success", "PdhValidatePathW = success",
		},
		assembly: "\t.globl success\nsuccess:\n\txorl %eax, %eax\n\tret\n",
	},
}

// definition returns the module-definition file of a DLL
// (https://learn.microsoft.com/en-us/cpp/build/reference/module-definition-dot-def-files).
func (d dll) definition() string {
	return "LIBRARY " + d.name + ".dll\nEXPORTS\n  " + strings.Join(d.exports, "\n  ") + "\n"
}

// build links the DLL into the directory system32, with the binutils in root.
func (d dll) build(ctx context.Context, root, system32 string) error {
	scratch, err := os.MkdirTemp(filepath.Dir(root), "dll-")
	if err != nil {
		return err
	}
	source, object := filepath.Join(scratch, "a.s"), filepath.Join(scratch, "a.o")
	definition := filepath.Join(scratch, "a.def")
	if err := os.WriteFile(source, []byte(d.assembly), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(definition, []byte(d.definition()), 0o600); err != nil {
		return err
	}
	binutils := filepath.Join(root, "usr", "bin", "x86_64-w64-mingw32-")
	if err := run(ctx, scratch, nil, binutils+"as", "-o", object, source); err != nil {
		return err
	}
	target := filepath.Join(system32, d.name+".dll")
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if err := run(ctx, scratch, nil, binutils+"ld", "-shared", "--entry", "0", "-o", target, object,
		definition); err != nil {
		return err
	}
	return os.RemoveAll(scratch)
}

// overrides makes Wine load these DLLs rather than its own, and neither Mono nor Gecko, which it
// would offer to download.
func overrides() string {
	parts := []string{"mscoree=", "mshtml="}
	for _, d := range dlls {
		parts = append(parts, d.name+"=n")
	}
	return strings.Join(parts, ";")
}
