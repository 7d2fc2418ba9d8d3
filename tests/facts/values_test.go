package facts

import (
	"cmp"
	"fmt"
	"net/netip"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// values are the facts that oracles have, by their name in package lives: variables, copies of constants, and the
// results of those that are not exported, for sizes of machines those that a page has.
var values = map[string]any{
	"AKSPools":                  &facts.AKSPools,
	"AKSNodes":                  &facts.AKSNodes,
	"AKSMaxPods":                &facts.AKSMaxPods,
	"AKSDefaultPods":            &facts.AKSDefaultPods,
	"AKSSystemPods":             &facts.AKSSystemPods,
	"AKSDefaultDrainTimeout":    &facts.AKSDefaultDrainTimeout,
	"AKSDrainTimeout":           &facts.AKSDrainTimeout,
	"AKSNodeSoak":               &facts.AKSNodeSoak,
	"AKSOSDisk":                 &facts.AKSOSDisk,
	"AKSOutboundPorts":          &facts.AKSOutboundPorts,
	"AKSOutboundPortsStep":      &facts.AKSOutboundPortsStep,
	"AKSPortsOfAddress":         &facts.AKSPortsOfAddress,
	"AKSOutboundIPs":            &facts.AKSOutboundIPs,
	"LoadBalancerRules":         new(facts.LoadBalancerRules),
	"AKSEphemeralDisk":          new(facts.AKSEphemeralDisk),
	"AKSPassword":               new(facts.AKSPassword),
	"AKSDefaultSurge":           new(facts.AKSDefaultSurge),
	"AKSCertificateKB":          new(facts.AKSCertificateKB),
	"AKSNATIPs":                 &facts.AKSNATIPs,
	"AKSOutboundIdle":           &facts.AKSOutboundIdle,
	"AKSAuthorizedRanges":       &facts.AKSAuthorizedRanges,
	"AKSAuthorizedRangesInVNet": &facts.AKSAuthorizedRangesInVNet,
	"AKSProxyCertificates":      &facts.AKSProxyCertificates,
	"AKSCertificates":           &facts.AKSCertificates,
	"AKSPoolName":               &facts.AKSPoolName,
	"AKSWindowsPoolName":        &facts.AKSWindowsPoolName,
	"AKSImageCleanerHours":      &facts.AKSImageCleanerHours,
	"AKSClusterNodes":           &facts.AKSClusterNodes,
	"AKSFreeNodes":              &facts.AKSFreeNodes,
	"AKSRoutingZones":           &facts.AKSRoutingZones,
	"AKSOverlayNames":           &facts.AKSOverlayNames,
	"AKSReserved":               &facts.AKSReserved,
	"VNetReserved":              &facts.VNetReserved,
	"AKSPods":                   new(facts.AKSPods),
	"AKSServices":               new(facts.AKSServices),
	"AKSDNS":                    new(facts.AKSDNS),
	"AKSPodsOfNode":             new(facts.AKSPodsOfNode),
	"AKSServices4":              new(facts.AKSServices4),
	"AKSServices6":              new(facts.AKSServices6),
	"AKSOptionEnds":             &facts.AKSOptionEnds,
	"AKSStorageClasses":         &facts.AKSStorageClasses,
	"AKSContainerd":             &facts.AKSContainerd,
	"AKSReleases":               &facts.AKSReleases,
	"AKSPatches":                &facts.AKSPatches,
	"SKUs":                      &facts.SKUs,
	"SKUReleases":               &facts.SKUReleases,
	"WindowsDefaults":           &facts.WindowsDefaults,
	"WindowsImages":             &facts.WindowsImages,
	"WindowsSupport":            &facts.WindowsSupport,
	"PauseImages":               &facts.PauseImages,

	"Containerd":               new(facts.Containerd),
	"Runc":                     new(facts.Runc),
	"CNIPlugins":               new(facts.CNIPlugins),
	"Flannel":                  new(facts.Flannel),
	"FlannelImage":             new(facts.FlannelImage),
	"WindowsExporterImage":     new(facts.WindowsExporterImage),
	"CSIProxyImage":            new(facts.CSIProxyImage),
	"NodeProblemDetectorImage": new(facts.NodeProblemDetectorImage),
	"KubernetesOfKubespray":    &facts.KubernetesOfKubespray,
	"KubernetesOfKops":         &facts.KubernetesOfKops,
	"KubernetesEnds":           &facts.KubernetesEnds,
	"KubernetesReleased":       &facts.KubernetesReleased,

	"ContainerdPairs":     &facts.ContainerdPairs,
	"LinuxOfficialImages": &facts.LinuxOfficialImages,
	"PublishedTags":       &facts.PublishedTags,
	"RetiredImages":       &facts.RetiredImages,
	"AKSPoolChanges":      &facts.AKSPoolChanges,

	"AKSPodsOfIPv6":     new(facts.AKSPodsOfIPv6),
	"AKSServicesOfIPv6": new(facts.AKSServicesOfIPv6),

	"vm.irregularSizes": new(capacities(
		"B2s", "B2ms", "B4ms", "B8ms", "B12ms", "B16ms", "B20ms", "D64ps_v5", "E32ps_v5",
	)),
	"vm.numberedSizes": new(capacities(
		"D1", "D2_v2", "D3_v2", "D4_v2", "D5_v2", "D11_v2", "D12_v2", "D13_v2", "D14_v2", "D15_v2",
	)),

	"vm.memory": new(inList("Standard_",
		"A2m_v2", "A2_v2", "B2ats_v2", "B2ls_v2", "B2s_v2", "D2ls_v5", "D2s_v3", "D4_v5", "E2s_v3", "E48s_v5", "F2s_v2",
	)),
	"vm.gpuSize": new(those(hasProperty(vm.HasGPU), "NC4as_T4_v3", "ND96asr_v4", "NV6ads_A10_v5", "NP10s", "D2s_v3")),
	"vm.generation2Only": new(those(hasProperty(vm.IsGeneration2Only),
		"D128ds_v6", "D2as_v6", "DC8s_v3", "E2as_v6", "F2as_v6", "D2_v5", "F16s_v2", "D16plds_v5",
	)),
	"vm.generation1Only": new(
		those(hasProperty(vm.IsGeneration1Only), "A0", "D2_v2", "D2_v3", "D2s_v3", "DS2_v2"),
	),
	"vm.nvmeSize":             new(those(hasProperty(vm.HasNVMe), "D128ds_v6", "D2as_v6", "D2s_v3", "DC8s_v3")),
	"vm.localDisk":            new(disks("D2s_v3", "D64s_v3", "F16s_v2", "E4d_v5", "D16plds_v5")),
	"vm.caches":               new(disks("DS2_v2")),
	"vm.withoutDisk":          new(those(hasNoDisk, "D2_v5", "D2as_v6", "D2s_v3", "E4d_v5")),
	"vm.withoutTrustedLaunch": new(those(hasNoTrustedLaunch, "A", "B", "D", "DC", "E", "EC", "F", "M", "NC", "NP")),
	"vm.cpusOfEC2":            new(inList("", "m6g.medium", "m5.large", "m5.xlarge", "m5.4xlarge")),
	"vm.memoryOfEC2": new(inList("",
		"c5.large", "c7i.large", "m5.large", "r5.large", "c5n.large", "g4dn.xlarge", "g5.xlarge",
	)),
	"vm.burstable": new(ofEC2(
		"t2.nano", "t2.micro", "t2.small", "t2.medium", "t2.large", "t2.xlarge", "t2.2xlarge",
	)),
	"vm.largeC5n":   new(ofEC2("c5n.9xlarge", "c5n.18xlarge")),
	"vm.sharedCore": new(ofComputeEngine("e2-micro", "e2-small", "e2-medium")),
	"vm.memoryOfComputeEngine": new(ofComputeEngine(
		"e2-standard-4", "e2-highmem-4", "e2-highcpu-4", "n1-standard-4", "n1-highmem-4", "n1-highcpu-4",
		"n2-standard-4", "n2-highmem-4", "n2-highcpu-4", "n2d-standard-4", "n2d-highmem-4", "n2d-highcpu-4",
		"n4-standard-4", "n4-highmem-4", "n4-highcpu-4", "c3-standard-4", "c3-highmem-4", "c3-highcpu-4",
		"c3d-standard-4", "c3d-highmem-4", "c3d-highcpu-4", "t2d-standard-4", "t2a-standard-4",
	)),
	"vm.lessMemory": new(those(isUnknown,
		"n2-highmem-96", "n2-highmem-128", "c3d-highcpu-16", "c3d-highcpu-30", "c3d-highcpu-60", "c3d-highcpu-90",
		"c3d-highcpu-180", "c3d-highcpu-360",
	)),
	"vm.armSeries": new(those(isArmSeries, "c3", "c3d", "c4a", "e2", "n1", "n2", "n2d", "n4", "n4a", "t2a", "t2d")),
	"vm.refusedUsernames": new(those(vm.IsCommonUsername, "azureuser",
		"administrator", "admin", "user", "user1", "test", "user2", "test1", "user3", "admin1", "1", "123", "a",
		"actuser", "adm", "admin2", "aspnet", "backup", "console", "david", "guest", "john", "owner", "root", "server",
		"sql", "support", "support_388945a0", "sys", "test2", "test3", "user4", "user5",
	)),
	"vm.refusedPasswords": new(those(vm.IsCommonPassword, "abc@1234",
		"abc@123", "P@$$w0rd", "P@ssw0rd", "P@ssword123", "Pa$$word", "pass@word1", "Password!", "Password1",
		"Password22", "iloveyou!",
	)),
	"vm.MaxUsername": new(vm.MaxUsername),
	"vm.MaxPassword": new(vm.MaxPassword),
	"vm.MinKinds":    new(vm.MinKinds),
	"vm.minPassword": new(shortestPassword()),

	"noderoom.sharesOfCPU": new([]int64{
		tenThousandths(0, 1), tenThousandths(1, 2), tenThousandths(2, 4), tenThousandths(4, 104),
	}),
	"noderoom.memoryPerPodOfEKS":    new(memoryOfEKS(31) - memoryOfEKS(30)),
	"noderoom.memoryOfKubeletOfEKS": new(memoryOfEKS(0) - evictionOfGKE()),
	"noderoom.evictionOfKubelet":    new(evictionOfGKE()),
	"noderoom.smallestOfGKE":        new(memoryOfGKE(0) - evictionOfGKE()),
	"noderoom.sharedCoreOfGKE":      new(milliCPU(noderoom.GKE(machine(2, 4), true))),

	"noderoom.cpuBrackets": new(millicores(1, 2, 4, 8, 16, 32, 64)),
	"noderoom.memoryBrackets": new([]int64{
		percent(0, 4), percent(4, 8), percent(8, 16), percent(16, 128), percent(128, 256),
	}),
	"noderoom.memoryPerPod":    new(mebibytes(256, false, "1.36", 31) - mebibytes(256, false, "1.36", 30)),
	"noderoom.memoryOfKubelet": new(mebibytes(256, false, "1.36", 0) - mebibytes(0, false, "1.36", 0)),
	"noderoom.largestShare":    new((mebibytes(4, false, "1.36", 250) - mebibytes(0, false, "1.36", 0)) * 100 >> 12),
	"noderoom.evictionSince":   new(mebibytes(0, false, "1.36", 0)),
	"noderoom.evictionBefore":  new(mebibytes(0, false, "1.28", 0)),
	"noderoom.windowsMemory":   new(mebibytes(0, true, "1.36", 0)),
}

// capacities returns the CPUs and the memory in GiB of sizes, as "2 vCPUs — 7 GB".
func capacities(sizes ...string) map[string]string {
	all := map[string]string{}
	for _, size := range sizes {
		cpus, gibibytes, _ := vm.Capacity("Standard_" + size)
		all[size] = fmt.Sprintf("%d vCPUs — %g GB", cpus, gibibytes)
	}
	return all
}

// inList returns the CPUs and the memory of sizes as the autoscaler lists them.
func inList(prefix string, sizes ...string) map[string]string {
	all := map[string]string{}
	for _, size := range sizes {
		cpus, gibibytes, _ := vm.Capacity(prefix + size)
		all[size] = fmt.Sprintf("VCPU: %d MemoryMb: %g", cpus, gibibytes*1024)
	}
	return all
}

// disks returns the room for ephemeral disks in GiB.
func disks(sizes ...string) map[string]int {
	all := map[string]int{}
	for _, size := range sizes {
		all[size], _ = vm.EphemeralDisk("Standard_" + size)
	}
	return all
}

// hasProperty asks about a size without the word before it.
func hasProperty(is func(size string) bool) func(name string) bool {
	return func(name string) bool { return is("Standard_" + name) }
}

func hasNoDisk(size string) bool {
	gib, known := vm.EphemeralDisk("Standard_" + size)
	return known && gib == 0
}

func hasNoTrustedLaunch(family string) bool {
	has, known := vm.TrustedLaunch("Standard_" + family + "4s_v5")
	return known && !has
}

// instance is a type of EC2, with the memory as Karpenter's pages write it.
type instance struct{ CPUs, MiB int }

func ofEC2(types ...string) map[string]instance {
	all := map[string]instance{}
	for _, name := range types {
		cpus, gibibytes, _ := vm.Capacity(name)
		all[name] = instance{cpus, int(gibibytes * 1024)}
	}
	return all
}

// ofComputeEngine returns the memory of types in GiB.
func ofComputeEngine(types ...string) map[string]string {
	all := map[string]string{}
	for _, name := range types {
		_, gibibytes, _ := vm.Capacity(name)
		all[name] = fmt.Sprintf("%g", gibibytes)
	}
	return all
}

// those returns the names for which a function of a fact is true.
func those(is func(name string) bool, names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !is(name) })
}

