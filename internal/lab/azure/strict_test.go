package azure

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v8"
)

func unknown(path, typeName string) *Error {
	name := path[strings.LastIndex(path, ".")+1:]
	return bad400("InvalidRequestContent", path,
		"The request content was invalid and could not be deserialized: 'Could not find member '"+name+"' on object of type '"+typeName+"'. Path '"+path+"'.'")
}

func unreadable(path, typeName string) *Error {
	return bad400("InvalidRequestContent", path,
		"The request content was invalid and could not be deserialized: 'Error converting value to type '"+typeName+"'. Path '"+path+"'.'")
}

func notOf(path, value, allowed string) *Error {
	return bad400("InvalidParameter", path, "The value '"+value+"' of parameter "+path+" is invalid. Allowed values are: "+allowed+".")
}

func TestBodiesAreStrict(t *testing.T) {
	t.Parallel()
	osSKUs := "AzureLinux, AzureLinux3, CBLMariner, Ubuntu, Ubuntu2204, Windows2019, Windows2022, Windows2025, WindowsAnnual, Ubuntu2404, AzureLinuxOSGuard, Flatcar"
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
		"misspelled at the top":     {clusterID, cluster("tag", Body{}), unknown("tag", "ManagedCluster")},
		"misspelled in properties":  {clusterID, cluster("properties.kubernetesVersoin", "1.36"), unknown("properties.kubernetesVersoin", "ManagedClusterProperties")},
		"misspelled further down":   {clusterID, cluster("properties.windowsProfile.gmsaProfile", Body{"dnsserver": ""}), unknown("properties.windowsProfile.gmsaProfile.dnsserver", "WindowsGmsaProfile")},
		"misspelled in a list":      {clusterID, pools(Body{"name": "system", "osSku": "Ubuntu"}), unknown("properties.agentPoolProfiles[0].osSku", "ManagedClusterAgentPoolProfile")},
		"misspelled in a pool":      {systemID, linuxPool(map[string]any{"upgradeSettings.maxsurge": "1"}), unknown("properties.upgradeSettings.maxsurge", "AgentPoolUpgradeSettings")},
		"a property of the plugin":  {systemID, linuxPool(map[string]any{"agentPoolName": "x"}), unknown("properties.agentPoolName", "ManagedClusterAgentPoolProfileProperties")},
		"misspelled null":           {clusterID, cluster("properties.x", nil), unknown("properties.x", "ManagedClusterProperties")},
		"misspelled in an add-on":   {clusterID, cluster("properties.addonProfiles", Body{"omsagent": Body{"enable": true}}), unknown("properties.addonProfiles.omsagent.enable", "ManagedClusterAddonProfile")},
		"misspelled in a network":   {networkID, Body{"location": "x", "properties": Body{"addressSpaces": Body{}}}, unknown("properties.addressSpaces", "VirtualNetworkPropertiesFormat")},
		"misspelled in a subnet":    {networkID, Body{"location": "x", "properties": Body{"subnets": []any{Body{"properties": Body{"prefix": ""}}}}}, unknown("properties.subnets[0].properties.prefix", "SubnetPropertiesFormat")},
		"misspelled in a group":     {groupID, Body{"locatoin": "x"}, unknown("locatoin", "ResourceGroup")},
		"text for a number":         {systemID, linuxPool(map[string]any{"count": "3"}), unreadable("properties.count", "int32")},
		"a fraction":                {systemID, linuxPool(map[string]any{"count": 1.5}), unreadable("properties.count", "int32")},
		"a number for text":         {clusterID, cluster("properties.kubernetesVersion", 1.36), unreadable("properties.kubernetesVersion", "string")},
		"text for yes or no":        {clusterID, cluster("properties.enableRBAC", "true"), unreadable("properties.enableRBAC", "bool")},
		"text for a list":           {systemID, linuxPool(map[string]any{"nodeTaints": "a=b:NoSchedule"}), unreadable("properties.nodeTaints", "list of string")},
		"a list for an object":      {clusterID, cluster("properties.networkProfile", []any{}), unreadable("properties.networkProfile", "NetworkProfile")},
		"a number in a label":       {systemID, linuxPool(map[string]any{"nodeLabels": Body{"a": 1}}), unreadable("properties.nodeLabels.a", "string")},
		"a text for labels":         {systemID, linuxPool(map[string]any{"nodeLabels": "a"}), unreadable("properties.nodeLabels", "object")},
		"a number for a password":   {clusterID, cluster("properties.windowsProfile.adminPassword", 123456789012), unreadable("properties.windowsProfile.adminPassword", "string")},
		"an unknown osType":         {systemID, linuxPool(map[string]any{"osType": "BSD"}), notOf("properties.osType", "BSD", "Linux, Windows")},
		"an unknown osSKU":          {clusterID, pools(Body{"name": "system", "osSKU": "Windows2016"}), notOf("properties.agentPoolProfiles[0].osSKU", "Windows2016", osSKUs)},
		"an unknown plugin":         {clusterID, cluster("properties.networkProfile.networkPlugin", "flannel"), notOf("properties.networkProfile.networkPlugin", "flannel", "azure, kubenet, none")},
		"an unknown licence":        {clusterID, cluster("properties.windowsProfile.licenseType", "Windows"), notOf("properties.windowsProfile.licenseType", "Windows", "None, Windows_Server")},
		"an unknown enum in a list": {clusterID, cluster("properties.networkProfile.ipFamilies", []any{"IPv5"}), notOf("properties.networkProfile.ipFamilies[0]", "IPv5", "IPv4, IPv6")},
		"no body":                   {clusterID, nil, bad400("MissingRequestBody", "", "The request body is missing.")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := shop(t).Put(t.Context(), c.id, c.body)
			wantError(t, err, c.want)
		})
	}
}

