// Package azurenative is a simulated azure-native: a provider that serves the types of
// azure-native's SDK that the components use to the real engine, and sends what they
// say to the simulated Azure, package arm, as azure-native sends it to the real one.
//
// What it takes over from azure-native (release 3.23,
// https://github.com/pulumi/pulumi-azure-native/tree/master/provider/pkg/provider):
// the names in Azure and the location that it gives by itself, the refusal to create
// what is there already, one PUT with all inputs for creation and update alike, the
// comparison of inputs with its replacements, and the way in which a refresh finds out
// which inputs changed.
//
// What it does not simulate:
//   - the check of patterns, lengths and bounds in a preview: the API's specification has
//     them, and azure-native's SDK does not. The simulated Azure refuses such inputs when
//     they are sent;
//   - the options of automatic names (pulumi:autonaming), which pulumi-go-provider does
//     not pass on;
//   - lists whose elements have keys (x-ms-identifiers): they are compared by position;
//   - additions that only say a default are changes;
//   - create-only properties that the compute API's specification may have besides the
//     location: it was not read;
//   - that azure-native sends a PATCH where a user-assigned identity is taken away;
//   - operations that continue after the answer: the simulated Azure answers at their end.
package azurenative