func isUnknown(size string) bool {
	_, _, ok := vm.Capacity(size)
	return !ok
}

func isArmSeries(series string) bool { return vm.IsArm64(series + "-standard-4") }

// shortestPassword returns the length of the shortest password of four kinds of characters that Azure takes.
func shortestPassword() int {
	password := "Aa1!"
	for vm.CheckPassword(password) != "" && len(password) < vm.MaxPassword {
		password += "b"
	}
	return len(password)
}

// machine returns the resources of a machine.
func machine(cpus, gibibytes int64) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewQuantity(cpus, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(gibibytes<<30, resource.BinarySI),
	}
}

func milliCPU(list corev1.ResourceList) int64 { return list.Cpu().MilliValue() }

// memory returns the memory in MiB.
func memory(list corev1.ResourceList) int64 { return list.Memory().Value() >> 20 }

// tenThousandths returns how much EKS reserves of the CPUs between two numbers.
func tenThousandths(from, to int64) int64 {
	cpu := func(cpus int64) int64 { return milliCPU(noderoom.EKS(machine(cpus, 4), false, 30)) }
	return (cpu(to) - cpu(from)) * 10 / (to - from)
}

// memoryOfEKS returns what EKS reserves of a node's memory, in MiB.
func memoryOfEKS(pods int) int64 { return memory(noderoom.EKS(machine(4, 16), false, pods)) }

