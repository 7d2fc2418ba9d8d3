package volumes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var classRules = []engine.Rule{provisionerOfKubernetes, classOfAKS, tridentWithoutWindows}

const storageOfAKS = "https://learn.microsoft.com/azure/aks/concepts-storage#storage-classes"

// classesOfAKS are the StorageClasses of clusters on AKS.
var classesOfAKS = &engine.Scope[*subject.Object]{
	Name: "StorageClasses on AKS",
	Has: func(o *subject.Object) bool {
		return o.Kind == "StorageClass" && o.Cluster.Topology.Cloud == topology.AKS
	},
}

var provisionerOfKubernetes = engine.Rule{
	Rule: rule.Rule{
		ID: "MK554", Severity: rule.Warning, Title: "a StorageClass of AKS with a driver in Kubernetes itself",
		Page: rulepages.Storage,
		Reason: "Kubernetes no longer has the drivers kubernetes.io/azure-disk and kubernetes.io/azure-file, and AKS " +
			"has not supported volumes created with them since 1.26. It has CSI drivers for both, which also run on " +
			"Windows nodes.",
		Source: storageOfAKS + ", https://learn.microsoft.com/azure/aks/csi-storage-drivers",
	},
	Checks: []engine.Check{engine.On(classesOfAKS, func(o *subject.Object) []rule.Problem {
		provisioner := o.Tree["provisioner"]
		text, _ := tree.Text(provisioner)
		csi := map[string]string{"kubernetes.io/azure-disk": azureDisk, "kubernetes.io/azure-file": azureFiles}[text]
		if csi == "" {
			return nil
		}
		return []rule.Problem{{
			Path: "provisioner", Value: provisioner, Detail: "AKS does not support volumes of this driver",
			Fix: "use " + csi,
		}}
	})},
}

var classOfAKS = engine.Rule{
	Rule: rule.Rule{
		ID: "MK555", Severity: rule.Warning, Title: "a StorageClass with the name of one that AKS creates",
		Page: rulepages.Storage,
		Reason: "AKS creates some StorageClasses in each cluster, and overwrites all changes of them: a fsType or a " +
			"protocol for Windows pods does not stay. The rule knows the names that the documentation of AKS lists.",
		Fix:    "use another name",
		Source: storageOfAKS,
	},
	Checks: []engine.Check{engine.On(classesOfAKS, func(o *subject.Object) []rule.Problem {
		name := tree.At(o.Tree, "metadata", "name")
		text, _ := tree.Text(name)
		if !slices.ContainsFunc(facts.AKSStorageClasses, func(c facts.StorageClass) bool {
			since, _ := kubeversion.Parse(c.Since)
			return c.Name == text && (o.Cluster.Minor == 0 || o.Cluster.Minor >= since.Minor)
		}) {
			return nil
		}
		return []rule.Problem{{
			Path: "metadata.name", Value: name,
			Detail: "AKS creates a StorageClass with this name, and overwrites changes",
		}}
	})},
}

var tridentWithoutWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK556", Severity: rule.Info, Title: "Trident without its driver on Windows nodes", Page: rulepages.Storage,
		Reason: "The operator of Trident installs the CSI driver of NetApp on Windows nodes only if windows is true " +
			"in its TridentOrchestrator, which is false by default: in the values of the chart trident-operator, " +
			"too. Windows pods with volumes of csi.trident.netapp.io then wait forever. The rule looks at clusters " +
			"whose topology has Windows pools.",
		Fix: "set windows to true if Windows pods have volumes of Trident",
		Source: "https://learn.microsoft.com/azure/aks/azure-netapp-files-smb#install-trident-using-helm, " +
			"https://github.com/NetApp/trident/blob/master/helm/trident-operator/values.yaml",
	},
	Checks: []engine.Check{engine.On(tridentOrchestrators, func(o *subject.Object) []rule.Problem {
		spec := o.Tree["spec"]
		windows := tree.At(spec, "windows")
		if on, known := tree.Bool(windows); tree.IsUnknown(spec) || windows != nil && !known || on {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.windows", Value: windows,
			Detail: fmt.Sprintf("the Windows nodes do not get the driver %s", trident),
		}}
	})},
}

// tridentOrchestrators are custom resources of Trident, in clusters with Windows pools.
var tridentOrchestrators = &engine.Scope[*subject.Object]{
	Name: "TridentOrchestrator",
	Has: func(o *subject.Object) bool {
		kind, _ := tree.Text(o.Tree["kind"])
		version, _ := tree.Text(o.Tree["apiVersion"])
		return kind == "TridentOrchestrator" && strings.HasPrefix(version, tridentParameter) &&
			slices.ContainsFunc(o.Cluster.Topology.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() })
	},
}
