package provider

import (
	"maps"
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// Everything that takes a topology also takes the path of a file with it, as guard.Args does in Go. The path is
// relative to the directory of the program, in which the engine starts the plugin.
const topologyKey, topologyFileKey = "topology", "topologyFile"

// takesTopology reports whether arguments have a topology.
func takesTopology(args reflect.Type) bool {
	f, found := fields(args)[topologyKey]
	return found && f.Type == topologyType
}

// withTopologyFile returns inputs in which the topology of a file replaces its path.
func withTopologyFile(
	args reflect.Type, inputs resource.PropertyMap,
) (resource.PropertyMap, field.ErrorList, []fielderrors.At) {
	file, isSet := inputs[topologyFileKey]
	if !isSet || !takesTopology(args) {
		return inputs, nil, nil
	}
	inputs = maps.Clone(inputs)
	delete(inputs, topologyFileKey)
	var errs field.ErrorList
	path := field.NewPath(topologyFileKey)
	switch file = plainly(file); {
	case file.IsNull():
		return inputs, nil, nil
	case isOutput(file):
		errs = append(errs, field.Invalid(path, field.OmitValueType{}, mustBePlain))
	case !file.IsString() || file.StringValue() == "":
		errs = append(errs, field.Invalid(path, field.OmitValueType{}, "must be the path of a file"))
	}
	if len(errs) > 0 {
		return inputs, errs, nil
	}
	configured, both := inputs[topologyKey]
	t, errs, others := userfiles.TopologyArgument(file.StringValue(), both && !configured.IsNull())
	if len(errs)+len(others) == 0 {
		inputs[topologyKey] = resource.NewPropertyValue(topology.Encode(t))
	}
	return inputs, errs, others
}
