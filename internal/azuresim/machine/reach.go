package machine

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// text is one that is reached. Its name is for people; its path is empty where it is no
// file.
type text struct {
	name, path, content string
	// program says that it is run, not only read.
	program bool
}

// file is one on the disk.
type file struct {
	path, content string
	reached       bool
}

// disk is what a machine has of files, and what of it is reached.
type disk struct {
	windows bool
	files   map[string]*file
	reached []text
	// known are the contents that are reached: nothing is followed twice.
	known map[string]bool
	// unpacked is how many of the reached ones are unpacked.
	unpacked int
	// room is how much more is taken: what unpacks to ever more ends.
	room int
}

const mostContent = 64 << 20

func newDisk(windows bool) *disk {
	return &disk{windows: windows, files: map[string]*file{}, known: map[string]bool{}, room: mostContent}
}

// pathKey is the same for all spellings of a path.
func (d *disk) pathKey(p string) string {
	if d.windows {
		p = strings.ToLower(strings.ReplaceAll(p, `\`, "/"))
	}
	return path.Clean(p)
}

// addFile writes a file: the last one counts.
func (d *disk) addFile(p, content string) {
	if d.room -= len(content); d.room < 0 {
		return
	}
	d.files[d.pathKey(p)] = &file{path: p, content: content}
}

func (d *disk) reach(t text) {
	key := t.path + "\x00" + t.content
	if d.known[key] {
		return
	}
	if d.room -= len(t.content); d.room < 0 {
		return
	}
	d.known[key] = true
	d.reached = append(d.reached, t)
}

// tableLine is a line of a table of files: mode, path and content, the last two in
// base64. The content may be empty.
var tableLine = regexp.MustCompile(`^0?[0-7]{3}[ \t]+([A-Za-z0-9+/]+=*)(?:[ \t]+([A-Za-z0-9+/]+=*))?$`)

// addTable says whether a text is a table of files, and writes them.
func (d *disk) addTable(content string) bool {
	files := [][2]string{}
	for line := range strings.Lines(content) {
		columns := tableLine.FindStringSubmatch(strings.TrimSpace(line))
		if columns == nil {
			return false
		}
		where, ok := decodeBase64(columns[1])
		if !ok || !isAbsolute(string(where)) {
			return false
		}
		data, _ := decodeBase64(columns[2])
		files = append(files, [2]string{string(where), string(data)})
	}
	for _, f := range files {
		d.addFile(f[0], f[1])
	}
	return len(files) > 0
}

// addFiles says whether a text is JSON or a table, and writes the files in it.
func (d *disk) addFiles(content string) bool {
	if d.addTable(content) {
		return true
	}
	var value any
	trimmed := strings.TrimSpace(content)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") ||
		json.Unmarshal([]byte(trimmed), &value) != nil {
		return false
	}
	d.addValue(value)
	return true
}

func (d *disk) addValue(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			d.addValue(item)
		}
	case map[string]any:
		where, isPath := v["path"].(string)
		content, hasContent := v["content"].(string)
		if isPath && hasContent && where != "" {
			d.addFile(where, content)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			d.addValue(v[key])
		}
	}
}

// follow goes from what is run to what that carries and names.
func (d *disk) follow() {
	for {
		for ; d.unpacked < len(d.reached); d.unpacked++ {
			if t := d.reached[d.unpacked]; t.program {
				d.unpack(t)
			}
		}
		before := len(d.reached)
		d.findNamed()
		if len(d.reached) == before {
			return
		}
	}
}

func (d *disk) unpack(t text) {
	for _, carried := range carriedTexts(t.content) {
		if d.addFiles(carried) {
			continue
		}
		d.reach(text{name: "a text that " + t.name + " carries", content: carried, program: !isConfiguration(carried)})
	}
}

// findNamed reaches the files that reached texts name.
func (d *disk) findNamed() {
	texts := make([]string, len(d.reached))
	for i, t := range d.reached {
		texts[i] = d.searchable(t)
	}
	for _, key := range slices.Sorted(maps.Keys(d.files)) {
		f := d.files[key]
		if f.reached || !slices.ContainsFunc(texts, func(t string) bool { return names(t, key) }) {
			continue
		}
		f.reached = true
		d.reach(text{name: f.path, path: key, content: f.content, program: isProgram(key, f.content)})
	}
}

// searchable is a text with paths as pathKey has them. JSON writes a backslash twice.
func (d *disk) searchable(t text) string {
	s := t.content
	if t.program {
		s = withoutComments(s)
	}
	if d.windows {
		s = strings.ToLower(strings.NewReplacer(`\\`, "/", `\`, "/").Replace(s))
	}
	return s
}

// names says whether a text has a path, or the end of it, or only its last name. A unit
// of systemd may be named without its suffix.
func names(s, p string) bool {
	if hasName(s, p, path.Base(p)) {
		return true
	}
	unit, isService := strings.CutSuffix(path.Base(p), ".service")
	if !isService {
		return false
	}
	for line := range strings.Lines(s) {
		if strings.Contains(line, "systemctl") && hasName(line, unit, unit) {
			return true
		}
	}
	return false
}

func hasName(s, p, base string) bool {
	for from := 0; base != "" && from < len(s); {
		at := strings.Index(s[from:], base)
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		if endsName(s[at+len(base):]) && beginsName(s[:at], p, base) {
			return true
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// endsName looks at what follows a name: the dot of a sentence may.
func endsName(rest string) bool {
	rest = strings.TrimPrefix(rest, ".")
	return rest == "" || !isNameByte(rest[0])
}

// beginsName looks at what is before a name. A whole path has to be the right one.
func beginsName(before, p, base string) bool {
	if before == "" {
		return true
	}
	if last := before[len(before)-1]; last == '.' || isNameByte(last) {
		return false
	}
	start := len(before)
	for start > 0 && (isNameByte(before[start-1]) || strings.IndexByte("./:+", before[start-1]) >= 0) {
		start--
	}
	folders := before[start:]
	if !isAbsolute(folders) {
		return true
	}
	return strings.HasSuffix(p, folders+base)
}

var drive = regexp.MustCompile(`^[A-Za-z]:/`)

func isAbsolute(p string) bool { return strings.HasPrefix(p, "/") || drive.MatchString(p) }

var programSuffixes = []string{".sh", ".bash", ".ps1", ".psm1", ".cmd", ".bat", ".py", ".service", ".path", ".timer"}

func isProgram(p, content string) bool {
	return slices.Contains(programSuffixes, path.Ext(p)) || strings.HasPrefix(content, "#!")
}

// keyFiles are those of kubeadm's certificate authorities and service accounts.
var keyFiles = []string{
	"ca.crt", "ca.key", "front-proxy-ca.crt", "front-proxy-ca.key", "etcd/ca.crt", "etcd/ca.key", "sa.pub", "sa.key",
}

// kubeadmKeys is where kubeadm looks for keys.
const kubeadmKeys = "/etc/kubernetes/pki"

// keys are those that kubeadm finds, or that a program which is run brings there.
func (d *disk) keys() map[string]string {
	keys := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(d.files)) {
		folder, name, found := cutLast(key, "/pki/")
		if !found || !slices.Contains(keyFiles, name) {
			continue
		}
		folder += "/pki"
		inPlace := strings.TrimPrefix(folder, "c:") == kubeadmKeys
		if inPlace || d.files[key].reached || d.programNames(folder) {
			if _, known := keys[name]; inPlace || !known {
				keys[name] = d.files[key].content
			}
		}
	}
	return keys
}

func (d *disk) programNames(folder string) bool {
	return slices.ContainsFunc(d.reached, func(t text) bool { return t.program && names(d.searchable(t), folder) })
}

func cutLast(s, sep string) (before, after string, found bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}