// memoryOfGKE returns what GKE reserves of a node's memory, in MiB.
func memoryOfGKE(gibibytes int64) int64 { return memory(noderoom.GKE(machine(4, gibibytes), false)) }

// evictionOfGKE returns what GKE reserves above a quarter of the first 4 GiB.
func evictionOfGKE() int64 { return memoryOfGKE(4) - 1024 }

// millicores returns what AKS reserves of CPUs.
func millicores(cpus ...int64) (reserved []int64) {
	for _, n := range cpus {
		reserved = append(reserved, milliCPU(noderoom.AKS(machine(n, 0), false, "1.36", 30)))
	}
	return reserved
}

// mebibytes returns what AKS reserves of a node's memory.
func mebibytes(gibibytes int64, windows bool, version string, pods int) int64 {
	return memory(noderoom.AKS(machine(0, gibibytes), windows, version, pods))
}

// percent returns how much AKS reserved before 1.29 of the memory between two amounts, rounded.
func percent(from, to int64) int64 {
	more := mebibytes(to, false, "1.28", 0) - mebibytes(from, false, "1.28", 0)
	return (more*100 + (to-from)<<9) / ((to - from) << 10)
}

// leaf is a part of a fact: a text, a number, a version or a range of addresses.
type leaf struct {
	path  string
	value reflect.Value
	// store writes a part of a map's element back into the map.
	store func()
}

