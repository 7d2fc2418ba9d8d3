package arm

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// disk is the part of a machine that only the machine itself may read. It is deleted with the machine.
type disk struct {
	Machine string `json:"machine"`
	// Password is a hash, as on a real disk.
	Password string `json:"password,omitempty"`
	// Protected are the protected settings of extensions by their names.
	Protected map[string]Body `json:"protected,omitempty"`
	// RunCommands are the protected parameters of run commands by their names.
	RunCommands map[string][]any `json:"runCommands,omitempty"`
	// Bootstrap is the configuration that kubeadm ran with when the machine joined, with the keys that the machine has
	// now.
	Bootstrap *machine.Bootstrap `json:"bootstrap,omitempty"`
}

func (c *Cloud) disksDir() string { return filepath.Join(c.dir, "disks") }

// diskFile returns the name of a machine's disk. A machine that is created again gets another disk.
func diskFile(vm *resource) string { return uuidOf("disk", keyOf(vm.ID), vm.Created) + ".json" }

func (c *Cloud) readDisk(vm *resource) (*disk, error) {
	d := &disk{Machine: vm.ID, Protected: map[string]Body{}, RunCommands: map[string][]any{}}
	data, err := os.ReadFile(filepath.Join(c.disksDir(), diskFile(vm)))
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err == nil {
		err = json.Unmarshal(data, d)
	}
	if err != nil {
		return nil, fmt.Errorf("read the disk of the simulated machine %s: %w", vm.ID, err)
	}
	if d.Protected == nil {
		d.Protected = map[string]Body{}
	}
	if d.RunCommands == nil {
		d.RunCommands = map[string][]any{}
	}
	return d, nil
}

// disk returns the disk of a machine with the changes of this request.
func (r *request) disk(vm *resource) (*disk, error) {
	if pending := r.disks[diskFile(vm)]; pending != nil {
		return pending, nil
	}
	return r.cloud.readDisk(vm)
}

func (r *request) changeDisk(vm *resource, change func(*disk)) error {
	d, err := r.disk(vm)
	if err != nil {
		return err
	}
	change(d)
	if r.disks == nil {
		r.disks = map[string]*disk{}
	}
	r.disks[diskFile(vm)] = d
	return nil
}

func (r *request) saveDisks() error {
	if len(r.disks) == 0 {
		return nil
	}
	if err := os.MkdirAll(r.cloud.disksDir(), 0o700); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.disks)) {
		if err := writeFile(filepath.Join(r.cloud.disksDir(), name), r.disks[name]); err != nil {
			return err
		}
	}
	return nil
}

// removeDisks removes the disks of machines that were deleted, including those that an interrupted request has left.
func (r *request) removeDisks() error {
	entries, err := os.ReadDir(r.cloud.disksDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var inUse []string
	for _, vm := range r.state.all(kindMachine) {
		inUse = append(inUse, diskFile(vm))
	}
	for _, entry := range entries {
		if !slices.Contains(inUse, entry.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(r.cloud.disksDir(), entry.Name())))
		}
	}
	return err
}

// protect stores the protected settings of an extension. nil removes them.
func (r *request) protect(vm *resource, name string, settings Body) error {
	d, err := r.disk(vm)
	if err != nil {
		return err
	}
	name = keyOf(name)
	if settings == nil && d.Protected[name] == nil {
		return nil
	}
	return r.changeDisk(vm, func(d *disk) {
		delete(d.Protected, name)
		if settings != nil {
			d.Protected[name] = settings
		}
	})
}

func (r *request) setPassword(vm *resource, password string) error {
	return r.changeDisk(vm, func(d *disk) { d.Password = passwordHash(vm, password) })
}

// keepPassword refuses a password that differs from the first one.
func (r *request) keepPassword(vm *resource, password string) error {
	d, err := r.disk(vm)
	if err != nil || password == "" {
		return err
	}
	if d.Password != passwordHash(vm, password) {
		return changeNotAllowed("osProfile.adminPassword")
	}
	return nil
}

func passwordHash(vm *resource, password string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(textAt(vm.Body, "properties.vmId")+password)))
}
