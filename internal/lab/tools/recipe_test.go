package tools

import (
	"testing"
	"testing/fstest"
)

func TestKeyChangesWithEachInputOfABinary(t *testing.T) {
	t.Parallel()
	dir := func(change func(fstest.MapFS)) fstest.MapFS {
		files := fstest.MapFS{
			"hello/go.mod":  {Data: []byte("module m\n")},
			"hello/go.sum":  {Data: []byte("sum\n")},
			"hello/main.go": {Data: []byte("package main\n")},
			"shared.work":   {Data: []byte("go 1.26\n\nuse ./other\n")},
			"other/go.mod":  {Data: []byte("module other\n")},
		}
		change(files)
		return files
	}
	same := func(fstest.MapFS) {}
	hello := fakeTable()[0]
	key := func(t2 tool, version, goos, goarch string, files fstest.MapFS) string {
		t.Helper()
		key, err := t2.recipeKey(version, platform{goos, goarch}, false, files)
		if err != nil || len(key) != 12 {
			t.Fatalf("%q, %v", key, err)
		}
		return key
	}
	base := key(hello, "v1.2.3", "linux", "amd64", dir(same))
	if again := key(hello, "v1.2.3", "linux", "amd64", dir(same)); again != base {
		t.Errorf("the same recipe: %s and %s", base, again)
	}
	if other := key(hello, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
		files["other/go.mod"].Data = []byte("module n\n")
		files["shared.work"].Data = []byte("go 1.26\n")
		files["hello/README.md"] = &fstest.MapFile{Data: []byte("words")}
	})); other != base {
		t.Error("a file that is not built changes the key")
	}

	otherModule := hello
	otherModule.modfile = "v1.mod"
	if key(otherModule, "v1.2.3", "linux", "amd64", dir(same)) != key(otherModule, "v1.2.3", "linux", "amd64",
		dir(func(files fstest.MapFS) {
			files["hello/go.mod"].Data = []byte("module n\n")
			files["hello/go.sum"].Data = nil
		})) {
		t.Error("a go.mod that the build does not use changes the key")
	}

	otherPackage, otherEmbed, otherSiblings, otherStamp, shared := hello, hello, hello, hello, hello
	shared.shared = true
	otherPackage.pkg = "./cmd"
	otherEmbed.embed.module = "example.com/pinned"
	otherSiblings.siblings.module = "example.com/pinned"
	otherStamp.stamp = nil
	keys := map[string]string{base: "nothing"}
	for what, changed := range map[string]string{
		"version": key(hello, "v1.2.4", "linux", "amd64", dir(same)),
		"GOOS":    key(hello, "v1.2.3", "darwin", "amd64", dir(same)),
		"GOARCH":  key(hello, "v1.2.3", "linux", "arm64", dir(same)),
		"package": key(otherPackage, "v1.2.3", "linux", "amd64", dir(same)),
		"embed":   key(otherEmbed, "v1.2.3", "linux", "amd64", dir(same)),
		"beside":  key(otherSiblings, "v1.2.3", "linux", "amd64", dir(same)),
		"flags":   key(otherStamp, "v1.2.3", "linux", "amd64", dir(same)),
		"go.mod": key(hello, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["hello/go.mod"].Data = []byte("module n\n")
		})),
		"go.sum": key(hello, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["hello/go.sum"].Data = nil
		})),
		"main.go": key(hello, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["hello/main.go"].Data = []byte("package main // changed\n")
		})),
		"module file": key(otherModule, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["hello/v1.mod"] = &fstest.MapFile{Data: []byte("module n\n")}
		})),
		"module file's sums": key(otherModule, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["hello/v1.sum"] = &fstest.MapFile{Data: []byte("sum\n")}
		})),
		"graph": key(shared, "v1.2.3", "linux", "amd64", dir(same)),
		"a module of the workspace": key(shared, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["other/go.mod"].Data = []byte("module n\n")
		})),
		"the workspace's sums": key(shared, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["shared.work.sum"] = &fstest.MapFile{Data: []byte("sum\n")}
		})),
		"a module in the directory": key(hello, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["hello/stub/stub.go"] = &fstest.MapFile{Data: []byte("package stub\n")}
		})),
		"the compiler's flags": key(hello, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["goflags"] = &fstest.MapFile{Data: []byte("-x\n")}
		})),
		"a file more": key(hello, "v1.2.3", "linux", "amd64", dir(func(files fstest.MapFS) {
			files["hello/more.go"] = &fstest.MapFile{Data: []byte("package main\n")}
		})),
	} {
		if as, taken := keys[changed]; taken {
			t.Errorf("changed %s: the same key as with %s changed", what, as)
		}
		keys[changed] = what
	}
}
