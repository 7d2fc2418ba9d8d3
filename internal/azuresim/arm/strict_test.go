package arm

import (
	"strings"
	"testing"
)

func unknown(path, typeName string) *Error {
	name := path[strings.LastIndex(path, ".")+1:]
	return bad400("InvalidRequestContent", path,
		"The request content was invalid and could not be deserialized: 'Could not find member '"+name+
			"' on object of type '"+typeName+"'. Path '"+path+"'.'")
}

// unknownToAKS is AKS' own answer (https://github.com/Azure/azure-rest-api-specs/issues/40740).
func unknownToAKS(name string) *Error {
	return bad400("UnmarshalError", "", `UnmarshalEntity encountered error: json: unknown field "`+name+`" Check that `+
		"the field is in the right location, is spelled correctly, and is supported in the API version. Visit "+
		"aka.ms/aks/apiversions for more API version information..")
}

func unreadable(path, typeName string) *Error {
	return bad400("InvalidRequestContent", path,
		"The request content was invalid and could not be deserialized: 'Error converting value to type '"+typeName+
			"'. Path '"+path+"'.'")
}

func notOf(path, value, allowed string) *Error {
	return bad400("InvalidParameter", path,
		"The value '"+value+"' of parameter "+path+" is invalid. Allowed values are: "+allowed+".")
}

func TestBodiesAreStrict(t *testing.T) {
	t.Parallel()
	osSKUs := "AzureLinux, AzureLinux3, CBLMariner, Ubuntu, Ubuntu2204, Windows2019, Windows2022, Windows2025, " +
		"WindowsAnnual, Ubuntu2404, AzureLinuxOSGuard, AzureContainerLinux, Flatcar, Mariner"
	cluster := func(path string, value any) Body {
		body := clusterBody(nil)
		setAt(body, path, value)
		return body
	}
	pools := func(pool Body) Body { return clusterBody(map[string]any{"agentPoolProfiles": []any{pool}}) }
	for name, c := range map[string]struct {
		id   string
		body Body
		want *Error
	}{
		"misspelled at the top": {clusterID, cluster("tag", Body{}), unknown("tag", "ManagedCluster")},
		"misspelled in properties": {
			clusterID, cluster("properties.kubernetesVersoin", "1.36"),
			unknownToAKS("kubernetesVersoin"),
		},
		"misspelled further down": {
			clusterID,
			cluster("properties.windowsProfile.gmsaProfile", Body{"dnsserver": ""}),
			unknownToAKS("dnsserver"),
		},
		"misspelled in a list": {
			clusterID, pools(Body{"name": "system", "osSku": "Ubuntu"}),
			unknownToAKS("osSku"),
		},
		"misspelled in a pool": {
			systemID, linuxPool(map[string]any{"upgradeSettings.maxsurge": "1"}),
			unknownToAKS("maxsurge"),
		},
		"a property of the plugin": {
			systemID, linuxPool(map[string]any{"agentPoolName": "x"}),
			unknownToAKS("agentPoolName"),
		},
		"misspelled null": {
			clusterID, cluster("properties.x", nil),
			unknownToAKS("x"),
		},
		"misspelled in an add-on": {
			clusterID,
			cluster("properties.addonProfiles", Body{"omsagent": Body{"enable": true}}),
			unknownToAKS("enable"),
		},
		"misspelled in a network": {
			networkID,
			Body{"location": "x", "properties": Body{"addressSpaces": Body{}}},
			unknown("properties.addressSpaces", "VirtualNetworkPropertiesFormat"),
		},
		"misspelled in a subnet": {
			networkID,
			Body{"location": "x", "properties": Body{"subnets": []any{Body{"properties": Body{"prefix": ""}}}}},
			unknown("properties.subnets[0].properties.prefix", "SubnetPropertiesFormat"),
		},
		"misspelled in a group": {groupID, Body{"locatoin": "x"}, unknown("locatoin", "ResourceGroup")},
		"text for a number": {
			systemID, linuxPool(map[string]any{"count": "3"}),
			unreadable("properties.count", "int32"),
		},
		"a fraction": {
			systemID, linuxPool(map[string]any{"count": 1.5}),
			unreadable("properties.count", "int32"),
		},
		"a number for text": {
			clusterID, cluster("properties.kubernetesVersion", 1.36),
			unreadable("properties.kubernetesVersion", "string"),
		},
		"text for yes or no": {
			clusterID, cluster("properties.enableRBAC", "true"),
			unreadable("properties.enableRBAC", "bool"),
		},
		"text for a list": {
			systemID, linuxPool(map[string]any{"nodeTaints": "a=b:NoSchedule"}),
			unreadable("properties.nodeTaints", "list of string"),
		},
		"a list for an object": {
			clusterID, cluster("properties.networkProfile", []any{}),
			unreadable("properties.networkProfile", "NetworkProfile"),
		},
		"a number in a label": {
			systemID, linuxPool(map[string]any{"nodeLabels": Body{"a": 1}}),
			unreadable("properties.nodeLabels.a", "string"),
		},
		"a text for labels": {
			systemID, linuxPool(map[string]any{"nodeLabels": "a"}),
			unreadable("properties.nodeLabels", "object"),
		},
		"a number for a password": {
			clusterID, cluster("properties.windowsProfile.adminPassword", 123456789012),
			unreadable("properties.windowsProfile.adminPassword", "string"),
		},
		"too large a number": {
			systemID, linuxPool(map[string]any{"count": 3e9}),
			unreadable("properties.count", "int32"),
		},
		"too large a price": {
			systemID, linuxPool(map[string]any{"spotMaxPrice": 1e300}),
			unreadable("properties.spotMaxPrice", "float32"),
		},
		"an invalid time": {
			clusterID,
			cluster("properties.upgradeSettings", Body{"overrideSettings": Body{"until": "soon"}}),
			unreadable("properties.upgradeSettings.overrideSettings.until", "Time"),
		},
		"not base64": {
			clusterID,
			cluster("properties.securityProfile", Body{"customCATrustCertificates": []any{"LS0t", "%"}}),
			unreadable("properties.securityProfile.customCATrustCertificates[1]", "base64 string"),
		},
		"an unknown osType": {
			systemID, linuxPool(map[string]any{"osType": "BSD"}),
			notOf("properties.osType", "BSD", "Linux, Windows"),
		},
		"an unknown osSKU": {
			clusterID, pools(Body{"name": "system", "osSKU": "Windows2016"}),
			notOf("properties.agentPoolProfiles[0].osSKU", "Windows2016", osSKUs),
		},
		"an unknown plugin": {
			clusterID, cluster("properties.networkProfile.networkPlugin", "flannel"),
			notOf("properties.networkProfile.networkPlugin", "flannel", "azure, kubenet, none"),
		},
		"an unknown license": {
			clusterID, cluster("properties.windowsProfile.licenseType", "Windows"),
			notOf("properties.windowsProfile.licenseType", "Windows", "None, Windows_Server"),
		},
		"an unknown enum in a list": {
			clusterID, cluster("properties.networkProfile.ipFamilies", []any{"IPv5"}),
			notOf("properties.networkProfile.ipFamilies[0]", "IPv5", "IPv4, IPv6"),
		},
		"no body": {clusterID, nil, bad400("MissingRequestBody", "", "The request body is missing.")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := shop(t).Put(t.Context(), c.id, c.body)
			wantError(t, err, c.want)
		})
	}
}

