package machine

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/internal/testkit/payload"
)

// Paths of machines/bootstrap's files that are read here.
const (
	linuxService = "/etc/systemd/system/mixedkube-bootstrap.service"
	linuxRole    = "/etc/mixedkube/role"
	linuxConfig  = "/etc/mixedkube/kubeadm/config.yaml"
	linuxKeys    = "/etc/mixedkube/pki/"

	linuxPayloadKey   = "/etc/mixedkube/payload.key"
	windowsPayloadKey = "C:/mixedkube/payload.key"

	windowsProgram = "C:/mixedkube/bootstrap.ps1"
	windowsConfig  = "C:/mixedkube/kubeadm/join.yaml"
)

// CheckCustomData returns an error that names the part of a machine's customData that is not understood.
func CheckCustomData(windows bool, data []byte) error {
	_, err := readCustomData(windows, data)
	return err
}

// readCustomData returns nil if there is no customData.
func readCustomData(windows bool, data []byte) (files, error) {
	switch {
	case len(data) == 0:
		return nil, nil
	case windows:
		return readWindowsScript(string(data))
	default:
		return readCloudConfig(string(data))
	}
}

// Boot returns the bootstrap that kubeadm runs when a machine boots: nil if nothing on it runs kubeadm, or if the
// configuration for kubeadm is still missing. The error names what is not understood, or why the machine cannot run
// kubeadm. It contains no secrets.
func Boot(m Machine) (*Bootstrap, error) {
	do := m.bootLinux
	if m.Windows {
		do = m.bootWindows
	}
	disk, role, err := do()
	if err != nil || role == "" {
		return nil, err
	}
	config, path, err := readConfiguration(disk, role)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b, err := config.bootstrap(m, disk)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b.Keys = disk.keysIn(linuxKeys)
	b.Kubelet, err = readKubelet(disk, config.patches())
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Roles of machines: what they do with kubeadm. A machine without a role runs nothing, or waits.
const (
	roleInit    = "init"
	roleJoin    = "join"
	roleWindows = "join on Windows"
)

// extension returns the extension that runs a command. A machine has at most one.
func (m Machine) extension() (Extension, bool) {
	for _, e := range m.Extensions {
		if e.RunsCommand() && e.ForWindows() == m.Windows {
			return e, true
		}
	}
	return Extension{}, false
}

// delivery reads the extension that runs a command, if there is one.
func (m Machine) delivery() (d delivery, exists bool, err error) {
	e, exists := m.extension()
	if !exists {
		return delivery{}, false, nil
	}
	if err = e.CheckSettings(); err == nil {
		d, err = e.read()
	}
	if err != nil {
		return delivery{}, true, fmt.Errorf("extension %s: %w", e.Name, err)
	}
	return d, true, nil
}

// decrypt returns the files that the extension brings. The key is among the files that customData has brought to the
// disk.
func (m Machine) decrypt(d delivery, disk files) (files, error) {
	path, read := linuxPayloadKey, unpackTable
	if m.Windows {
		path, read = windowsPayloadKey, unpackJSON
	}
	e, _ := m.extension()
	key, exists := disk[path]
	if !exists {
		return nil, fmt.Errorf("extension %s: customData does not bring %s, which its files are decrypted with",
			e.Name, path)
	}
	data, err := payload.Decrypt(d.payload, key.content)
	if err != nil {
		return nil, fmt.Errorf("extension %s: %s: %w", e.Name, path, err)
	}
	brought, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("extension %s: payload: %w", e.Name, err)
	}
	return brought, nil
}

// bootLinux returns the files after cloud-init and the extension have run. The extension waits for the program that
// cloud-init starts, and gives up after a while.
func (m Machine) bootLinux() (disk files, role string, err error) {
	disk, err = readCustomData(false, m.CustomData)
	if err != nil {
		return nil, "", fmt.Errorf("customData: %w", err)
	}
	d, waits, err := m.delivery()
	if err != nil {
		return nil, "", err
	}
	if disk == nil {
		if waits {
			return nil, "", errors.New("after 30 minutes the machine is not a node: no customData starts its bootstrap")
		}
		return nil, "", nil
	}
	if err := disk.checkService(); err != nil {
		return nil, "", fmt.Errorf("customData: %w", err)
	}
	if waits {
		brought, err := m.decrypt(d, disk)
		if err != nil {
			return nil, "", err
		}
		maps.Copy(disk, brought)
	}
	if _, configured := disk[linuxConfig]; !configured {
		if waits {
			return nil, "", errors.New("after 30 minutes the machine is not a node: there is no " + linuxConfig)
		}
		return nil, "", nil
	}
	role, ok := strings.CutSuffix(disk[linuxRole].content, "\n")
	if !ok || role != roleInit && role != roleJoin {
		return nil, "", fmt.Errorf("%s is not understood: bootstrap writes a line with init or join", linuxRole)
	}
	return disk, role, nil
}

var execStart = regexp.MustCompile(`(?m)^ExecStart=(/\S+)$`)

// checkService follows the service that cloud-init starts to its program.
func (f files) checkService() error {
	service, exists := f[linuxService]
	if !exists {
		return fmt.Errorf("it starts mixedkube-bootstrap.service, but does not bring %s", linuxService)
	}
	program := execStart.FindStringSubmatch(service.content)
	if program == nil {
		return fmt.Errorf("%s: the service has no line ExecStart= with only the path of a program", linuxService)
	}
	if !f[program[1]].executable {
		return fmt.Errorf("%s: the service runs %s, which is not a program that customData brings", linuxService,
			program[1])
	}
	return nil
}

// bootWindows returns the files after the extension has run. The extension runs customData if its command was written
// for it.
func (m Machine) bootWindows() (disk files, role string, err error) {
	d, runs, err := m.delivery()
	if err != nil {
		return nil, "", err
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(m.CustomData)); runs && sum != d.sha256 {
		e, _ := m.extension()
		return nil, "", fmt.Errorf("customData: the command of extension %s is for another one: the SHA-256 of this "+
			"one is %s", e.Name, sum)
	}
	public, err := readCustomData(true, m.CustomData)
	if err != nil {
		return nil, "", fmt.Errorf("customData: %w", err)
	}
	if !runs {
		return nil, "", nil
	}
	brought, err := m.decrypt(d, public)
	if err != nil {
		return nil, "", err
	}
	disk = files{}
	maps.Copy(disk, public)
	maps.Copy(disk, brought)
	for _, path := range []string{windowsProgram, windowsConfig} {
		if _, exists := disk[path]; !exists {
			return nil, "", fmt.Errorf("neither customData nor the extension brings %s", path)
		}
	}
	return disk, roleWindows, nil
}

// keyFiles are the files of kubeadm's certificate authorities and of the service account keys.
var keyFiles = []string{
	"ca.crt", "ca.key", "front-proxy-ca.crt", "front-proxy-ca.key", "etcd/ca.crt", "etcd/ca.key", "sa.pub", "sa.key",
}

// keysIn returns the keys of a directory whose files are copied to where kubeadm looks for them.
func (f files) keysIn(dir string) map[string]string {
	keys := map[string]string{}
	for _, name := range keyFiles {
		if key, exists := f[dir+name]; exists {
			keys[name] = key.content
		}
	}
	return keys
}
