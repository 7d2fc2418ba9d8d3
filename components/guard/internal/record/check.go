package record

import (
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// Object is a resource of Kubernetes' provider, before it is registered.
type Object struct {
	URN      urn.URN // that it will have
	Name     string  // of the resource
	Custom   bool    // false for a component, such as a chart
	Provider string  // the name of its provider, "" for the default one or if the program has one cluster
}

// Concerns reports whether [Recorder.Check] has to see a resource of a type.
func Concerns(typ string, custom bool) bool {
	return helmchart.IsChart(typ) || pods.IsResource(typ, custom) || pods.IsPatch(typ, custom)
}

// Verdict is what happens to an object.
type Verdict struct {
	Stops         bool          // it must not be deployed
	Failure       error         // for a program that can no longer return it at its end
	Edits         []mutate.Edit // complete it
	IgnoreChanges []string      // fields that stay as they are if it exists
}

// Check judges and records a resource, once. The properties are called once, and not at all for a resource that was
// checked before. They are nil if they are not known.
func (r *Recorder) Check(o Object, properties func() map[string]any) Verdict {
	typ := string(o.URN.Type())
	switch {
	case helmchart.IsChart(typ):
		r.checkChart(o, typ, properties)
		return Verdict{}
	case !pods.IsResource(typ, o.Custom):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notChecked(o.URN, "a patch is only a part of an object")
		return Verdict{}
	}
	if !r.first(o.URN) {
		return Verdict{}
	}
	known := properties()
	if known == nil {
		return Verdict{}
	}
	shown := r.read(o, known)
	edits, ignored := r.place(shown)
	findings := shown.cluster.checker.CheckObject(shown.Object)

	r.mu.Lock()
	defer r.mu.Unlock()
	judged := r.journal.judgeObject(shown, preflight.Join(findings, r.acrossOf(shown)))
	r.add(shown, o.Provider)
	if r.phase == ended {
		r.late(shown)
	}
	v := Verdict{Stops: slices.ContainsFunc(judged, r.stops), Edits: edits, IgnoreChanges: ignored}
	if v.Stops && r.phase != running {
		v.Failure = r.fail()
	}
	return v
}

// Pass records an object that has no findings by itself. It returns false, and records nothing, for others: they have
// to be checked where they can be stopped.
func (r *Recorder) Pass(o Object, properties map[string]any) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != running {
		return false
	}
	shown := r.read(o, properties)
	if len(shown.cluster.checker.CheckObject(shown.Object)) > 0 {
		return false
	}
	r.looked[o.URN] = true
	r.add(shown, o.Provider)
	return true
}

// first reports whether an object has not been checked yet.
func (r *Recorder) first(at urn.URN) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.looked[at]
	r.looked[at] = true
	return !known
}

func (r *Recorder) read(o Object, properties map[string]any) *object {
	shown := &object{
		Located: Located{At: o.URN}, Object: pods.ReadObject(properties), name: o.Name,
		cluster: r.clusters.of(o.Provider),
	}
	shown.Stated = pods.StatesPlatform(string(o.URN.QualifiedType()))
	return shown
}

// add records an object.
func (r *Recorder) add(o *object, provider string) {
	o.cluster.add(o, provider)
	if kind, _ := tree.Text(o.Tree["kind"]); strings.HasSuffix(kind, "List") && o.Tree["items"] != nil {
		r.notChecked(o.At, "a list: register its objects one by one")
	}
}

// acrossOf returns the findings between an object and the ones before it. A preview checks the program as a whole when
// it is complete; an update must find the mistakes of an object before the object is created.
func (r *Recorder) acrossOf(o *object) []preflight.Finding {
	if r.ctx.DryRun() && r.phase == running {
		return nil
	}
	context := o.cluster.context
	found := o.cluster.checker.AcrossObjects(append(slices.Clone(context), o.Object))[len(context)]
	if r.phase != running {
		return found
	}
	return slices.DeleteFunc(found, preflight.MayBeResolved)
}

// late reports an object that comes when the program is complete. If a file cannot be written, the error can no longer
// be returned to the program.
func (r *Recorder) late(o *object) {
	if r.sums() {
		r.logLandingsIn(o.cluster, []*object{o}, r.clusters.count() == 1)
	}
	_ = r.publish()
}

// fail returns the error for a program that can no longer return one, as it was for the first object.
func (r *Recorder) fail() error {
	if r.failure == nil {
		if r.phase == endless {
			r.logLandings()
			_ = r.publish() // the error has the report
		}
		r.failure = r.stopping()
	}
	return r.failure
}

// checkChart reports the parts of a Helm chart that Pulumi does not see.
func (r *Recorder) checkChart(o Object, typ string, properties func() map[string]any) {
	// Its chart has no hooks.
	if strings.HasPrefix(string(o.URN.QualifiedType()), "mixedkube:gmsa:Webhook$") || !r.first(o.URN) {
		return
	}
	known := properties()
	// An Ignore selects by namespace.
	chart := r.read(o, map[string]any{"metadata": map[string]any{"namespace": known["namespace"]}})
	r.mu.Lock()
	defer r.mu.Unlock()
	if typ == helmchart.ReleaseType {
		r.notChecked(o.URN, "the objects that a Release deploys are not checked")
	}
	r.journal.judgeObject(chart, helmchart.Check(typ, o.Name, known, userfiles.Chart))
}
