package stackconfig

import (
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Kubeadm says how the stack makes its cluster on Azure virtual machines. Its words are
// those of components/kubeadm, which checks them.
type Kubeadm struct {
	// ResourceGroupName is the group of the cluster. Empty for one of its own.
	ResourceGroupName string
	// ClusterName begins the names in Azure. Empty for the stack's.
	ClusterName string
	// Location is the region. Empty for that of the provider's configuration.
	Location string
	// ControlPlane is its machines.
	ControlPlane ControlPlane
	// Network is that of the pods.
	Network PodNetwork
	// LinuxAdmin and WindowsAdmin are the administrators of the machines. The password of
	// the latter is a value of its own, [KeyWindowsPassword].
	LinuxAdmin   LinuxAdmin
	WindowsAdmin WindowsAdmin
	// APIServer says who reaches it.
	APIServer APIServer
	// NodePortSources are who reaches NodePorts from elsewhere.
	NodePortSources []string
	// ServicePorts are those of the load balancer before the pools.
	ServicePorts []ServicePort
	// Kubelet has options of the kubelets by the names of their pools.
	Kubelet map[string]Kubelet
	// Hashes are those of downloads by their addresses, beside the known ones.
	Hashes map[string]string
	// Unprotected lets Pulumi delete the control plane.
	Unprotected bool
}

// ControlPlane is the machines of a control plane.
type ControlPlane struct {
	Count        int
	Size         string
	OSDiskSizeGB int
	Zones        []string
}

// PodNetwork is the network of the pods of a self-managed cluster.
type PodNetwork struct {
	Kind                           string
	NodeCIDR, PodCIDR, ServiceCIDR netip.Prefix
	NodeMaskSize                   int
}

// LinuxAdmin is the administrator of the Linux machines.
type LinuxAdmin struct{ Username, SSHPublicKey string }

// APIServer says who reaches the API server.
type APIServer struct {
	AuthorizedIPRanges []string
	Private            bool
}

// ServicePort is a port of a load balancer that leads to a NodePort.
type ServicePort struct {
	Port, NodePort int
	Sources        []string
}

// Kubelet is options of kubelets, as components/bootstrap has them.
type Kubelet struct {
	SystemReserved                        map[string]string
	KubeReserved                          map[string]string
	EvictionHard                          map[string]string
	EvictionSoft, EvictionSoftGracePeriod map[string]string
	PriorityClass                         string
}

func decodeKubeadm(v value) *Kubeadm {
	object, ok := v.object()
	if !ok {
		return nil
	}
	k := &Kubeadm{
		ResourceGroupName: object.text("resourceGroupName"),
		ClusterName:       object.text("clusterName"),
		Location:          object.text("location"),
		NodePortSources:   object.texts("nodePortSources"),
		Hashes:            object.textsByKey("hashes"),
		Unprotected:       object.boolean("unprotected"),
	}
	if part, ok := object.part("controlPlane"); ok {
		k.ControlPlane = ControlPlane{
			Count: part.integer("count"), Size: part.text("size"), OSDiskSizeGB: part.integer("osDiskSizeGB"),
			Zones: part.texts("zones"),
		}
		part.finish()
	}
	if part, ok := object.part("network"); ok {
		k.Network = PodNetwork{
			Kind: part.text("kind"), NodeCIDR: part.prefix("nodeCIDR"), PodCIDR: part.prefix("podCIDR"),
			ServiceCIDR: part.prefix("serviceCIDR"), NodeMaskSize: part.integer("nodeMaskSize"),
		}
		part.finish()
	}
	if part, ok := object.part("linuxAdmin"); ok {
		k.LinuxAdmin = LinuxAdmin{Username: part.text("username"), SSHPublicKey: part.text("sshPublicKey")}
		part.finish()
	}
	if v, ok := object.get("windowsAdmin"); ok {
		k.WindowsAdmin = decodeWindowsAdmin(v)
	}
	if part, ok := object.part("apiServer"); ok {
		k.APIServer = APIServer{AuthorizedIPRanges: part.texts("authorizedIPRanges"), Private: part.boolean("private")}
		part.finish()
	}
	if v, ok := object.get("servicePorts"); ok {
		for _, element := range v.list() {
			k.ServicePorts = append(k.ServicePorts, decodeServicePort(element))
		}
	}
	if part, ok := object.part("kubelet"); ok {
		k.Kubelet = map[string]Kubelet{}
		for pool, raw := range part.values {
			k.Kubelet[pool] = decodeKubelet(value{part.path.Key(pool), raw, part.errs})
		}
	}
	object.finish()
	return k
}

func decodeServicePort(v value) ServicePort {
	object, ok := v.object()
	if !ok {
		return ServicePort{}
	}
	p := ServicePort{
		Port: object.integer("port"), NodePort: object.integer("nodePort"),
		Sources: object.texts("sources"),
	}
	object.finish()
	return p
}

func decodeKubelet(v value) Kubelet {
	object, ok := v.object()
	if !ok {
		return Kubelet{}
	}
	k := Kubelet{
		SystemReserved:          object.textsByKey("systemReserved"),
		KubeReserved:            object.textsByKey("kubeReserved"),
		EvictionHard:            object.textsByKey("evictionHard"),
		EvictionSoft:            object.textsByKey("evictionSoft"),
		EvictionSoftGracePeriod: object.textsByKey("evictionSoftGracePeriod"),
		PriorityClass:           object.text("priorityClass"),
	}
	object.finish()
	return k
}

// part is an object below a key.
func (o *object) part(key string) (*object, bool) {
	v, ok := o.get(key)
	if !ok {
		return nil, false
	}
	return v.object()
}

// texts is a list of strings.
func (o *object) texts(key string) []string {
	v, ok := o.get(key)
	if !ok {
		return nil
	}
	var texts []string
	for _, element := range v.list() {
		if text, ok := element.text(); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// textsByKey is an object of strings.
func (o *object) textsByKey(key string) map[string]string {
	part, ok := o.part(key)
	if !ok {
		return nil
	}
	texts := map[string]string{}
	for name, raw := range part.values {
		if text, ok := (value{part.path.Key(name), raw, part.errs}).text(); ok {
			texts[name] = text
		}
	}
	return texts
}

// prefix is a range of addresses, the zero one if there is none.
func (o *object) prefix(key string) netip.Prefix {
	v, ok := o.get(key)
	if !ok {
		return netip.Prefix{}
	}
	text, ok := v.text()
	if !ok {
		return netip.Prefix{}
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		v.report(field.Invalid(v.path, text, "must be a CIDR, 10.240.0.0/24 for example"))
	}
	return prefix
}
