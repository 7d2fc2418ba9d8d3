package arm

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// Join is a machine that runs kubeadm.
type Join struct {
	Machine   machine.Machine
	Bootstrap machine.Bootstrap
	// ControlPlane is the bootstrap of the machine that created the cluster with the endpoint, or of another machine of
	// its control plane if that one was deleted, with the keys that the machine has now. It is nil if no machine of
	// this cloud is such a machine.
	ControlPlane *machine.Bootstrap
}

// joined is the result of a machine's boot. It contains no secrets.
type joined struct {
	// Node is the name of its node, and NotJoined the reason why it has not joined. Both are empty if it does not run
	// kubeadm.
	Node      string             `json:"node,omitempty"`
	NotJoined string             `json:"notJoined,omitempty"`
	Bootstrap *machine.Bootstrap `json:"bootstrap,omitempty"`
	// Identity is the identity of the node, and Lost the reason why it no longer reaches its cluster.
	Identity machine.Identity `json:"identity,omitzero"`
	Lost     string           `json:"lost,omitempty"`
}

// boot runs what the machine of the request has to run, unless it is a node already. failure is the failure of its
// extension, and err a problem of the simulation itself.
func (r *request) boot(ctx context.Context) (failure *Error, err error) {
	vm := r.boots
	if vm == nil || vm.Joined != nil && vm.Joined.Node != "" {
		return nil, nil
	}
	m, err := r.machine(vm)
	if err != nil {
		return nil, err
	}
	b, identity, why := r.join(ctx, m)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	switch {
	case why != nil:
		vm.Joined = &joined{NotJoined: withoutTokens(why.Error())}
		return r.extensionFailure(m, errors.New(vm.Joined.NotJoined)), nil
	case b == nil:
		vm.Joined = nil
		return nil, nil
	}
	vm.Joined = &joined{Node: b.NodeName, Bootstrap: withoutSecrets(*b), Identity: identity}
	return nil, r.changeDisk(vm, func(d *disk) { d.Bootstrap = b })
}

// join returns the bootstrap and the identity of the machine's node. The bootstrap is nil if the machine does not run
// kubeadm.
func (r *request) join(ctx context.Context, m machine.Machine) (*machine.Bootstrap, machine.Identity, error) {
	var identity machine.Identity
	b, err := machine.Boot(m)
	if err != nil || b == nil {
		return nil, identity, err
	}
	if err := r.state.connect(r.state.primaryInterface(r.boots), m, *b); err != nil {
		return nil, identity, err
	}
	join := Join{Machine: m, Bootstrap: *b}
	if identity, err = r.meet(&join); err != nil {
		return nil, identity, err
	}
	if r.cloud.options.Join == nil {
		return b, identity, nil
	}
	return b, identity, r.cloud.options.Join(ctx, join)
}

// meet finds the control plane that a machine joins, and the identity of its node there. A load balancer may lead to
// any machine of the control plane.
func (r *request) meet(j *Join) (machine.Identity, error) {
	if j.Bootstrap.Init {
		return j.Bootstrap.Identity(nil), nil
	}
	all, err := r.controlPlanesOf(j.Bootstrap.Endpoint)
	if err != nil || len(all) == 0 {
		return machine.Identity{}, err
	}
	j.ControlPlane = all[0]
	identity := j.Bootstrap.Identity(all[0].Keys)
	// Options.Join checks the first one.
	for _, other := range all[1:] {
		if err := identity.Reaches(other.Keys); err != nil {
			return identity, fmt.Errorf("the API server of %s: %w", other.NodeName, err)
		}
	}
	return identity, nil
}

// controlPlanesOf returns the bootstraps of a control plane's machines, with the keys that the machines have now: first
// the machine that created the cluster, or else the oldest one.
func (r *request) controlPlanesOf(endpoint string) ([]*machine.Bootstrap, error) {
	var all []*machine.Bootstrap
	for _, vm := range r.state.all(kindMachine) {
		if !vm.isControlPlane() || !strings.EqualFold(vm.Joined.Bootstrap.Endpoint, endpoint) {
			continue
		}
		d, err := r.disk(vm)
		if err != nil {
			return nil, err
		}
		all = append(all, d.Bootstrap)
	}
	slices.SortStableFunc(all, func(a, b *machine.Bootstrap) int {
		switch {
		case a.Init == b.Init:
			return 0
		case a.Init:
			return -1
		default:
			return 1
		}
	})
	return all, nil
}

