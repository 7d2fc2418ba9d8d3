package pods

import (
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// HandlerProcess is containerd's handler for process isolation on Windows.
const HandlerProcess = "runhcs-wcow-process"

// Class has the fields of a RuntimeClass object that affect the pods that name it.
type Class struct {
	Name, Handler string
	Scheduling    map[string]any
	Selector      map[string]any // scheduling.nodeSelector
	Overhead      any            // overhead.podFixed
	// Complete is true if all fields are known.
	Complete bool
}

// ReadClass reads a RuntimeClass object.
func ReadClass(object map[string]any) *Class {
	c := &Class{Scheduling: tree.Map(object["scheduling"]), Overhead: tree.At(object["overhead"], "podFixed")}
	c.Name, _ = tree.Text(tree.Map(object["metadata"])["name"])
	c.Handler, _ = tree.Text(object["handler"])
	c.Selector = tree.Map(c.Scheduling["nodeSelector"])
	c.Complete = !tree.IsUnknown(object["scheduling"]) && !tree.IsUnknown(c.Scheduling["nodeSelector"]) &&
		!tree.IsUnknown(c.Overhead)
	return c
}

// ClassName returns the name of the RuntimeClass that the pods name, "" if they name none or
// if it is not known.
func (p *Pods) ClassName() string {
	name, _ := tree.Text(p.Spec["runtimeClassName"])
	return name
}

// ClassAmong returns the RuntimeClass among objects that the pods name, nil if there is none.
// If several have the same name, it returns the last one.
func (p *Pods) ClassAmong(objects []map[string]any) *Class {
	name := p.ClassName()
	if name == "" {
		return nil
	}
	var found *Class
	for _, object := range objects {
		if class := ReadClass(object); class.Name == name {
			found = class
		}
	}
	return found
}