// The SDK accepts times without T and without a time zone.
func TestTimeFormatsMatchTheSDK(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"2026-11-22T21:00:00Z": true, "2026-11-22t21:00:00.5+01:00": true, "2026-11-22T21:00:00": true,
		"2026-11-22 21:00:00.123Z": true,
		"2026-11-22 21:00:00":      true, "2026-11-22": false, "soon": false, "": false,
	} {
		if got := isMoment(text); got != want {
			t.Errorf("%q is a moment: %v, want %v", text, got, want)
		}
	}
}

// Source: https://github.com/pulumi/pulumi-azure-native/issues/4772 and
// https://github.com/Azure/azure-rest-api-specs/issues/21872.
func TestAKSNormalizesTheSpelling(t *testing.T) {
	t.Parallel()
	const path = "networkProfile.loadBalancerProfile.backendPoolType"
	for _, c := range []struct{ sent, outbound, want any }{
		{nil, "loadBalancer", "nodeIPConfiguration"},
		{"NodeIPConfiguration", "loadBalancer", "nodeIPConfiguration"},
		{"nodeIPConfiguration", "loadBalancer", "nodeIPConfiguration"},
		{"NODEIP", "loadBalancer", "nodeIP"},
		{nil, "managedNATGateway", nil},
		{"NodeIP", "managedNATGateway", "nodeIP"},
	} {
		cloud := shop(t)
		body := clusterBody(map[string]any{"networkProfile.outboundType": c.outbound})
		if c.sent != nil {
			setAt(body, "properties."+path, c.sent)
		}
		id := groupID + "/providers/" + kindCluster + "/spelled"
		for range 2 {
			mustPut(t, cloud, id, clone(body))
			wantAt(t, mustGet(t, cloud, id), map[string]any{"properties." + path: c.want})
		}
	}
}
