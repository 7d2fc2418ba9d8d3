package arm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Fault makes requests fail. Faults are in the file faults.json of the cloud's directory, a list, and each request
// reads it: they can be written while other processes use the cloud.
type Fault struct {
	// Method is PUT, GET, DELETE or POST. Empty matches any.
	Method string `json:"method,omitempty"`
	// ID is a regular expression for the ID of the resource, case-insensitive. Empty matches any.
	ID string `json:"id,omitempty"`
	// After is the number of matching requests that pass first.
	After int `json:"after,omitempty"`
	// Kind is what happens.
	Kind FaultKind `json:"kind"`
	// Delay is the additional time that a slow request takes.
	Delay time.Duration `json:"delay,omitempty"`
	// Times is how often it happens: 0 is once, [Always] forever.
	Times int `json:"times,omitempty"`
	// Chance is the share of matching requests that the fault hits, from 0 to 1. 0 and 1 hit all. Seed makes the choice
	// repeatable, and Matched counts the requests so far.
	Chance  float64 `json:"chance,omitempty"`
	Seed    uint64  `json:"seed,omitempty"`
	Matched uint64  `json:"drawn,omitempty"`
}

// Always is the [Fault.Times] of a fault that stays.
const Always = -1

// FaultKind is the effect of a fault.
type FaultKind string

// The kinds of faults.
const (
	// Throttle answers 429, and changes nothing: Throttled for clusters and pools, and TooManyRequests for others.
	Throttle FaultKind = "throttle"
	// Conflict answers 409 OperationNotAllowed, and changes nothing.
	Conflict FaultKind = "conflict"
	// Interfere makes AKS start an operation of its own on the cluster just before a change of the cluster or one of
	// its pools. This change and the following ones are refused until the operation ends.
	Interfere FaultKind = "interfere"
	// Fail answers 500 InternalServerError, and changes nothing.
	Fail FaultKind = "fail"
	// FailAfter answers 500 InternalServerError after the change was made.
	FailAfter FaultKind = "failAfter"
	// FailedProvisioning makes the change, and leaves the resource with the provisioning state Failed. A resource to
	// delete is not deleted.
	FailedProvisioning FaultKind = "failedProvisioning"
	// FailScript makes the script of a run command fail on the machine before it has replaced anything. [FailAfter] and
	// [FailedProvisioning] are failures afterwards.
	FailScript FaultKind = "failScript"
	// Stopped simulates a virtual machine that does not run: changes of its extensions and run commands are answered
	// with 409 OperationNotAllowed.
	Stopped FaultKind = "stopped"
	// Slow waits for [Fault.Delay] first. Other requests continue meanwhile.
	Slow FaultKind = "slow"
)

var faultKinds = []FaultKind{
	Throttle, Conflict, Interfere, Fail, FailAfter, FailedProvisioning, FailScript, Stopped, Slow,
}

// WriteFaults replaces the faults of the cloud in a directory.
func WriteFaults(dir string, faults []Fault) error {
	for i, f := range faults {
		if err := f.check(); err != nil {
			return fmt.Errorf("fault %d: %w", i+1, err)
		}
	}
	return locked(dir, func() error { return writeFile(faultsFile(dir), faults) })
}

// ReadFaults returns the faults that have not been used up.
func ReadFaults(dir string) (faults []Fault, err error) {
	err = locked(dir, func() error {
		faults, err = readFaults(dir)
		return err
	})
	return faults, err
}

func (f Fault) check() error {
	if !slices.Contains(faultKinds, f.Kind) {
		return fmt.Errorf("%q is not a kind of fault", f.Kind)
	}
	if f.Chance < 0 || f.Chance > 1 {
		return fmt.Errorf("%g is not a chance: use one from 0 to 1", f.Chance)
	}
	_, err := regexp.Compile(f.ID)
	return err
}

func (f Fault) matches(method, id string) (bool, error) {
	if f.Method != "" && !strings.EqualFold(f.Method, method) {
		return false, nil
	}
	pattern, err := regexp.Compile("(?i)" + f.ID)
	return err == nil && pattern.MatchString(id), err
}

// draw reports whether the fault hits the next request.
func (f *Fault) draw() bool {
	if f.Chance == 0 {
		return true
	}
	f.Matched++
	return rand.New(rand.NewPCG(f.Seed, f.Matched)).Float64() < f.Chance
}

func faultsFile(dir string) string { return filepath.Join(dir, "faults.json") }

func readFaults(dir string) ([]Fault, error) {
	var faults []Fault
	data, err := os.ReadFile(faultsFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &faults)
	}
	if err != nil {
		return nil, fmt.Errorf("read the faults of the simulated Azure: %w", err)
	}
	return faults, nil
}

// takeFaults returns the kinds of faults that hit a request, and its additional delay. It uses the faults up. The
// caller holds the lock.
func takeFaults(dir, method, id string) (kinds map[FaultKind]bool, delay time.Duration, err error) {
	faults, err := readFaults(dir)
	if err != nil || len(faults) == 0 {
		return nil, 0, err
	}
	kinds = map[FaultKind]bool{}
	var left []Fault
	for _, f := range faults {
		matches, err := f.matches(method, id)
		if err != nil {
			return nil, 0, err
		}
		switch {
		case !matches:
		case f.After > 0:
			f.After--
		case !f.draw():
		default:
			kinds[f.Kind] = true
			if f.Kind == Slow {
				delay += f.Delay
			}
			if f.Times == 0 || f.Times == 1 {
				continue
			}
			f.Times = max(f.Times-1, Always)
		}
		left = append(left, f)
	}
	return kinds, delay, writeFile(faultsFile(dir), left)
}

// locked runs a function that is not a request with the lock held.
func locked(dir string, do func() error) error {
	lock := flock.New(lockFile(dir))
	if err := lock.Lock(); err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}

func lockFile(dir string) string { return filepath.Join(dir, "lock") }

// before returns the answer to a request that a fault stops before any change.
func before(r *request) error {
	kinds := r.faults
	switch {
	case kinds[Throttle]:
		return r.throttled()
	case kinds[Conflict]:
		o := operation{Name: updating}
		return o.refuse(r.id, r.method, time.Time{})
	case kinds[Stopped] && r.method != http.MethodGet &&
		(r.id.kind == kindExtension || r.id.kind == kindRunCommand):
		// https://github.com/azsk/AzTS-docs/issues/415
		return conflict("OperationNotAllowed", "Cannot modify extensions in the VM when the VM is not running.")
	case kinds[Fail]:
		return broken("InternalServerError", "The server encountered an internal error. Please retry the request.")
	}
	return nil
}

// throttled returns the answer of AKS, or of the resource manager, to too many requests
// (https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/throttled-error). The names of AKS'
// handlers of pools follow the one of clusters.
func (r *request) throttled() error {
	e := &Error{
		Status: http.StatusTooManyRequests, Code: "TooManyRequests",
		Message: "The request is being throttled as the limit has been reached for this operation. Retry after 1 " +
			"second.",
		RetryAfter: time.Second,
	}
	handler := map[string]string{kindCluster: "ManagedCluster", kindPool: "AgentPool"}[r.id.kind]
	if handler != "" {
		verb := r.method[:1] + strings.ToLower(r.method[1:])
		e.Code = "Throttled"
		e.Message = fmt.Sprintf("The %s%sHandler.%s request limit has been exceeded for SubID='%s', please retry "+
			"again in 1 seconds. For more information, please visit aka.ms/aks/throttling", verb, handler, r.method,
			subscription)
	}
	return e
}
