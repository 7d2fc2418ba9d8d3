// Package azurenative simulates azure-native: a provider for the types of azure-native's SDK that the components use.
// The real engine runs it, and it sends requests to the simulated Azure, package arm, as azure-native sends them to the
// real one.
//
// It does the following like azure-native (release 3.23,
// https://github.com/pulumi/pulumi-azure-native/tree/master/provider/pkg/provider): it generates the names in Azure and
// the location, refuses to create an existing resource, sends one PUT with all inputs for creations and updates,
// compares inputs and replaces resources, and finds the changed inputs in a refresh.
//
// It does not simulate:
//   - the check of patterns, lengths and bounds in a preview: the API's specification has
//     them, and azure-native's SDK does not. The simulated Azure refuses such inputs when
//     they are sent;
//   - the options of automatic names (pulumi:autonaming), which pulumi-go-provider does
//     not forward;
//   - lists whose elements have keys (x-ms-identifiers): they are compared by position;
//   - additions that only set a default: they are changes here;
//   - create-only properties that the compute API's specification may have besides the
//     location: it was not read;
//   - that azure-native sends a PATCH to remove a user-assigned identity;
//   - operations that continue after the answer: the simulated Azure answers at their end.
package azurenative
