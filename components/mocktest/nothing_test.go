package mocktest_test

import (
	"fmt"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// identity is a resource whose output "output" no test answers.
const identity = "azure-native:managedidentity:UserAssignedIdentity"

// user returns a program with resources, and with a role for a value that comes from them. azure-native replaces a role
// for a change of its principal.
func user(
	names []string, props pulumi.Map, value func(ctx *pulumi.Context, all map[string]*thing) pulumi.Input,
	options ...pulumi.ResourceOption,
) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		all := map[string]*thing{}
		for _, name := range names {
			made, err := newThing(ctx, identity, name, props, options...)
			if err != nil {
				return err
			}
			all[name] = made
		}
		_, err := newThing(ctx, "azure-native:authorization:RoleAssignment", "pull",
			pulumi.Map{"principalId": value(ctx, all)})
		return err
	}
}

// of returns the output of a resource that no test answers.
func of(name string) func(*pulumi.Context, map[string]*thing) pulumi.Input {
	return func(_ *pulumi.Context, all map[string]*thing) pulumi.Input { return all[name].Output }
}

// An output that no test answers is unknown in a preview. It differs only if the resource that it comes from may.
func TestTheChangesAreEmptyIfNothingChanges(t *testing.T) {
	t.Parallel()
	one, two, west := []string{"a"}, []string{"a", "b"}, pulumi.Map{"location": str("west")}
	tagged := pulumi.Map{"location": str("west"), "tags": pulumi.StringMap{"team": str("shop")}}
	const role = `azure-native:authorization:RoleAssignment "pull": `
	applied := func(_ *pulumi.Context, all map[string]*thing) pulumi.Input {
		return all["a"].Output.ApplyT(func(s string) string { return "id-" + s })
	}
	both := func(_ *pulumi.Context, all map[string]*thing) pulumi.Input {
		return pulumi.Sprintf("%s/%s", all["a"].Output, all["b"].Output)
	}
	inComponent := func(location string) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			box := &pulumi.ResourceState{}
			if err := ctx.RegisterComponentResource("shop:index:Box", "box", box); err != nil {
				return err
			}
			inside, err := newThing(ctx, identity, "inside", pulumi.Map{"location": str(location)}, pulumi.Parent(box))
			if err != nil {
				return err
			}
			_, err = newThing(ctx, "azure-native:authorization:RoleAssignment", "pull",
				pulumi.Map{"principalId": inside.Output}, pulumi.DependsOn([]pulumi.Resource{box}))
			return err
		}
	}
	lookedUp := func(of func(*thing) pulumi.Input) func(*pulumi.Context, map[string]*thing) pulumi.Input {
		return func(ctx *pulumi.Context, all map[string]*thing) pulumi.Input {
			return pulumi.ToOutput(of(all["a"])).ApplyT(func(v any) (string, error) {
				var found struct {
					Principal string `pulumi:"principal"`
				}
				err := ctx.Invoke("shop:index:lookUp", &struct {
					ID string `pulumi:"id"`
				}{fmt.Sprint(v)}, &found)
				return found.Principal, err
			})
		}
	}
	ofID := lookedUp(func(a *thing) pulumi.Input { return a.ID() })
	ofOutput := lookedUp(func(a *thing) pulumi.Input { return a.Output })
	earlier := str("azure-native:managedidentity/v20230131:UserAssignedIdentity")
	renamed := pulumi.Aliases([]pulumi.Alias{{Type: earlier}})
	for name, x := range map[string]struct {
		before, after pulumi.RunFunc
		want          string
		changes       bool
	}{
		"from a resource":    {user(one, west, of("a")), user(one, west, of("a")), "", false},
		"through an Apply":   {user(one, west, applied), user(one, west, applied), "", false},
		"from two resources": {user(two, west, both), user(two, west, both), "", false},
		"from inside of a component": {
			inComponent("west"), inComponent("west"), "", false,
		},
		"from an invoke": {user(one, west, ofID), user(one, west, ofID), "", false},
		"from an invoke that a preview cannot make": {
			user(one, west, ofOutput), user(one, west, ofOutput), "", false,
		},
		"from a resource with an alias": {user(one, west, of("a")), user(one, west, of("a"), renamed), "", false},
		"from a resource that changes in place": {
			user(one, west, of("a")), user(one, tagged, of("a")),
			"± " + role + `replace, the new one comes first
    principalId: "" → [unknown]
    because principalId: azure-native replaces it for a change of principalId
~ ` + identity + ` "a": update
    tags: nothing → {team: "shop"}
`, true,
		},
		"from a component in which a resource is replaced": {
			inComponent("west"), inComponent("east"),
			"± " + role + `replace, the new one comes first
    principalId: "" → [unknown]
    because principalId: azure-native replaces it for a change of principalId
± ` + identity + ` "inside": replace, the new one comes first
    location: "west" → "east"
    because location: azure-native replaces it for a change of location
`, true,
		},
		"from another resource that stays": {
			user(two, west, of("a")), user(two, west, of("b")),
			"? " + role + `replacement not known
    perhaps because principalId: azure-native replaces it for a change of principalId
    principalId: not known whether it differs
`, true,
		},
		"from a resource instead of the program": {
			user(one, west, func(*pulumi.Context, map[string]*thing) pulumi.Input { return str("me") }),
			user(one, west, of("a")),
			"? " + role + `replacement not known
    perhaps because principalId: azure-native replaces it for a change of principalId
    principalId: not known whether it differs
`, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := mocktest.Calls(func(call mocktest.Call) (resource.PropertyMap, error) {
				return resource.PropertyMap{"principal": call.Args["id"]}, nil
			})
			earlier := mocktest.MustRun(t, x.before, answer)
			changes := mocktest.MustRun(t, x.after, answer, mocktest.Preview(), mocktest.After(earlier)).Changes()
			diff(t, x.want, changes.String())
			diff(t, x.changes, changes.Any())
		})
	}
}