func (l leaf) text() string { return fmt.Sprint(l.value.Interface()) }

// put sets the part, and returns the function that restores it.
func (l leaf) put(value any) (restore func()) {
	before := reflect.New(l.value.Type()).Elem()
	before.Set(l.value)
	set := func(v reflect.Value) {
		l.value.Set(v)
		l.store()
	}
	set(reflect.ValueOf(value).Convert(l.value.Type()))
	return func() { set(before) }
}

// wrong returns another value than the part has.
func (l leaf) wrong() any {
	switch v := l.value.Interface().(type) {
	case kubeversion.Version:
		return kubeversion.Version{Major: 1, Minor: v.Minor + 1}
	case netip.Prefix:
		return netip.PrefixFrom(v.Addr(), v.Bits()-1)
	case string:
		return v + "0"
	case bool:
		return !v
	default:
		return l.value.Int() + 1
	}
}

// leaves returns the parts of a fact. An empty one states nothing.
func leaves(name string) (all []leaf) {
	collect(leaf{name, reflect.ValueOf(values[name]).Elem(), func() {}}, &all)
	return all
}

func collect(l leaf, all *[]leaf) {
	switch l.value.Interface().(type) {
	case kubeversion.Version, netip.Prefix:
		if !l.value.IsZero() {
			*all = append(*all, l)
		}
		return
	}
	switch l.value.Kind() {
	case reflect.Slice:
		for i := range l.value.Len() {
			collect(leaf{fmt.Sprintf("%s[%d]", l.path, i), l.value.Index(i), l.store}, all)
		}
	case reflect.Struct:
		for i := range l.value.NumField() {
			collect(leaf{l.path + "." + l.value.Type().Field(i).Name, l.value.Field(i), l.store}, all)
		}
	case reflect.Map:
		keys := l.value.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, key := range keys {
			element := reflect.New(l.value.Type().Elem()).Elem()
			element.Set(l.value.MapIndex(key))
			collect(leaf{fmt.Sprintf("%s[%v]", l.path, key), element, func() {
				l.value.SetMapIndex(key, element)
				l.store()
			}}, all)
		}
	default:
		if text := l.text(); text != "" && text != "false" {
			*all = append(*all, l)
		}
	}
}