// The keys that the SDK does not have are those that its own decoder drops.
func TestNamesAreThoseOfTheSDKsDecoder(t *testing.T) {
	t.Parallel()
	for _, model := range models() {
		reach(model, map[reflect.Type]bool{}, func(s reflect.Type) {
			names := namesOf(s)
			if len(names) != s.NumField() {
				t.Errorf("%s has %d fields, and names for %d", s, s.NumField(), len(names))
			}
			for name, i := range names {
				if s.Field(i).Type.Kind() != reflect.Pointer || s.Field(i).Type.Elem().Kind() != reflect.String {
					continue
				}
				value := reflect.New(s)
				data, err := json.Marshal(Body{name: "x"})
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(data, value.Interface()); err != nil || value.Elem().Field(i).IsNil() {
					t.Errorf("%s does not read %s: %v", s, name, err)
				}
			}
		}, nil)
	}
}

func TestAllEnumerationsAreKnown(t *testing.T) {
	t.Parallel()
	used := map[reflect.Type]bool{}
	for _, model := range models() {
		reach(model, map[reflect.Type]bool{}, nil, func(e reflect.Type) {
			used[e] = true
			if len(enums[e]) == 0 && !slices.Contains(openEnums, e) {
				t.Errorf("the values of %s are not in the table", e)
			}
		})
	}
	for e := range enums {
		if !used[e] {
			t.Errorf("no body has a %s", e)
		}
	}
	if !slices.Contains(enums[reflect.TypeFor[armcontainerservice.OSSKU]()], "Windows2025") {
		t.Error("there is no Windows2025")
	}
}

func models() []reflect.Type {
	list := make([]reflect.Type, len(kinds))
	for i, kind := range kinds {
		list[i] = rulesOf(kind).model
	}
	return list
}

// reach visits the structs and the enumerations that a type is made of.
func reach(t reflect.Type, seen map[reflect.Type]bool, onStruct, onEnum func(reflect.Type)) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if seen[t] {
		return
	}
	seen[t] = true
	if t.Kind() == reflect.String && t.PkgPath() != "" && onEnum != nil {
		onEnum(t)
	}
	if t.Kind() != reflect.Struct || t == timeType {
		return
	}
	if onStruct != nil {
		onStruct(t)
	}
	for field := range t.Fields() {
		reach(field.Type, seen, onStruct, onEnum)
	}
}
