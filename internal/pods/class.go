package pods

import (
	"github.com/mixedkube/mixedkube/internal/tree"
)

// HandlerProcess is containerd's handler for process isolation on Windows.
const HandlerProcess = "runhcs-wcow-process"

// Class is a RuntimeClass object, as the pods that name it see it.
type Class struct {
	Name, Handler string
	Scheduling    map[string]any
	Selector      map[string]any // scheduling.nodeSelector
	Overhead      any            // overhead.podFixed
	// Complete says that all of it is known.
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

// ClassName is the name of the RuntimeClass that the pods name, "" if they name none or
// if it is not known.
func (p *Pods) ClassName() string {
	name, _ := tree.Text(p.Spec["runtimeClassName"])
	return name
}

// ClassAmong is the RuntimeClass that the pods name, among objects: nil if it is not one
// of them. Of several with the same name it is the last one.
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