// extensionFailure returns the failure of the extension that the request is for. On Windows the extension reports
// success before kubeadm runs, so it fails only if it cannot run its command.
func (r *request) extensionFailure(m machine.Machine, why error) *Error {
	i := slices.IndexFunc(m.Extensions, func(e machine.Extension) bool {
		return r.id.kind == kindExtension && strings.EqualFold(e.Name, r.id.name())
	})
	if i < 0 || !m.Extensions[i].RunsCommand() {
		return nil
	}
	stored := r.state.get(r.id.text)
	if at(stored.Body, "properties.suppressFailures") == true {
		return nil
	}
	if err := m.Extensions[i].CheckSettings(); err != nil {
		return provisioningError(stored, err)
	}
	if m.Windows {
		return nil
	}
	return provisioningError(stored, why)
}

// machine returns a machine as it boots.
func (r *request) machine(vm *resource) (machine.Machine, error) {
	d, err := r.disk(vm)
	if err != nil {
		return machine.Machine{}, err
	}
	m := r.state.machine(vm)
	// It was checked by PUT.
	m.CustomData, _ = base64.StdEncoding.DecodeString(textAt(vm.Body, "properties.osProfile.customData"))
	for i, e := range m.Extensions {
		m.Extensions[i].Protected = d.Protected[keyOf(e.Name)]
	}
	for i, c := range m.RunCommands {
		m.RunCommands[i].Protected = parametersOf(d.RunCommands[keyOf(c.Name)])
	}
	return m, nil
}

// machine returns a machine without its secrets.
func (s *state) machine(vm *resource) machine.Machine {
	properties := vm.properties()
	reference, _ := at(properties, "storageProfile.imageReference").(Body)
	m := machine.Machine{
		ID:           vm.ID,
		VMID:         textAt(properties, "vmId"),
		ComputerName: textAt(properties, "osProfile.computerName"),
		Windows:      textAt(properties, "storageProfile.osDisk.osType") == "Windows",
		Image: machine.Image{
			Publisher: textAt(reference, "publisher"), Offer: textAt(reference, "offer"),
			SKU: textAt(reference, "sku"),
		},
		Size:     textAt(properties, "hardwareProfile.vmSize"),
		Location: textAt(vm.Body, "location"),
		Spot:     textAt(properties, "priority") == "Spot",
		Address:  s.addressOf(vm),
	}
	if zones := textsAt(vm.Body, "zones"); len(zones) > 0 {
		m.Zone = zones[0]
	}
	for _, extension := range s.below(vm.ID, kindExtension) {
		properties, _ := extension.Body["properties"].(Body)
		m.Extensions = append(m.Extensions, publicExtension(nameOf(extension.ID), properties))
	}
	for _, command := range s.below(vm.ID, kindRunCommand) {
		m.RunCommands = append(m.RunCommands, publicRunCommand(nameOf(command.ID), command.properties()))
	}
	slices.SortFunc(m.Extensions, func(a, b machine.Extension) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(m.RunCommands, func(a, b machine.RunCommand) int { return strings.Compare(a.Name, b.Name) })
	return m
}

// removeMachines deletes the machine with an ID, or the machines of a group.
func (r *request) removeMachines(id string) {
	going := r.state.below(id, kindMachine)
	if vm := r.state.get(id); vm != nil && vm.Kind == kindMachine {
		going = append(going, vm)
	}
	for _, vm := range going {
		r.detach(vm)
		if vm.Joined != nil && vm.Joined.Node != "" {
			r.state.Leaving = append(r.state.Leaving, vm.Joined.Node)
		}
	}
}

// leave notifies the cluster of the nodes whose machines this request deleted, or an earlier one whose notification
// failed.
func (r *request) leave(ctx context.Context) error {
	if len(r.state.Leaving) == 0 {
		return nil
	}
	if notify := r.cloud.options.NodesDeleted; notify != nil {
		if err := notify(ctx, slices.Clone(r.state.Leaving)); err != nil {
			return operationFailed("InternalOperationError", "The cluster was not notified of deleted machines: %v",
				err)
		}
	}
	r.state.Leaving = nil
	return writeFile(r.cloud.stateFile(), r.state)
}

var bootstrapToken = regexp.MustCompile(`[a-z0-9]{6}\.[a-z0-9]{16}`)

func withoutTokens(text string) string { return bootstrapToken.ReplaceAllString(text, "<token>") }

func withoutSecrets(b machine.Bootstrap) *machine.Bootstrap {
	b.Token, b.Keys = "", nil
	return &b
}
