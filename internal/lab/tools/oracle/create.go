package main

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	// These register the kinds of their groups, with conversions and defaults.
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
)

// resource is what the API server knows about a kind.
type resource struct {
	name     string
	strategy rest.RESTCreateStrategy
}

// resources are the kinds in the version that they are stored in, the only one
// that is served.
var resources = map[schema.GroupVersionKind]resource{
	{Version: "v1", Kind: "Pod"}:         {"pods", pod.Strategy},
	{Version: "v1", Kind: "PodTemplate"}: {"podtemplates", podtemplate.Strategy},
	{Version: "v1", Kind: "ReplicationController"}: {
		"replicationcontrollers",
		replicationcontroller.Strategy,
	},
	{Group: "apps", Version: "v1", Kind: "Deployment"}:          {"deployments", deployment.Strategy},
	{Group: "apps", Version: "v1", Kind: "ReplicaSet"}:          {"replicasets", replicaset.Strategy},
	{Group: "apps", Version: "v1", Kind: "StatefulSet"}:         {"statefulsets", statefulset.Strategy},
	{Group: "apps", Version: "v1", Kind: "DaemonSet"}:           {"daemonsets", daemonset.Strategy},
	{Group: "batch", Version: "v1", Kind: "Job"}:                {"jobs", job.Strategy},
	{Group: "batch", Version: "v1", Kind: "CronJob"}:            {"cronjobs", cronjob.Strategy},
	{Group: "node.k8s.io", Version: "v1", Kind: "RuntimeClass"}: {"runtimeclasses", runtimeclass.Strategy},
}

// decoder sets the defaults of the version that an object is written in, and
// converts to the internal one.
var decoder = legacyscheme.Codecs.UniversalDecoder()

// creation is the creation of one object, in the same steps as in the API server.
// It leaves out admission, which depends on the cluster.
type creation struct {
	ctx      context.Context
	strategy rest.RESTCreateStrategy
	object   runtime.Object
	meta     metav1.Object
}

func decode(content []byte) (creation, error) {
	object, kind, err := decoder.Decode(content, nil, nil)
	if err != nil {
		return creation{}, err
	}
	known, ok := resources[*kind]
	if !ok {
		return creation{}, fmt.Errorf("%s is not a kind that the oracle supports", kind)
	}
	meta, ok := object.(metav1.ObjectMetaAccessor)
	if !ok {
		return creation{}, fmt.Errorf("%s has no metadata", kind)
	}
	c := creation{strategy: known.strategy, object: object, meta: meta.GetObjectMeta()}
	// If the manifest has no namespace, the request has one.
	if c.strategy.NamespaceScoped() && c.meta.GetNamespace() == "" {
		c.meta.SetNamespace(metav1.NamespaceDefault)
	}
	c.ctx = request.WithNamespace(context.Background(), c.meta.GetNamespace())
	// The declarative part of the validation looks up the version there.
	c.ctx = request.WithRequestInfo(c.ctx, &request.RequestInfo{
		IsResourceRequest: true, Verb: "create", Namespace: c.meta.GetNamespace(),
		APIGroup: kind.Group, APIVersion: kind.Version, Resource: known.name,
	})
	return c, nil
}

// prepare sets what the API server sets itself, and drops the fields behind
// feature gates that are off.
func (c creation) prepare() {
	rest.FillObjectMetaSystemFields(c.meta)
	c.strategy.PrepareForCreate(c.ctx, c.object)
}

func (c creation) validate() field.ErrorList {
	errs := c.strategy.Validate(c.ctx, c.object)
	// Since 1.37, the API server calls the declarative part of the validation, and the strategies do not. The packages
	// of older versions have no types for it, so it is called by its name.
	strategy := reflect.ValueOf(c.strategy)
	configure, declaratively := strategy.MethodByName("DeclarativeValidationConfig"),
		strategy.MethodByName("ValidateDeclaratively")
	if !configure.IsValid() || !declaratively.IsValid() {
		return errs
	}
	ctx, object := reflect.ValueOf(c.ctx), reflect.ValueOf(c.object)
	none := reflect.Zero(reflect.TypeFor[runtime.Object]())
	config := configure.Call([]reflect.Value{ctx, object, none})[0]
	return declaratively.Call([]reflect.Value{
		ctx, object, none, reflect.ValueOf(errs), reflect.ValueOf(operation.Create), config,
	})[0].Interface().(field.ErrorList)
}
