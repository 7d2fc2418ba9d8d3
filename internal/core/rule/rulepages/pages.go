package rulepages

// The names of the pages.
const (
	Pods           = "pods"
	Security       = "security"
	Users          = "users"
	GMSA           = "gmsa"
	HostProcess    = "host-process"
	Images         = "images"
	Registries     = "registries"
	Commands       = "commands"
	Placement      = "placement"
	Taints         = "taints"
	RuntimeClasses = "runtime-classes"
	Volumes        = "volumes"
	Storage        = "storage"
	Disks          = "disks"
	Resources      = "resources"
	Autoscaling    = "autoscaling"
	Services       = "services"
	Networks       = "networks"
	AddOns         = "add-ons"
	Structure      = "structure"
	Annotations    = "annotations"
	AKS            = "aks"
	AKSNetworks    = "aks-networks"
	AKSPools       = "aks-pools"
	AKSExisting    = "aks-existing"
	Kubeadm        = "kubeadm"
)

// Pages returns all pages, the most useful ones first.
func Pages() []Page { return pages }

// pages have at most 1,000 lines each, which is enough for about twenty rules with their examples. A rule names its
// page.
var pages = []Page{
	{
		Name: Pods, Title: "Fields of pods",
		About: "Fields of a pod that Windows nodes do not have, or understand in another way.",
	},
	{
		Name: Security, Title: "Security contexts",
		About: "Security contexts of Linux, which the API server refuses for Windows pods, and the Pod Security " +
			"Standards.",
	},
	{
		Name: Users, Title: "Users of containers",
		About: "The user that a container runs as: `runAsUserName`, and `runAsNonRoot` on Windows.",
	},
	{
		Name: GMSA, Title: "Group Managed Service Accounts",
		About: "Pods that run as an account of Active Directory: credential specs, and the webhook that resolves them.",
	},
	{
		Name: HostProcess, Title: "Host-process containers",
		About: "Containers that run on the Windows node itself, which is what Windows has in place of `privileged`.",
	},
	{
		Name: Images, Title: "Images",
		About: "The operating system that the name of an image indicates. If the name indicates none, preflight does " +
			"not report anything.",
	},
	{
		Name: Registries, Title: "Images in registries",
		About: "Data about an image in its registry: its platforms, its user, its size. `mixedkube images lock` " +
			"reads it from the registries and writes it to the lock file `mixedkube.images.yaml`.",
	},
	{
		Name: Commands, Title: "Commands and scripts",
		About: "Programs that the image or the operating system of a container does not have.",
	},
	{
		Name: Placement, Title: "Placement",
		About: "Where pods can land: on the pools of the topology, or, if there is no topology, on the nodes of any " +
			"cluster.",
	},
	{
		Name: Taints, Title: "Taints and DaemonSets",
		About: "Taints of pools, the tolerations of pods, and DaemonSets, whose pods go to every node that they " +
			"tolerate.",
	},
	{
		Name: RuntimeClasses, Title: "RuntimeClasses",
		About: "RuntimeClasses, and the pods that name them.",
	},
	{
		Name: Volumes, Title: "Volumes of pods",
		About: "Types of volumes and settings of mounts that Windows does not have, and paths of the other operating " +
			"system.",
	},
	{
		Name: Storage, Title: "Storage",
		About: "Persistent volumes, shares and drivers.",
	},
	{
		Name: Disks, Title: "Disks",
		About: "Disks as persistent volumes, and their file systems.",
	},
	{
		Name: Resources, Title: "CPU, memory and disk",
		About: "Requests and limits, which Windows enforces in another way than Linux.",
	},
	{
		Name: Autoscaling, Title: "Autoscaling and disruption budgets",
		About: "HorizontalPodAutoscalers that cannot scale, and PodDisruptionBudgets that block the upgrade of a node.",
	},
	{
		Name: Services, Title: "Services",
		About: "How Services behave on Windows nodes.",
	},
	{
		Name: Networks, Title: "Networks",
		About: "The network of pods: what Windows does not have, and what the network of the cluster does not do for " +
			"Windows nodes.",
	},
	{
		Name: AddOns, Title: "Service meshes, Knative and Helm",
		About: "How Istio, Linkerd, Knative and Helm affect Windows pods. The rules about Helm are about the " +
			"resources of a Pulumi program: package guard and `manifest.NewChart` report them.",
	},
	{
		Name: Structure, Title: "API versions, fields and types",
		About: "Objects that the API server does not read as they are written.",
	},
	{
		Name: Annotations, Title: "Annotations of mixedkube",
		About: "The annotations that ignore a rule, that say what pods run on, and that mark what mixedkube has added.",
	},
	{
		Name: AKS, Title: "AKS: clusters",
		About: "What Azure Kubernetes Service requires of a cluster with Windows pools.",
	},
	{
		Name: AKSNetworks, Title: "AKS: addresses and identities",
		About: "Ranges of pods and Services, load balancers, the API server in a network of yours, and what needs an " +
			"identity of yours.",
	},
	{
		Name: AKSPools, Title: "AKS: node pools",
		About: "What Azure Kubernetes Service requires of a node pool.",
	},
	{
		Name: AKSExisting, Title: "AKS: existing clusters",
		About: "What is different when the cluster or the pool already exists in Azure.",
	},
	{
		Name: Kubeadm, Title: "Clusters on virtual machines",
		About: "What Azure, kubeadm and the bootstrap of the nodes require of a cluster on virtual machines.",
	},
}
