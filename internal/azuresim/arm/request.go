package arm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// request is a request while it holds the lock.
type request struct {
	cloud  *Cloud
	method string
	id     armID
	// query are the parameters of the request, api-version for example.
	query  url.Values
	state  *state
	faults map[FaultKind]bool
	// changesPools is true if the nodes may no longer match the pools.
	changesPools bool
	// boots is the machine that got something to run, and disks are the changed disks, by their files.
	boots *resource
	disks map[string]*disk
	// runs is the run command of the request.
	runs *resource
	// isNew is true if the resource did not exist before. busy is the answer if the network is free, and until is when
	// the request's operation ends.
	isNew bool
	busy  error
	until time.Time
	// rolled are the IDs of pools whose nodes are replaced or removed, and steps is the number of the operation.
	rolled []string
	steps  int
}

// begin waits for the lock, and for the delay of faults.
func (c *Cloud) begin(ctx context.Context, method, text string) (r *request, end func(), err error) {
	text, parameters, _ := strings.Cut(text, "?")
	query, _ := url.ParseQuery(parameters) // it leaves out invalid ones
	id, err := parseID(text)
	if err != nil {
		return nil, nil, err
	}
	if end, err = c.lock(ctx); err != nil {
		return nil, nil, err
	}
	r = &request{cloud: c, method: method, id: id, query: query}
	var delay time.Duration
	r.faults, delay, err = takeFaults(c.dir, method, text)
	if err == nil && delay > 0 {
		end()
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		if end, err = c.lock(ctx); err != nil {
			return nil, nil, err
		}
	}
	if err == nil {
		err = before(r)
	}
	if err == nil {
		r.state, err = readState(c.stateFile())
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return r, end, nil
}

// read runs a request that changes nothing.
func (c *Cloud) read(ctx context.Context, method, id string, do func(*request) error) error {
	r, end, err := c.begin(ctx, method, id)
	if err != nil {
		return err
	}
	defer end()
	if err := do(r); err != nil {
		return err
	}
	return r.lost()
}

// change runs a request that changes something. A refused request changes nothing.
func (c *Cloud) change(ctx context.Context, method, id string, do func(*request) error) error {
	r, end, err := c.begin(ctx, method, id)
	if err != nil {
		return err
	}
	err = r.change(ctx, do)
	end()
	if err == nil && r.steps != 0 {
		if err = c.finish(ctx, r.steps); err == nil {
			err = r.lost()
		}
	}
	if waited := wait(ctx, r.until); waited != nil {
		return errors.Join(err, waited)
	}
	return err
}

// change returns the part of the request that holds the lock.
func (r *request) change(ctx context.Context, do func(*request) error) error {
	r.isNew = r.method == http.MethodPut && r.state.get(r.id.text) == nil
	if err := r.checkFree(); err != nil { //nolint:contextcheck // what it resumes continues after the request
		return err
	}
	// A new machine can have the name of a deleted one, so the cluster is notified first.
	if err := r.leave(ctx); err != nil {
		return err
	}
	if err := do(r); err != nil {
		return err
	}
	if err := r.checkNetwork(); err != nil {
		return err
	}
	failed, err := r.boot(ctx)
	if err != nil {
		return err
	}
	if failed == nil {
		if failed, err = r.execute(); err != nil {
			return err
		}
	}
	if r.faults[FailedProvisioning] {
		return r.leaveFailed(operationFailed("InternalOperationError", "Internal server error"))
	}
	if failed != nil {
		return r.leaveFailed(failed)
	}
	if len(r.rolled) > 0 {
		return r.beginRolling()
	}
	if nodes := r.cloud.options.Nodes; r.changesPools && nodes != nil {
		if err := nodes(ctx, nodePools(r.state)); err != nil {
			return r.leaveFailed(
				operationFailed("InternalOperationError", "The nodes could not be provisioned: %v", err))
		}
	}
	if err := r.save(); err != nil {
		return err
	}
	if err := r.leave(ctx); err != nil {
		return err
	}
	return r.lost()
}

// save begins the operation, and writes the disks before the state that refers to them.
func (r *request) save() error {
	r.operate()
	if err := r.saveDisks(); err != nil {
		return err
	}
	if err := writeFile(r.cloud.stateFile(), r.state); err != nil {
		return err
	}
	if r.method != http.MethodDelete {
		return nil
	}
	return r.removeDisks()
}

// lost returns the error of a request that succeeded, but whose answer is lost.
func (r *request) lost() error {
	if r.faults[FailAfter] {
		return broken("InternalServerError", "The server encountered an internal error. Please retry the request.")
	}
	return nil
}

// leaveFailed stores the state after an operation that began and failed: a resource of a PUT has its new properties,
// and a resource of a DELETE still exists.
func (r *request) leaveFailed(why *Error) error {
	if r.method == http.MethodDelete {
		var err error
		if r.state, err = readState(r.cloud.stateFile()); err != nil {
			return err
		}
		r.disks = nil
	}
	if left := r.state.get(r.id.text); left != nil {
		left.properties()["provisioningState"] = "Failed"
		r.reserve(left)
		r.touch(left.ID)
	}
	if err := r.save(); err != nil {
		return errors.Join(why, err)
	}
	return why
}

// find returns the resource of the request.
func (r *request) find() (*resource, error) {
	if found := r.state.get(r.id.text); found != nil {
		return found, nil
	}
	id := r.id
	if err := r.checkGroup(); err != nil {
		return nil, err
	}
	switch {
	case id.kind == kindGroup:
		return nil, noGroup(id.name())
	case id.kind == kindAssignment:
		return nil, notFound("RoleAssignmentNotFound", "The role assignment '%s' is not found.", id.name())
	case !id.isChild():
		return nil, noResource(id)
	}
	if err := r.checkParent("read"); err != nil {
		return nil, err
	}
	if id.kind == kindPool {
		return nil, notFound("NotFound", "Could not find the agentpool: %s.", id.name())
	}
	return nil, notFound("NotFound", "Resource %s not found.", id.text)
}

// checkGroupAndParent checks that the group and the parent of a new resource exist.
func (r *request) checkGroupAndParent() error {
	if err := r.checkGroup(); err != nil {
		return err
	}
	return r.checkParent("write")
}

func (r *request) checkGroup() error {
	if r.id.kind == kindGroup || r.id.group == "" ||
		r.state.get("/subscriptions/"+subscription+"/resourceGroups/"+r.id.group) != nil {
		return nil
	}
	return noGroup(r.id.group)
}

func (r *request) checkParent(verb string) error {
	if !r.id.isChild() || r.state.get(r.id.parent) != nil {
		return nil
	}
	_, kind, _ := strings.Cut(r.id.kind, "/")
	return notFound("ParentResourceNotFound",
		"Failed to perform '%s' on resource(s) of type '%s', because the parent resource '%s' could not be found.",
		verb, kind, r.id.parent)
}

func noGroup(name string) *Error {
	return notFound("ResourceGroupNotFound", "Resource group '%s' could not be found.", name)
}

func noResource(id armID) *Error {
	return notFound("ResourceNotFound", "The Resource '%s/%s' under resource group '%s' was not found. For more "+
		"details please go to https://aka.ms/ARMResourceNotFoundFix", id.kind, id.name(), id.group)
}

// checked returns a copy of a body without read-only properties. It refuses a body of the wrong type.
func (r *request) checked(body Body) (Body, error) {
	sent, err := plain(body)
	if err != nil {
		return nil, invalidContent("", err.Error())
	}
	if sent == nil {
		return nil, refused("MissingRequestBody", "", "The request body is missing.")
	}
	rules := rulesOf(r.id.kind)
	if _, err := bodyTypes()[rules.model].check(sent, ""); err != nil {
		return nil, err
	}
	if err := checkTags(sent); err != nil {
		return nil, err
	}
	for _, path := range rules.readOnly {
		removeAt(sent, path)
	}
	dropNulls(sent)
	return sent, nil
}

// view returns a resource as the API shows it.
func (r *request) view(stored *resource) Body {
	body := clone(stored.Body)
	id, err := parseID(stored.ID)
	if err != nil {
		panic(fmt.Sprintf("arm: the state has the ID %s: %v", stored.ID, err))
	}
	body["id"], body["name"], body["type"] = stored.ID, id.name(), stored.Kind
	if show := rulesOf(stored.Kind).view; show != nil {
		show(r.state, stored, body)
	}
	return body
}
