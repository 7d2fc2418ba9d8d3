package doors

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

var images = []any{
	"alpine:3.22", "nginx:1.28-alpine", "shop.example/web:1", "shop.example/web:1", "shop.example/web:1",
	"shop.example/web:1-windows", "mcr.microsoft.com/windows/servercore:ltsc2019",
	"mcr.microsoft.com/windows/servercore:ltsc2022",
	"mcr.microsoft.com/windows/nanoserver:ltsc2025", "mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022",
	"mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0",
	"registry.k8s.io/pause:3.10", "shop.example/web:1.14-alpine",
}

// setting is a field of the pods' spec with its test values.
type setting struct {
	path   []string
	values []any
}

// decisive are the fields that state what pods are for, or that decide whether a field can be added.
var decisive = []setting{
	{
		[]string{"os"}, list{
			object{"name": "windows"},
			object{"name": "linux"},
			object{},
			object{"name": "Windows"},
			nil,
		},
	},
	{[]string{"os", "name"}, list{"windows", "linux"}},
	{[]string{"nodeSelector", corev1.LabelOSStable}, list{"windows", "linux", "windows", "linux", "darwin"}},
	{[]string{"nodeSelector", "beta.kubernetes.io/os"}, list{"windows", "linux"}},
	{
		[]string{"nodeSelector", topology.LabelWindowsBuild},
		list{"10.0.17763", "10.0.20348", "10.0.26100", "10.0.20348.1"},
	},
	{[]string{"nodeSelector", "agentpool"}, list{"pool0", "pool1", "pool2", "pool9"}},
	{[]string{"nodeSelector", corev1.LabelArchStable}, list{"amd64", "arm64"}},
	{[]string{"nodeSelector", "disktype"}, list{"ssd", "hdd"}},
	{[]string{"nodeSelector"}, list{object{}, nil}},
	{[]string{"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"}, list{
		required(corev1.LabelOSStable, "In", "windows"), required(corev1.LabelOSStable, "In", "linux"),
		required(corev1.LabelOSStable, "In", "linux", "windows"), required(corev1.LabelOSStable, "NotIn", "windows"),
		required(topology.LabelWindowsBuild, "In", "10.0.20348"), required(topology.LabelWindowsBuild, "Exists"),
		required("beta.kubernetes.io/os", "In", "linux"), required("disktype", "In", "ssd"),
		object{"nodeSelectorTerms": list{term(corev1.LabelOSStable, "In", "windows"), term("disktype", "Exists")}},
	}},
	{[]string{"runtimeClassName"}, list{"windows-2019", "windows-2022", "windows-2025", "gvisor", "", nil}},
	{[]string{"tolerations"}, list{
		list{object{"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"}},
		list{object{"key": "os", "value": "windows"}},
		list{object{"operator": "Exists"}},
		list{},
		list{object{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}},
		list{object{"key": "gpu", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(60)}},
		nil,
	}},
	{[]string{"nodeName"}, list{"node-0", "", nil}},
	{[]string{"securityContext", "windowsOptions"}, list{
		object{"hostProcess": true, "runAsUserName": `NT AUTHORITY\SYSTEM`}, object{"runAsUserName": "ContainerUser"},
	}},
	{[]string{"hostNetwork"}, list{true, false}},
}

func required(key, operator string, values ...any) object {
	return object{"nodeSelectorTerms": list{term(key, operator, values...)}}
}

func term(key, operator string, values ...any) object {
	e := object{"key": key, "operator": operator}
	if len(values) > 0 {
		e["values"] = values
	}
	return object{"matchExpressions": list{e}}
}

// refused are fields that the API server refuses on pods of one operating system, and some fields that it accepts.
var refused = []setting{
	{[]string{"hostPID"}, list{true, false}},
	{[]string{"shareProcessNamespace"}, list{true, nil}},
	{[]string{"securityContext", "fsGroup"}, list{int64(0), int64(2000)}},
	{[]string{"securityContext", "runAsUser"}, list{int64(1000)}},
	{[]string{"securityContext", "runAsNonRoot"}, list{true}},
	{[]string{"securityContext", "seLinuxOptions"}, list{object{}, object{"level": "s0:c1,c2"}}},
	{[]string{"securityContext", "sysctls"}, list{list{}, list{object{"name": "net.core.somaxconn", "value": "1024"}}}},
	{[]string{"securityContext", "windowsOptions", "runAsUserName"}, list{"ContainerUser"}},
	{[]string{"securityContext"}, list{object{}, nil}},
}

var refusedInContainers = []setting{
	{[]string{"securityContext", "capabilities"}, list{object{"drop": list{"ALL"}}, object{}}},
	{[]string{"securityContext", "readOnlyRootFilesystem"}, list{true, false}},
	{[]string{"securityContext", "allowPrivilegeEscalation"}, list{false}},
	{[]string{"securityContext", "windowsOptions", "hostProcess"}, list{true, false}},
}

// wrong are values of the wrong types, which only texts of manifests can have.
var wrong = []setting{
	{[]string{"os"}, list{"windows", list{}}},
	{[]string{"nodeSelector"}, list{"windows", list{}}},
	{[]string{"tolerations"}, list{"all", object{"operator": "Exists"}}},
	{[]string{"affinity"}, list{"windows"}},
	{[]string{"nodeSelector", corev1.LabelOSStable}, list{int64(1), nil}},
	{[]string{"runtimeClassName"}, list{int64(1)}},
	{[]string{"securityContext"}, list{"none"}},
}
