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
	Resources      = "resources"
	Autoscaling    = "autoscaling"
	Services       = "services"
	Networks       = "networks"
	AddOns         = "add-ons"
	Structure      = "structure"
	Annotations    = "annotations"
	AKS            = "aks"
	AKSPools       = "aks-pools"
	AKSExisting    = "aks-existing"
	Kubeadm        = "kubeadm"
)

// Pages returns all pages, the most useful ones first.
func Pages() []Page { return pages }

// pages have at most 1,000 lines each, which is enough for about twenty rules with their examples.
var pages = []Page{
	{
		Name: Pods, Title: "Fields of pods",
		About: "Fields of a pod that Windows nodes do not have, or understand in another way.",
		rules: "MK101-MK103 MK105 MK110-MK113 MK130-MK131 MK170 MK207 MK507 MK510 MK519",
	},
	{
		Name: Security, Title: "Security contexts",
		About: "Security contexts of Linux, which the API server refuses for Windows pods, and the Pod Security " +
			"Standards.",
		rules: "MK114-MK129 MK409",
	},
	{
		Name: Users, Title: "Users of containers",
		About: "The user that a container runs as: `runAsUserName`, and `runAsNonRoot` on Windows.",
		rules: "MK143-MK151 MK407-MK408 MK528",
	},
	{
		Name: GMSA, Title: "Group Managed Service Accounts",
		About: "Pods that run as an account of Active Directory: credential specs, and the webhook that resolves them.",
		rules: "MK140-MK142 MK517 MK540 MK542 MK544 MK804-MK805",
	},
	{
		Name: HostProcess, Title: "Host-process containers",
		About: "Containers that run on the Windows node itself, which is what Windows has in place of `privileged`.",
		rules: "MK160-MK163 MK204 MK209 MK219 MK509 MK515-MK516 MK532",
	},
	{
		Name: Images, Title: "Images",
		About: "The operating system that the name of an image indicates. If the name indicates none, preflight does " +
			"not report anything.",
		rules: "MK201-MK203 MK208 MK210-MK212 MK223-MK224",
	},
	{
		Name: Registries, Title: "Images in registries",
		About: "Data about an image in its registry: its platforms, its user, its size. `mixedkube images lock` " +
			"reads it from the registries and writes it to the lock file `mixedkube.images.yaml`.",
		rules: "MK213-MK218 MK220-MK222",
	},
	{
		Name: Commands, Title: "Commands and scripts",
		About: "Programs that the image or the operating system of a container does not have.",
		rules: "MK205-MK206 MK230-MK236 MK533-MK534",
	},
	{
		Name: Placement, Title: "Placement",
		About: "Where pods can land: on the pools of the topology, or, if there is no topology, on the nodes of any " +
			"cluster.",
		rules: "MK301-MK305 MK307-MK309 MK314-MK319",
	},
	{
		Name: Taints, Title: "Taints and DaemonSets",
		About: "Taints of pools, the tolerations of pods, and DaemonSets, whose pods go to every node that they " +
			"tolerate.",
		rules: "MK306 MK310-MK313",
	},
	{
		Name: RuntimeClasses, Title: "RuntimeClasses",
		About: "RuntimeClasses, and the pods that name them.",
		rules: "MK401-MK406 MK410-MK415 MK417-MK418",
	},
	{
		Name: Volumes, Title: "Volumes of pods",
		About: "Types of volumes and settings of mounts that Windows does not have, and paths of the other operating " +
			"system.",
		rules: "MK502-MK503 MK511-MK513 MK520-MK527 MK543",
	},
	{
		Name: Storage, Title: "Storage",
		About: "Persistent volumes, their file systems and their drivers.",
		rules: "MK504 MK529-MK531 MK537 MK539 MK541",
	},
	{
		Name: Resources, Title: "CPU, memory and disk",
		About: "Requests and limits, which Windows enforces in another way than Linux.",
		rules: "MK501 MK514 MK518 MK536",
	},
	{
		Name: Autoscaling, Title: "Autoscaling and disruption budgets",
		About: "HorizontalPodAutoscalers that cannot scale, and PodDisruptionBudgets that block the upgrade of a node.",
		rules: "MK538 MK570-MK571 MK802",
	},
	{
		Name: Services, Title: "Services",
		About: "How Services behave on Windows nodes.",
		rules: "MK601-MK605 MK801",
	},
	{
		Name: Networks, Title: "Networks",
		About: "The network of pods: what Windows does not have, and what the network of the cluster does not do for " +
			"Windows nodes.",
		rules: "MK505-MK506 MK535 MK803 MK806 MK870-MK872",
	},
	{
		Name: AddOns, Title: "Service meshes, Knative and Helm",
		About: "How Istio, Linkerd, Knative and Helm affect Windows pods. The rules about Helm are about the " +
			"resources of a Pulumi program: package guard and `manifest.NewChart` report them.",
		rules: "MK416 MK550-MK551 MK580-MK581",
	},
	{
		Name: Structure, Title: "API versions, fields and types",
		About: "Objects that the API server does not read as they are written.",
		rules: "MK104 MK164-MK169 MK590",
	},
	{
		Name: Annotations, Title: "Annotations of mixedkube",
		About: "The annotations that ignore a rule, that say what pods run on, and that mark what mixedkube has added.",
		rules: "MK901-MK904",
	},
	{
		Name: AKS, Title: "AKS: clusters",
		About: "What Azure Kubernetes Service requires of a cluster with Windows pools.",
		rules: "MK704 MK709-MK712 MK718-MK726 MK730 MK750-MK768 MK770-MK771 MK775-MK776 MK781-MK788",
	},
	{
		Name: AKSPools, Title: "AKS: node pools",
		About: "What Azure Kubernetes Service requires of a node pool.",
		rules: "MK701-MK703 MK705-MK708 MK713-MK717 MK727-MK729 MK731-MK749 MK772-MK774 MK789-MK793 MK853",
	},
	{
		Name: AKSExisting, Title: "AKS: existing clusters",
		About: "What is different when the cluster or the pool already exists in Azure.",
		rules: "MK769 MK777-MK779 MK795-MK798 MK850-MK852",
	},
	{
		Name: Kubeadm, Title: "Clusters on virtual machines",
		About: "What Azure, kubeadm and the bootstrap of the nodes require of a cluster on virtual machines.",
		rules: "MK640-MK699",
	},
}
