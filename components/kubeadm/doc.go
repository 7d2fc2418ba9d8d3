// Package kubeadm creates self-managed mixed clusters on Azure virtual machines: a Linux control
// plane, and pools of Linux and Windows machines that join with kubeadm as package
// [github.com/mixedkube/mixedkube/components/bootstrap] describes.
//
// [NewCluster] creates a cluster with its pools. [NewNodePool] creates a pool that joins an
// existing cluster. Both check their arguments before they send anything to Azure, and report all
// errors at once: RULES.md lists the rules.
//
// # Where the keys come from
//
// The program makes all keys from one secret: the certificate authorities of the cluster, of etcd
// and of the front proxy, the key of the service accounts, the key that encrypts Secrets in etcd,
// the bootstrap tokens, and the certificate of the kubeconfig. The same secret and the same name of
// the cluster give the same keys (HKDF, RFC 5869; ECDSA P-256, signed as in RFC 6979), so that the
// program has them again each time it runs. Nothing has to come back from the machines: no key is
// ever read from one, and machines can be told in advance which authority to trust.
//
// The secret is generated at random when the cluster is created, and a resource of the stack stores
// it (NAME-keys-0, a [pulumi.Stash]): no later update, preview or refresh generates another one.
// The resource is protected, unless [ClusterArgs.Unprotected] is set. It also stores the day, from
// which the authorities are valid for ten years, and fingerprints of the keys: a preview fails if a
// key has changed (MK666). Anyone who has the secret controls the cluster. If the keys must outlive
// the state, or come from a vault, set the secret ([Keys.Secrets]) or the pairs themselves
// ([Key.Pairs]).
//
// A configured secret is stretched (scrypt), so that each guess at it takes some tenths of a second
// and 128 MB. Two clusters with the same secret share no key, unless they have the same name.
// Renaming the stack changes nothing.
//
// # How keys are replaced
//
// Each kind of key has generations, which are made from different secrets. It takes three updates
// to replace the generation that signs ([Key]):
//
//	Cluster: kubeadm.Key{Generation: 0, Trusted: []int{1}} // all trust the next one
//	Cluster: kubeadm.Key{Generation: 1, Trusted: []int{0}} // it signs
//	Cluster: kubeadm.Key{Generation: 1}                    // the old one is no longer trusted
//
// The machines of the control plane get the keys by a Run Command of Azure, one machine after the
// other. It installs the keys and restarts the components that have them in memory. Machines of
// pools cannot get new keys: if the cluster's authority is replaced, the first two updates replace
// these machines. After an update that fails, the next one continues. docs/leaked-keys.md describes
// what to do when a key, a token or a kubeconfig has leaked.
//
// The program also makes the kubeconfig ([Cluster.Kubeconfig]). It is for the group
// kubeadm:cluster-admins, which kubeadm binds to cluster-admin, and has the public address of the
// API server and tls-server-name kubernetes. Its certificate is valid for a month. Each week the
// program makes another one, which changes the output and the provider, and nothing else. The
// provider in the state has the certificate of the last update. If the last update was more than 24
// days ago, run `pulumi up` before commands that do not run the program, or have them run it
// (`pulumi destroy --run-program`).
//
// The state contains, encrypted: the customData of the machines, the settings of their extensions
// with all secrets for the machine, and the kubeconfig.
//
// # How machines are told secrets
//
// A machine gets its secrets in the protectedSettings of an extension. Azure encrypts those for the
// machine and does not show them in its API. But on the machine Azure's WireServer, 168.63.129.16,
// serves them, together with the means to decrypt them, to every client with the machine's address
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16), and the
// packets of a pod have that address when they leave. Nodes keep pods from it ("What pods can
// reach"). In case a pod does reach it, the content of the settings is encrypted a second time,
// with a key of that machine which is in its customData ([bootstrap.PayloadKey]). The WireServer
// does not serve customData, and neither does the metadata service
// (https://learn.microsoft.com/azure/virtual-machines/custom-data). Neither of the two alone gives
// away a secret of the cluster. Both together give all secrets of the machine. The following have
// both:
//   - root on the machine, and anyone who has its disk or a copy of it: cloud-init and Azure's
//     agent keep customData below /var/lib/cloud and /var/lib/waagent, and the agent the
//     settings. On Windows they are in C:\AzureData and C:\WindowsAzure and
//     C:\Packages; once the script has started, only the system and the administrators can
//     read C:\AzureData\CustomData.bin;
//   - a pod that mounts these folders, or is privileged. A pod in the host's network, or a
//     host-process container as LocalService, has the settings, but not the key, unless it
//     can also read files of root, or of the administrators;
//   - anyone who reads the stack's state with its passphrase.
//
// On a machine of the control plane the secrets are the private keys of the cluster, which kubeadm
// keeps on its disk in any case. On any other machine it is a token, which is deleted when the
// machine has joined. The file with the key is removed when a Linux machine has become a node, and
// so is the extension's copy of the script.
//
// On Windows the settings are a command line, because Azure accepts nothing else there: if a
// machine's policy records the command lines of processes, the record (event 4688) has the
// encrypted text. If it records script blocks (event 4104), the record also has the key, and so the
// token, for as long as that is valid.
//
// # How machines join
//
// A Linux machine gets its files from cloud-init, and the secret ones from the extension
// CustomScript, which then waits until the machine is a node. A Windows machine only stores its
// customData; a CustomScriptExtension runs it, together with the secrets. It installs features of
// Windows, restarts, continues by itself, and takes tens of minutes.
//
// A machine finds the cluster by a file with the certificate of its authority, which is public, and
// does not contact a server that it does not trust. A machine outside of this component needs
// [Cluster.CACertificate] for that: the hash alone is not enough, because anonymous users cannot
// read the ConfigMap cluster-info.
//
// Each machine has a bootstrap token of its own, made from the secret, the machine's name and
// Azure's ID of this creation of the machine. A token is not a resource and not in the state. Hooks
// of Pulumi create its Secret in the cluster just before the machine gets the token, valid for two
// hours, and remove it when the machine has joined. A machine that has joined does not get another
// one: neither by `pulumi refresh`, nor when its extension runs again. If a token cannot be
// removed, a warning is logged, and the token expires.
//
// The program itself therefore connects to the API server, with the certificate of
// [Cluster.Kubeconfig] and through the proxy of HTTPS_PROXY: `pulumi up` must run where it can
// reach it. Pulumi must be 3.217.0 or newer; an older one is an error before anything is created.
//
// When a machine has joined, a Job waits for up to an hour until its node is Ready: its pod runs
// only on that node. [Cluster.Provider] is ready when all nodes are. The node is a resource of the
// program, so that it is deleted with its machine. A machine that is created again under its name
// is another node, for which a Job waits as well.
//
// # The API server
//
// The API servers write an audit log on their machines, in /var/log/kubernetes/audit, which records
// who did what and when, and never a body. They encrypt Secrets before etcd stores them, answer
// anonymous requests only for health checks, and show no profiles. [APIServer.Options] has a policy
// of your own, the users of an OpenID Connect provider, a Pod Security Standard for all namespaces,
// and further names and arguments: [bootstrap.APIServerOptions] documents what takes effect when.
// Clusters that an older release of this library has created stay as they are: kubeadm's ConfigMap
// kubeadm-config has their arguments.
//
// Tokens of service accounts are signed with ES256. For a federation that accepts only RS256, set
// an RSA pair ([Keys.ServiceAccounts]).
//
// # Certificates
//
// The authorities are valid for ten years, starting with the day on which their generation was
// first used: replace them before they expire ("How keys are replaced"). The certificates that
// kubeadm makes with them, of the API server, etcd, the controller manager and the scheduler,
// expire after a year. The machines of the control plane renew them: once a month each of them, on
// a day of its own, runs `kubeadm certs renew all` and restarts the four components, one after the
// other (mixedkube-renew-certificates.timer; `journalctl -u mixedkube-renew-certificates` shows the
// log). `kubeadm certs check-expiration` shows how long the certificates are valid. Kubelets renew
// their own. Machines that an older release of this library has created do not have this timer: run
// both commands of `kubeadm certs` by hand each year, and restart the static pods, or run `kubeadm
// upgrade`, which also renews them.
//
// On a machine of the control plane, an administrator's key is only in /etc/kubernetes/admin.conf:
// use `kubectl --kubeconfig /etc/kubernetes/admin.conf` there. The file super-admin.conf, whose
// user's permissions cannot be revoked, is removed when the cluster is created; `kubeadm init phase
// kubeconfig super-admin` makes it again for an emergency.
//
// # The network
//
// Machines are in a virtual network with two subnets, one for the control plane and one for the
// nodes. FLOWS.md lists each flow that their security groups let in, with its reason. Everything
// else is denied, even from inside the network. No port is open for SSH, RDP or WinRM. Packets
// leave through a NAT gateway.
//
// In front of the API servers are a load balancer inside the network, whose address the nodes use,
// and one with a public address, unless [APIServer] is private. The address inside stays the same
// when the control plane grows from one machine to three.
//
// Every kind of network of package [github.com/mixedkube/mixedkube/components/bootstrap/network]
// works except calico-bgp. For upstream-l3 the router is an Azure route table, with a route to each
// machine. host-gateway has the table as well: Azure's network looks at the destination of a
// packet, not at the next hop that a machine sends it to. The component installs flannel-vxlan, and
// kube-proxy for Windows if it is needed. Install Calico and Antrea yourself, with
// [Cluster.NetworkProvider]: until then no node becomes Ready.
//
// There is no cloud controller: Services of the type LoadBalancer get no address. Use NodePorts,
// and [ClusterArgs.ServicePorts] for a load balancer in front of them. Install Metrics Server and
// the webhook for gMSA yourself, too. [Cluster.Topology] lists these features as missing, so that a
// preview reports a workload that needs one; when you have installed a feature, take it off the
// list with the method With. Volumes need drivers that you install. Machines of a pool with zones
// are spread over the zones, but their nodes get no label for it: if you need one, make a pool for
// each zone, with the label topology.kubernetes.io/zone.
//
// # What pods can reach
//
// Azure serves the protected settings of a machine, and what decrypts them, to every client of the
// WireServer with the machine's address: 168.63.129.16 with the TCP ports 80 and 32526. That would
// be every pod of the machine, because the packets of pods leave with its address. So the component
// keeps all pods from these ports. It also keeps them from the instance metadata service,
// 169.254.169.254, which gives out tokens of the machine's identity, unless
// [ClusterArgs.PodsReachInstanceMetadata] is set. Azure's DNS, 168.63.129.16 with port 53, stays
// open. A security group cannot do this: it does not distinguish a pod's packets from the
// machine's.
//
// On Linux machines rules of nftables do it, with every kind of network. On Windows machines
// policies of HNS in the CNI configuration do it; they have never run on Windows, and the field
// WithoutWindowsACLs of [ClusterArgs.Network] leaves them out. For Calico and Antrea apply the
// policies that Network.EgressPolicies of the [Cluster] returns, as soon as the network runs: until
// then the pods of their Windows machines are not kept from anything. BlockedEgress of the network
// adds further destinations.
//
// Pods with hostNetwork, privileged pods and host-process containers count as the machine itself
// and reach both. Pod Security admission, in its levels baseline and restricted, refuses all three.
// Package [github.com/mixedkube/mixedkube/components/bootstrap/network] documents what else is not
// covered.
//
// A machine has the rules from its creation. A machine that an older version of this library
// created has none, and the argument changes nothing on existing machines. Rename the pool to get
// new machines.
//
// # What changes in place, and what does not
//
// A machine stays as it was created. The size, platform, image, disk, zones, labels, taints,
// kubelet options, security, patch settings and version of Kubernetes of a pool are in the names of
// its machines, as a hash: a change of one of them creates other machines, and deletes the old ones
// only when all new ones are Ready. Two versions of a pool have the same hash by chance once in
// 46656 times; in this case Azure refuses the change, or it has no effect: rename the pool. A
// change of the count only adds or removes machines. Other pools are never touched.
//
// If an update removes nodes, because their pool gets other machines, fewer machines, or is
// removed, it drains them first. When all new nodes are Ready, and before anything is deleted, it
// cordons the nodes and evicts their pods, one node after the other, as `kubectl drain
// --ignore-daemonsets --delete-emptydir-data --force` does. PodDisruptionBudgets are respected:
// create one for pods that must stay available. If pods of a node are still running after 30
// minutes, or after the DrainTimeoutMinutes of its pool's Upgrade, the update stops with an error
// that names them, and nothing is deleted. The next update continues. The nodes stay cordoned: if
// you revert the change instead, run `kubectl uncordon` for them. `pulumi destroy` drains nothing,
// and neither does `--replace`. Nothing drains the nodes of [NewNodePool]: run `kubectl drain`
// first.
//
// Passwords, keys of administrators, images named latest, tokens and scripts of existing machines
// do not change with the program. If a machine's bootstrap has failed for good, replace the
// machine: `pulumi up --refresh --replace URN` with the URN of the virtual machine.
//
// To patch a pool, raise the version of its [Image]: it gets other machines. An image without a
// version, or named latest, is the image of the day on which a machine is created. Nothing else
// patches Windows machines, and nothing restarts Linux machines: docs/patching.md describes what to
// do, including for the control plane.
//
// The machines of the control plane are protected: Pulumi refuses to delete or to replace them,
// unless [ClusterArgs.Unprotected] is set. Their size changes in place, with a restart; their image
// and their security do not change with the program. To change the control plane's version, run
// `kubeadm upgrade` on its machines
// (https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-upgrade/), and then raise
// [ClusterArgs.KubernetesVersion]: the machines of pools follow. If you raise it first, the new
// machines cannot join, and the old ones stay.
//
// `pulumi destroy` first removes the objects that the program itself has created in the cluster. If
// the cluster's API server no longer answers, set PULUMI_K8S_DELETE_UNREACHABLE=true for it.
//
// # How Azure guards the machines
//
// Machines whose size and image support it start with Trusted Launch: Secure Boot and a virtual
// TPM. Encryption at host is an option, because a subscription must register for it first: see
// [Security]. No machine has an identity in Azure, a public address or an open port for
// administrators.
//
// # Testing
//
// Package [github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest] stands in for Azure in
// unit tests.
package kubeadm
