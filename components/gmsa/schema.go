package gmsa

import (
	"maps"
	"slices"

	apiextensionsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apiextensions/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type (
	props      = apiextensionsv1.JSONSchemaPropsArgs
	properties = apiextensionsv1.JSONSchemaPropsMap
)

// schema returns the schema of the kind, structural as the API server requires.
func schema() props {
	config := object("The accounts, and how nodes outside of the domain get their passwords.", properties{
		"GroupManagedServiceAccounts": list("The accounts, once for each name of their domain.", 1,
			object("An account.", properties{
				"Name":  text("The account's name."),
				"Scope": text("The NetBIOS or DNS name of its domain."),
			})),
	})
	// Nodes that are joined to the domain need none.
	config.Properties.(properties)["HostAccountConfig"] = object("How nodes that are not joined to the domain get "+
		"the password.", properties{
		"PluginGUID":         text("The class ID of the plug-in on the nodes, in braces."),
		"PluginInput":        text("The input of the plug-in, in the plug-in's own form."),
		"PortableCcgVersion": text("The version of the plug-ins' interface."),
	})
	whole := object("Describes a group managed service account of Active Directory to Windows containers.", properties{
		"credspec": object("The credential specification, in the format of Windows.", properties{
			"ActiveDirectoryConfig": config,
			"CmsPlugins":            list("What manages the credentials: ActiveDirectory.", 1, text("")),
			"DomainJoinConfig": object("The domain, and the account that containers have in it.", properties{
				"DnsName":            text("The domain's DNS name."),
				"DnsTreeName":        text("The DNS name of the forest's root domain."),
				"Guid":               text("The domain's GUID."),
				"MachineAccountName": text("The account's name."),
				"NetBiosName":        text("The domain's NetBIOS name."),
				"Sid":                text("The domain's SID."),
			}),
		}),
	})
	// Every object has these.
	whole.Properties.(properties)["apiVersion"] = text("")
	whole.Properties.(properties)["kind"] = text("")
	whole.Properties.(properties)["metadata"] = props{Type: pulumi.String("object")}
	return whole
}

// object requires all of its properties.
func object(description string, of properties) props {
	return props{
		Type:        pulumi.String("object"),
		Description: pulumi.String(description),
		Properties:  of,
		Required:    pulumi.ToStringArray(slices.Sorted(maps.Keys(of))),
	}
}

func list(description string, atLeast int, of props) props {
	return props{
		Type:        pulumi.String("array"),
		Description: pulumi.String(description),
		MinItems:    pulumi.Int(atLeast),
		Items:       of,
	}
}

func text(description string) props {
	p := props{Type: pulumi.String("string")}
	if description != "" {
		p.Description = pulumi.String(description)
	}
	return p
}
