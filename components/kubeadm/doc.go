// Package kubeadm makes self-managed clusters with Linux and Windows nodes on virtual machines in Azure: a Linux
// control plane, and pools of machines that join with kubeadm. Package
// [github.com/mixedkube/mixedkube/components/bootstrap] describes what a machine needs and gets.
//
// [NewCluster] makes a cluster with its pools, and [NewNodePool] makes a pool that joins a cluster made elsewhere.
// Both check their arguments before they send anything to Azure, and report everything that is wrong at once:
// docs/rules/kubeadm.md lists the rules.
//
// # Keys
//
// The program makes all keys from one secret: the certificate authorities of the cluster, of etcd and of the front
// proxy, the key of the service accounts, the key that encrypts Secrets in etcd, the bootstrap tokens, and the
// certificate of the kubeconfig. The same secret and the same name of the cluster give the same keys (HKDF, RFC 5869;
// ECDSA P-256, signed as in RFC 6979). So each run of the program has the keys again, and never reads one from a
// machine.
//
// The first update draws the secret at random, and a resource of the stack keeps it (NAME-keys-0, a [pulumi.Stash]).
// No later update, preview or refresh draws another one. The resource is protected, unless [ClusterArgs.Unprotected]
// is set. It also keeps the day from which the authorities are valid for ten years, and fingerprints of the keys: a
// preview fails if a key differs from the one that it was (MK666). Whoever has the secret has the cluster. If the
// keys must outlive the state, or come from a vault, give the secret ([Keys.Secrets]) or the pairs ([Key.Pairs]).
//
// A secret that you give is stretched (scrypt), so that each guess at it takes some tenths of a second and 128 MB.
// Two clusters with the same secret share no key, unless they have the same name. Renaming the stack changes nothing.
//
// Each kind of key has generations, which are made from different secrets. Three updates replace the one that signs
// ([Key]): docs/leaked-keys.md has the steps, and says what to do when a key, a token or a kubeconfig has leaked. A
// Run Command of Azure brings the keys to the machines of the control plane, one after the other. A machine of a pool
// never gets other keys: if the authority of the cluster is replaced, other machines take the place of those of the
// pools.
//
// [Cluster.Kubeconfig] is for the group kubeadm:cluster-admins, which kubeadm binds to cluster-admin. Its certificate
// is valid for a month, and each week the program makes another one, which changes the output and the provider and
// nothing else. The provider in the state has the certificate of the last update. If that is more than 24 days ago,
// run `pulumi up` before commands that do not run the program, or have them run it (`pulumi destroy --run-program`).
//
// The state has, encrypted: the customData of the machines, the settings of their extensions with everything that a
// machine is told in secret, and the kubeconfig.
//
// # Secrets on machines
//
// A machine gets its secrets in the protectedSettings of an extension. Azure encrypts those for the machine and does
// not show them in its API. On the machine, its WireServer at 168.63.129.16 returns them, together with what decrypts
// them, to everything that asks from the machine's address
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16), which is also the address of
// what pods send. The nodes keep pods from the WireServer, see "What pods can reach". In addition, the settings are
// encrypted with a key of the machine, which is in its customData ([bootstrap.PayloadKey]). Neither the WireServer
// nor the metadata service returns customData (https://learn.microsoft.com/azure/virtual-machines/custom-data).
// Whoever has both has what the machine was told:
//
//   - root on the machine, and whoever has its disk or a copy of it. cloud-init and Azure's agent keep customData
//     below /var/lib/cloud and /var/lib/waagent, and the agent keeps the settings. On Windows they are in
//     C:\AzureData, C:\WindowsAzure and C:\Packages. As soon as the script runs, only the system and the
//     administrators can read C:\AzureData\CustomData.bin;
//   - a pod that mounts these folders, or that is privileged. A pod with the host's network, or a host-process
//     container as LocalService, has the settings but not the key, unless it can also read files of root or of the
//     administrators;
//   - whoever reads the state of the stack with its passphrase.
//
// On a machine of the control plane these are the private keys of the cluster, which kubeadm keeps on its disk in any
// case. On another machine it is a token, which is removed when the machine has joined. When a Linux machine is a
// node, the file with the key and the extension's copy of the script are removed.
//
// On Windows the settings are a command line, because Azure takes nothing else there. If a policy of the machine
// records the command lines of processes, the record (event 4688) has the encrypted text. If it records the blocks of
// scripts (event 4104), the record also has the key, and so the token, which is valid for two hours at most.
//
// # How machines join
//
// A Linux machine gets its files from cloud-init and the secret ones from the extension CustomScript, which waits
// until the machine is a node. A Windows machine only keeps its customData. A CustomScriptExtension runs it together
// with the secrets: it installs features of Windows, restarts, goes on by itself, and takes tens of minutes.
//
// A machine finds the cluster by a file with the certificate of its authority, which is public. A machine from
// elsewhere needs [Cluster.CACertificate]: the hash alone is not enough, because anonymous users cannot read the
// ConfigMap cluster-info.
//
// Each machine has a bootstrap token of its own, made from the secret, the machine's name and Azure's ID of this
// creation of the machine. A token is neither a resource nor in the state. Hooks of Pulumi make its Secret in the
// cluster just before the machine is told, valid for two hours, and remove it when the machine has joined. A machine
// that has joined gets no further token. A token that cannot be removed is a warning, and expires.
//
// So the program itself calls the API server, with the certificate of [Cluster.Kubeconfig] and through the proxy in
// HTTPS_PROXY: run `pulumi up` where it can reach the API server. Pulumi must be 3.217.0 or newer; an older one is an
// error before anything is made.
//
// When a machine has joined, a Job, whose pod runs only on the new node, waits up to an hour until the node is Ready.
// [Cluster.Provider] is there when all nodes are. The node is a resource of the program, and goes when its machine
// goes.
//
// # The API server
//
// The API servers write an audit log into /var/log/kubernetes/audit of their machines, with who did what and when,
// and never a body. They encrypt Secrets in etcd, answer anonymous requests only for health checks, and show no
// profiles. [APIServer.Options] has a policy of your own, the users of an OpenID Connect provider, a Pod Security
// Standard for all namespaces, and further names and arguments: see [bootstrap.APIServerOptions] for when a change
// takes effect. A cluster that an older release of this library has made keeps its arguments, which are in the
// ConfigMap kubeadm-config.
//
// Tokens of service accounts are signed with ES256. For a federation that takes only RS256, give an RSA pair
// ([Keys.ServiceAccounts]).
//
// The authorities are valid for ten years from the day on which their generation was first used: replace them before.
// The certificates that kubeadm makes with them expire after a year. Once a month, on a day of its own, each machine
// of the control plane renews them and restarts its four components, one after the other
// (mixedkube-renew-certificates.timer). `kubeadm certs check-expiration` shows how long they last. Kubelets renew
// their own. A machine that an older release of this library has made has no such timer: each year run `kubeadm certs
// renew all` and restart the static pods, or run `kubeadm upgrade`.
//
// On a machine of the control plane only /etc/kubernetes/admin.conf has the key of an administrator. The file
// super-admin.conf, whose user keeps all rights whatever you change, is removed when the cluster is made. For an
// emergency, `kubeadm init phase kubeconfig super-admin` makes it again.
//
// # The network
//
// The machines are in a virtual network with two subnets, one for the control plane and one for the nodes. FLOWS.md
// lists each flow that their security groups allow, with its reason. Everything else is denied, also from inside the
// network. No port is open for SSH, RDP or WinRM. Packets leave by a NAT gateway.
//
// In front of the API servers are a load balancer inside the network, whose address the nodes use, and one with a
// public address, unless [APIServer] is private. The address inside stays the same when the control plane grows from
// one machine to three.
//
// All kinds of networks of package [github.com/mixedkube/mixedkube/components/bootstrap/network] work, except
// calico-bgp. For upstream-l3 and host-gateway an Azure route table has a route to each machine, because Azure's
// network looks at the destination of a packet and not at the neighbour that a machine hands it to. The component
// installs flannel-vxlan, and kube-proxy for Windows if the network needs it. You install Calico and Antrea, with
// [Cluster.NetworkProvider]: until then no node becomes Ready.
//
// There is no cloud controller, so Services of the type LoadBalancer get no address. Use node ports, and
// [ClusterArgs.ServicePorts] for a load balancer in front of them. You also install Metrics Server, the webhook for
// gMSA, and the drivers of volumes. [Cluster.Topology] says that the cluster lacks them, so that a preview finds a
// workload that needs one; its method With says that you have installed one. Zones spread the machines of a pool, but
// nothing labels their nodes: for that, make a pool for each zone with the label topology.kubernetes.io/zone.
//
// # What pods can reach
//
// The component keeps pods from the ports 80 and 32526 of the WireServer, 168.63.129.16, which would give a pod the
// secrets of its machine. It keeps them also from the instance metadata service, 169.254.169.254, which gives tokens
// of the machine's identity, unless [ClusterArgs.PodsReachInstanceMetadata] is set. Azure's DNS, port 53 of
// 168.63.129.16, stays open. A security group cannot do this, because it does not tell the packets of a pod from
// those of its machine.
//
// On Linux machines rules of nftables do it, in every network. On Windows machines policies of HNS in the CNI
// configuration do it. They have never run on Windows; WithoutWindowsACLs of [ClusterArgs.Network] leaves them out.
// With Calico and Antrea, apply what Network.EgressPolicies of the [Cluster] returns as soon as they run: until then
// nothing keeps back the pods on Windows machines. BlockedEgress of the network adds destinations.
//
// Pods with hostNetwork, privileged pods and host-process containers are like the machine itself and reach both. Pod
// Security admission refuses all three in its levels baseline and restricted. Package
// [github.com/mixedkube/mixedkube/components/bootstrap/network] says what else is not covered.
//
// A machine has the rules from its creation. A machine that an older release of this library made has none, and the
// argument changes nothing on it: give the pool another name, so that it gets new machines.
//
// # What changes in place
//
// A machine stays as it was made. The size, platform, image, disk, zones, labels, taints, kubelet options, security,
// patch settings and version of Kubernetes of a pool are in the names of its machines, as a hash. If one of them
// changes, the pool gets other machines, and the old ones go when all new ones are Ready. Two versions of a pool have
// the same hash by chance once in 46656 times; Azure then refuses the change, or it has no effect: give the pool
// another name. docs/patching.md describes how to patch machines with it.
//
// When all new nodes are Ready and before anything is deleted, the nodes that go are cordoned and drained, one after
// the other, as by `kubectl drain --ignore-daemonsets --delete-emptydir-data --force`. PodDisruptionBudgets are
// respected. If pods of a node are still there after 30 minutes, or after the DrainTimeoutMinutes of the pool's
// Upgrade, the update stops with an error that names them, and deletes nothing. The next update goes on. If you take
// the change back instead, `kubectl uncordon` the nodes. `pulumi destroy`, `--replace` and [NewNodePool] drain
// nothing: run `kubectl drain` first.
//
// Passwords, keys of administrators, images named latest, tokens and scripts of existing machines do not change with
// the program. If the bootstrap of a machine has failed for good, make the machine again: run `pulumi up --refresh
// --replace URN` with the URN of the virtual machine.
//
// Pulumi refuses to delete or to replace the machines of the control plane, unless [ClusterArgs.Unprotected] is set.
// Their size changes in place, with a restart. Their image and their security do not change with the program. To
// change their version, run `kubeadm upgrade` on them
// (https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-upgrade/), and then raise
// [ClusterArgs.KubernetesVersion]: the machines of the pools follow. If you raise it before, they cannot join, and
// the old ones stay.
//
// `pulumi destroy` first removes what the program has made in the cluster. If the API server does not answer any
// more, set PULUMI_K8S_DELETE_UNREACHABLE=true.
//
// If size and image support it, machines start with Trusted Launch: Secure Boot and a virtual TPM. Encryption at host
// is an option, because you have to register the subscription for it first: see [Security]. No machine has an
// identity in Azure or a public address.
//
// # Testing
//
// Package [github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest] stands in for Azure in unit tests.
package kubeadm
