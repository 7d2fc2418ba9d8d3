package powershell

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	system         = "S-1-5-18"
	administrators = "S-1-5-32-544"
	users          = "S-1-5-32-545"
	// somebody is a user of the machine.
	somebody = "S-1-5-21-1-2-3-1001"
	// reparsePoint is the value of IO.FileAttributes.
	reparsePoint = 1024
)

// entry is a file or a directory.
type entry struct {
	dir, link bool
	owner     string
	// protected reports whether nothing is inherited, and access lists the accounts.
	protected bool
	access    []string
	content   string
}

// disk is one of Windows: entries by their paths, with backslashes.
type disk map[string]*entry

// adminEntry returns a private directory, and userEntry an entry that another user has created with the rights of the
// disk.
func adminEntry() *entry {
	return &entry{dir: true, owner: administrators, protected: true, access: []string{system, administrators}}
}
func userEntry(dir bool) *entry { return &entry{dir: dir, owner: somebody} }

func windowsPath(path any) string { return strings.ReplaceAll(path.(string), "/", `\`) }

// acl returns a descriptor of rights.
func acl(e entry) *object {
	made := &object{properties: map[string]any{"AreAccessRulesProtected": e.protected, "entry": &e}}
	made.methods = map[string]func([]any) any{
		"SetAccessRuleProtection": func(arguments []any) any {
			e.protected = arguments[0].(bool)
			return nil
		},
		"SetOwner": func(arguments []any) any { e.owner = arguments[0].(string); return nil },
		"AddAccessRule": func(arguments []any) any {
			e.access = append(e.access, arguments[0].(string))
			return nil
		},
		"GetOwner": func([]any) any { return &object{properties: map[string]any{"Value": e.owner}} },
	}
	return made
}

// give applies the rights of a descriptor, which may be nil, to an entry.
func (e *entry) give(descriptor any) {
	if made, ok := descriptor.(*object); ok {
		from := made.properties["entry"].(*entry)
		e.owner, e.protected, e.access = from.owner, from.protected, slices.Clone(from.access)
	}
}

// at fails the script where there is nothing.
func (d disk) at(path any) *entry {
	e, found := d[windowsPath(path)]
	if !found {
		panic(thrown("there is no " + windowsPath(path)))
	}
	return e
}

func (d disk) below(path any) []string {
	var found []string
	for _, at := range slices.Sorted(maps.Keys(d)) {
		if rest, ok := strings.CutPrefix(at, windowsPath(path)+`\`); ok && !strings.Contains(rest, `\`) {
			found = append(found, at)
		}
	}
	return found
}

// create creates a directory, and all that are missing above it, with the rights of a descriptor. Program Files is on
// every disk.
func (d disk) create(path string, descriptor any) {
	if d[path] != nil || strings.HasSuffix(path, ":") || path == `C:\Program Files` {
		return
	}
	d.create(path[:strings.LastIndex(path, `\`)], descriptor)
	d[path] = &entry{dir: true, owner: system}
	d[path].give(descriptor)
}

// newFile returns the constructor of FileStream: the file must not exist.
func (d disk) newFile(arguments []any) any {
	path := windowsPath(arguments[0])
	if arguments[1] != "CreateNew" || d[path] != nil {
		panic(thrown("there is a file " + path))
	}
	made := &entry{owner: system}
	made.give(arguments[6])
	d[path] = made
	return &object{methods: map[string]func([]any) any{
		"Write":   func(arguments []any) any { made.content = string(arguments[0].([]byte)); return nil },
		"Dispose": func([]any) any { return nil },
	}}
}

// on returns an interpreter for a script on a disk, as the system runs it.
func (d disk) on(t *testing.T, script string) interpreter {
	t.Helper()
	return d.with(functionsOf(t, script))
}

// with returns an interpreter for the functions of a script.
func (d disk) with(functions map[string]node) interpreter {
	exists := func(dir bool) func([]any) any {
		return func(arguments []any) any {
			e := d[windowsPath(arguments[0])]
			return e != nil && e.dir == dir
		}
	}
	get := func(arguments []any) any { return acl(*d.at(arguments[0])) }
	set := func(arguments []any) any { d.at(arguments[0]).give(arguments[1]); return nil }
	name := func(value string) func([]any) any { return func([]any) any { return value } }
	return interpreter{
		variables: map[string]any{
			"$root": `C:\mixedkube`, "$owners": []string{system, administrators}, "$users": users,
			"$env:programfiles": `C:\Program Files`, "$true": true, "$false": false, "$null": nil,
		},
		functions: functions,
		static: map[string]func([]any) any{
			"IO.File::GetAttributes": func(arguments []any) any {
				if d.at(arguments[0]).link {
					return reparsePoint
				}
				return 0
			},
			"IO.FileAttributes::ReparsePoint": func([]any) any { return reparsePoint },
			"IO.File::GetAccessControl":       get, "IO.Directory::GetAccessControl": get,
			"IO.File::SetAccessControl": set, "IO.Directory::SetAccessControl": set,
			"IO.File::Exists": exists(false), "IO.Directory::Exists": exists(true),
			"IO.File::Delete": func(arguments []any) any { delete(d, windowsPath(arguments[0])); return nil },
			"IO.Directory::CreateDirectory": func(arguments []any) any {
				d.create(windowsPath(arguments[0]), arguments[1])
				return nil
			},
			"IO.Directory::GetFileSystemEntries": func(arguments []any) any {
				return d.below(arguments[0])
			},
			"Security.AccessControl.AccessControlSections::Owner": name("Owner"),
			"Security.AccessControl.FileSystemRights::Write":      name("Write"),
			"IO.FileMode::CreateNew":                              name("CreateNew"),
			"IO.FileShare::None":                                  name("None"),
			"IO.FileOptions::None":                                name("None"),
		},
		constructors: map[string]func([]any) any{
			"Security.AccessControl.DirectorySecurity":    func([]any) any { return acl(entry{}) },
			"Security.AccessControl.FileSecurity":         func([]any) any { return acl(entry{}) },
			"Security.Principal.SecurityIdentifier":       func(arguments []any) any { return arguments[0] },
			"Security.AccessControl.FileSystemAccessRule": func(arguments []any) any { return arguments[0] },
			"IO.FileStream":     d.newFile,
			"Text.UTF8Encoding": func([]any) any { return utf8() },
		},
		commands: map[string]func(map[string]any, []any) any{
			"Split-Path": func(parameters map[string]any, _ []any) any {
				path := windowsPath(parameters["Parent"])
				if strings.HasSuffix(path, `\`) {
					return ""
				}
				above := path[:strings.LastIndex(path, `\`)]
				if strings.HasSuffix(above, ":") {
					above += `\`
				}
				return above
			},
			"Move-Item": func(parameters map[string]any, _ []any) any {
				from, to := windowsPath(parameters["LiteralPath"]), windowsPath(parameters["Destination"])
				d[to] = d.at(from)
				delete(d, from)
				return nil
			},
		},
	}
}

func utf8() *object {
	return &object{methods: map[string]func([]any) any{
		"GetBytes": func(arguments []any) any { return []byte(arguments[0].(string)) },
	}}
}

func fileObject(path, content string, secret bool) *object {
	return &object{properties: map[string]any{"path": path, "content": content, "secret": secret}}
}

func bootstrapScript(t *testing.T) string {
	t.Helper()
	return scripts(mustNodeFiles(t, network.UpstreamL3, platform.WindowsServer2022, "1.36"))["bootstrap.ps1"]
}

// New directories and files are private immediately, and so are their parent directories.
func TestDirectoriesAndFilesArePrivate(t *testing.T) {
	d := disk{}
	script := d.on(t, bootstrap.WindowsScript(nil))
	for _, call := range []func() (any, string){
		func() (any, string) { return script.run("Protect-Root") },
		func() (any, string) {
			return script.run("Save-NodeFile", fileObject("C:/etc/cni/net.d/x.conflist", "{}", false))
		},
		func() (any, string) {
			return script.run("Save-NodeFile", fileObject("C:/mixedkube/kubeadm/join.yaml", "token", true))
		},
		func() (any, string) {
			return script.run("Save-NodeFile", fileObject("C:/Program Files/containerd/config.toml", "x", false))
		},
	} {
		if _, failure := call(); failure != "" {
			t.Fatal(failure)
		}
	}
	want := disk{
		`C:\mixedkube`: adminEntry(), `C:\mixedkube\kubeadm`: adminEntry(),
		`C:\etc`: adminEntry(), `C:\etc\cni`: adminEntry(),
		`C:\etc\cni\net.d`: adminEntry(), `C:\Program Files\containerd`: adminEntry(),
		`C:\etc\cni\net.d\x.conflist`:             {owner: system, content: "{}"},
		`C:\Program Files\containerd\config.toml`: {owner: system, content: "x"},
		`C:\mixedkube\kubeadm\join.yaml`: {
			owner: administrators, protected: true, access: []string{system, administrators}, content: "token",
		},
	}
	if diff := cmp.Diff(want, d, cmp.AllowUnexported(entry{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A user of the machine who was faster does not have directories of the node, and nothing in them.
func TestDirectoriesOfOthersAreRefused(t *testing.T) {
	open := func() *entry { return &entry{dir: true, owner: administrators} }
	link := func() *entry { return &entry{dir: true, link: true, owner: administrators} }
	const belongs = " belongs to " + somebody + ", neither to the system nor to the administrators: remove it"
	protect := func(i interpreter) (any, string) { return i.run("Protect-Root") }
	save := func(i interpreter) (any, string) {
		return i.run("Save-NodeFile", fileObject("C:/etc/cni/net.d/x.conflist", "{}", false))
	}
	dir := func(i interpreter) (any, string) { return i.run("Protect-Directory", `C:\mixedkube`, false) }
	for name, c := range map[string]struct {
		disk disk
		call func(interpreter) (any, string)
		want string
	}{
		"the directory":        {disk{`C:\mixedkube`: userEntry(true)}, protect, `C:\mixedkube` + belongs},
		"a link":               {disk{`C:\mixedkube`: link()}, protect, `C:\mixedkube leads elsewhere: remove it`},
		"a file instead of it": {disk{`C:\mixedkube`: userEntry(false)}, protect, `C:\mixedkube` + belongs},
		"a file in it": {
			disk{`C:\mixedkube`: open(), `C:\mixedkube\bootstrap.ps1.new`: userEntry(false)},
			protect,
			`C:\mixedkube\bootstrap.ps1.new` + belongs,
		},
		"a file below it": {
			disk{`C:\mixedkube`: open(), `C:\mixedkube\a`: open(), `C:\mixedkube\a\b`: userEntry(false)},
			protect,
			`C:\mixedkube\a\b` + belongs,
		},
		"a link in it": {
			disk{`C:\mixedkube`: open(), `C:\mixedkube\kubeadm`: link()},
			protect,
			`C:\mixedkube\kubeadm leads elsewhere: remove it`,
		},
		"a directory above": {disk{`C:\etc`: userEntry(true)}, save, `C:\etc` + belongs},
		"a link above": {
			disk{`C:\etc`: adminEntry(), `C:\etc\cni`: link()},
			save,
			`C:\etc\cni leads elsewhere: remove it`,
		},
		"the bootstrap's":      {disk{`C:\mixedkube`: userEntry(true)}, dir, `C:\mixedkube` + belongs},
		"the bootstrap's link": {disk{`C:\mixedkube`: link()}, dir, `C:\mixedkube leads elsewhere: remove it`},
		"in the bootstrap's": {
			disk{`C:\mixedkube`: open(), `C:\mixedkube\kubelet.exe`: userEntry(false)},
			dir,
			`C:\mixedkube\kubelet.exe` + belongs,
		},
		"one of the administrators": {disk{`C:\mixedkube`: open(), `C:\mixedkube\x`: open()}, protect, ""},
		"the bootstrap's own again": {
			disk{`C:\mixedkube`: adminEntry(), `C:\mixedkube\x`: userEntry(false)},
			dir, "",
		},
		"a directory of the system's": {disk{`C:\mixedkube`: {dir: true, owner: system}}, dir, ""},
	} {
		t.Run(name, func(t *testing.T) {
			script := bootstrap.WindowsScript(nil)
			if strings.Contains(name, "bootstrap's") || c.want == "" && strings.Contains(name, "system's") {
				script = bootstrapScript(t)
			}
			_, failure := c.call(c.disk.on(t, script))
			if failure != c.want {
				t.Errorf("%q, want %q", failure, c.want)
			}
			if root := c.disk[`C:\mixedkube`]; c.want == "" &&
				(!root.protected || root.owner != administrators || !slices.Equal(root.access, adminEntry().access)) {
				t.Errorf("the directory is %+v", root)
			}
		})
	}
}

// An existing file is not overwritten: another process may have it open.
func TestExistingFilesAreNotOverwritten(t *testing.T) {
	before := userEntry(false)
	d := disk{`C:\mixedkube`: adminEntry(), `C:\mixedkube\a.new`: before}
	if _, failure := d.on(t, bootstrap.WindowsScript(nil)).run("Save-NodeFile",
		fileObject("C:/mixedkube/a", "token", true)); failure != "" {
		t.Fatal(failure)
	}
	if before.content != "" || d[`C:\mixedkube\a`].content != "token" || d[`C:\mixedkube\a`].owner != administrators {
		t.Errorf("the file of before has %q, the new one is %+v", before.content, d[`C:\mixedkube\a`])
	}
}

// Windows saves the custom data, which has the key, where users may be able to read it.
func TestCustomDataIsProtected(t *testing.T) {
	const path = `C:\AzureData\CustomData.bin`
	d := disk{path: {owner: system}}
	script := d.on(t, bootstrap.WindowsScript(nil))
	script.variables["$customdata"] = path
	if _, failure := script.run("Protect-CustomData"); failure != "" {
		t.Fatal(failure)
	}
	want := &entry{owner: administrators, protected: true, access: []string{system, administrators}}
	if diff := cmp.Diff(want, d[path], cmp.AllowUnexported(entry{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Readable directories are readable only for the users.
func TestDirectoriesThatUsersRead(t *testing.T) {
	d := disk{`C:\etc`: adminEntry()}
	if _, failure := d.on(t, bootstrapScript(t)).run("Protect-Directory", `C:\etc`, true); failure != "" {
		t.Fatal(failure)
	}
	if want := []string{system, administrators, users}; !slices.Equal(d[`C:\etc`].access, want) {
		t.Errorf("access for %q, want %q", d[`C:\etc`].access, want)
	}
}

// A lock is a file in the node's own directory. A named lock could be held by every user.
func TestLockCannotBeHeldByOtherUsers(t *testing.T) {
	files := mustNodeFiles(t, network.UpstreamL3, platform.WindowsServer2022, "1.36")
	opened := 0
	for name, script := range scripts(files) {
		if strings.Contains(script, "Threading.") || strings.Contains(script, `Global\`) {
			t.Errorf("%s has a lock with a name", name)
		}
		parse(t, script).Tree.each(func(n node) {
			if n.Type != "function_statement" || n.Children[1].source() != "Open-Lock" {
				return
			}
			opened++
			want := "[IO.File]::Open($LockFile,[IO.FileMode]::OpenOrCreate,[IO.FileAccess]::ReadWrite," +
				"[IO.FileShare]::None)"
			if got := strings.ReplaceAll(n.source(), " ", ""); !strings.Contains(got, want) {
				t.Errorf("%s: the lock is %s", name, got)
			}
		})
		if name == "common.ps1" && !strings.Contains(script, "$LockFile = Join-Path $Root 'lock'") {
			t.Errorf("%s: the lock is elsewhere", name)
		}
	}
	if opened != 1 {
		t.Errorf("%d functions open the lock", opened)
	}
}
