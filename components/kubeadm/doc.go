// Package kubeadm makes self-managed mixed clusters on Azure virtual machines: a Linux
// control plane and pools of Linux and Windows machines, which join with kubeadm as
// package [github.com/mixedkube/mixedkube/components/bootstrap] says.
//
// [NewCluster] makes a cluster with its pools, [NewNodePool] a pool that joins a cluster
// made elsewhere. Both check their arguments before anything is sent to Azure, and say all
// that is wrong at once: RULES.md lists the rules.
//
// # Where the keys come from
//
// The program makes all keys from one secret: the certificate authorities of the cluster, of
// etcd and of the front proxy, the key of the service accounts, the key that Secrets are
// encrypted with in etcd, the bootstrap tokens, and the certificate of the kubeconfig. The same
// secret and name of the cluster give the same keys (HKDF, RFC 5869; ECDSA P-256, signed as in
// RFC 6979), so that the program has them again each time it runs. Nothing has to come back from
// the machines: no key is ever read from one, and machines can be told in advance whom to
// trust.
//
// The secret is drawn at random when the cluster is made, and a resource of the stack keeps it
// (NAME-keys-0, a [pulumi.Stash]): no later update, preview or refresh draws another one. The
// resource is protected, unless [ClusterArgs.Unprotected] is set. It keeps the day as well, from
// which the authorities are valid for ten years, and fingerprints of the keys: a preview fails
// if a key is another one than it was (MK666). Who has the secret has the cluster. If the keys
// shall outlive the state, or come from a vault, give the secret ([Keys.Secrets]) or the pairs
// themselves ([Key.Pairs]).
//
// A secret that is given is stretched (scrypt), so that each guess at it takes some tenths of a
// second and 128 MB. Two clusters with the same secret share no key, unless they have the same
// name. Renaming the stack changes nothing.
//
// # How keys are replaced
//
// Each kind of key has generations, which are made from different secrets. Another one takes the
// place of the one that signs in three updates ([Key]):
//
//	Cluster: kubeadm.Key{Generation: 0, Trusted: []int{1}} // all trust the next one
//	Cluster: kubeadm.Key{Generation: 1, Trusted: []int{0}} // it signs
//	Cluster: kubeadm.Key{Generation: 1}                    // nobody trusts the old one any more
//
// The machines of the control plane are told by a Run Command of Azure, one after the other,
// which installs the keys and restarts what has them in memory. Machines of pools are never
// told anything later: in the first two updates other machines take their place, if the
// authority of the cluster is what is replaced. An update that fails is taken up again by the
// next one. docs/leaked-keys.md says what to do when a key, a token or a kubeconfig has leaked.
//
// The kubeconfig ([Cluster.Kubeconfig]) is made in the program as well, for the group
// kubeadm:cluster-admins that kubeadm binds to cluster-admin, with the public address of
// the API server and tls-server-name kubernetes. Its certificate is valid for a month, and each
// week the program makes another one, which changes the output and the provider, and nothing
// else. The provider in the state has that of the last update. Where that is more than 24 days
// ago, run `pulumi up` before commands that do not run the program, or have them run it
// (`pulumi destroy --run-program`).
//
// In the state there are, encrypted: the customData of the machines, the settings of their
// extensions with all that a machine must be told in secret, and the kubeconfig.
//
// # How machines are told secrets
//
// A machine is told its secrets by the protectedSettings of an extension. Azure encrypts
// those for the machine and does not show them in its API. But its WireServer,
// 168.63.129.16, hands them out on the machine, together with the means to decrypt them, to
// whatever asks from the machine's address
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16): the
// packets of a pod have that address when they leave. Nodes keep pods from it ("What pods can
// reach"), and in case one does reach it, what is in the settings is
// encrypted once more, with a key of that machine which is in its customData
// ([bootstrap.PayloadKey]). The WireServer does not hand out customData, and the metadata
// service has none either (https://learn.microsoft.com/azure/virtual-machines/custom-data).
// Neither of the two is a secret of the cluster alone; who has both has what the machine was
// told. These are:
//   - root on the machine, and whoever has its disk or a copy of it: cloud-init and Azure's
//     agent keep customData below /var/lib/cloud and /var/lib/waagent, and the agent the
//     settings. On Windows they are in C:\AzureData and C:\WindowsAzure and
//     C:\Packages; the script lets only the system and the administrators read
//     C:\AzureData\CustomData.bin, from the moment on when it runs;
//   - a pod that mounts these folders, or is privileged. A pod of the host's network, or a
//     host-process container as LocalService, has the settings, and not the key: unless it
//     can read files of root, or of the administrators, too;
//   - who reads the stack's state with its passphrase.
//
// On a machine of the control plane these are the private keys of the cluster, which kubeadm
// keeps on its disk in any case; on another one a token, which is gone when the machine has
// joined. The file
// with the key is removed when a Linux machine is a node, and so is the extension's copy of
// the script.
//
// On Windows the settings are a command line, as Azure takes nothing else there: where a
// machine's policy records the command lines of processes, the record (event 4688) has the
// encrypted text. Where it records the blocks of scripts (event 4104), the record has the key
// as well, and so the token, as long as that is valid.
//
// # How machines join
//
// A Linux machine gets its files from cloud-init, and the secret ones from the extension
// CustomScript, which then waits until the machine is a node. A Windows machine only keeps
// its customData; a CustomScriptExtension runs it, together with the secrets. It installs
// features of Windows and restarts, continues by itself, and takes tens of minutes.
//
// A machine finds the cluster by a file with the certificate of its authority, which is
// public, and asks nobody whom it does not trust. A machine from elsewhere needs
// [Cluster.CACertificate] for that: the hash alone is not enough, as nobody who is anonymous
// can read the ConfigMap cluster-info.
//
// Each machine has a bootstrap token of its own, which is made from the secret, the machine's name
// and Azure's ID of this creation of the machine. A token is no resource and not in the state.
// Hooks of Pulumi make its Secret in the cluster just before the machine is told, valid for two
// hours, and remove it when the machine has joined. None is made for a machine that has: not by
// `pulumi refresh`, nor when its extension is repeated. One that cannot be removed is a warning,
// and expires.
//
// So the program itself talks to the API server, with the certificate of [Cluster.Kubeconfig] and
// through the proxy of HTTPS_PROXY: `pulumi up` has to run where it can reach it. Pulumi has to be
// 3.217.0 or newer; an older one is an error before anything is made.
//
// When a machine has joined, a Job waits until its node is Ready, for up to an hour: its
// pod runs on that node only. [Cluster.Provider] is there when all nodes are. The node is a
// resource of the program, so that it goes when its machine goes. A machine that is made again
// under its name is another node, and is waited for as well.
//
// # The API server
//
// The API servers write an audit log on their machines, in /var/log/kubernetes/audit, with
// who did what and when, and never a body; they encrypt Secrets before etcd gets them, answer
// nobody who is anonymous but health checks, and show no profiles. [APIServer.Options] has a
// policy of your own, the users of an OpenID Connect provider, a Pod Security Standard for
// all namespaces, and further names and arguments: see [bootstrap.APIServerOptions] for what
// takes effect when. Clusters that an older release of this library has made stay as they
// are: kubeadm's ConfigMap kubeadm-config has their arguments.
//
// Tokens of service accounts are signed with ES256. For a federation that takes RS256 only, give
// an RSA pair ([Keys.ServiceAccounts]).
//
// # Certificates
//
// The authorities are valid for ten years from the day on which their generation was first
// used: replace them before ("How keys are replaced"). The certificates that kubeadm makes with them, of
// the API server, etcd, the controller manager and the scheduler, expire after a year. The
// machines of the control plane renew them: once a month each of them, on a day of its own,
// runs `kubeadm certs renew all` and restarts the four components, one after the other
// (mixedkube-renew-certificates.timer; `journalctl -u mixedkube-renew-certificates` has what
// it did). `kubeadm certs check-expiration` shows how long they last. Kubelets renew their
// own. On machines that an older release of this library has made there is no such timer:
// run both commands of `kubeadm certs` by hand each year, and restart the static pods, or run
// `kubeadm upgrade`, which renews as well.
//
// On a machine of the control plane, an administrator's key is in /etc/kubernetes/admin.conf
// only: use `kubectl --kubeconfig /etc/kubernetes/admin.conf` there. The file
// super-admin.conf, whose user nobody can take anything away from, is removed when the
// cluster is made; `kubeadm init phase kubeconfig super-admin` makes it again for an
// emergency.
//
// # The network
//
// Machines are in a virtual network with two subnets, for the control plane and for the
// nodes. FLOWS.md lists each flow that their security groups let in, with its reason;
// everything else is denied, from inside the network too. No port is open for SSH, RDP or
// WinRM. Packets leave by a NAT gateway.
//
// Before the API servers are a load balancer inside the network, whose address the nodes
// use, and one with a public address, unless [APIServer] is private. The address inside
// stays the same when the control plane grows from one machine to three.
//
// Every kind of network of package
// [github.com/mixedkube/mixedkube/components/bootstrap/network] works but calico-bgp. For
// upstream-l3 the router is an Azure route table, with a route to each machine.
// host-gateway has it as well: Azure's network looks at the destination of a packet, not
// at the neighbour that a machine hands it to. flannel-vxlan is installed; kube-proxy for
// Windows is too, where it is needed. Calico and Antrea are yours to install, with
// [Cluster.NetworkProvider]: until then no node becomes Ready.
//
// There is no cloud controller: Services of the type LoadBalancer get no address. Use
// NodePorts, and [ClusterArgs.ServicePorts] for a load balancer before them. Metrics
// Server and the webhook for gMSA are yours to install, too. [Cluster.Topology] says that
// the cluster lacks all this, so that a workload that needs it is found in the preview;
// what you have installed you take out with its method With. Volumes are those of drivers
// that you install. Machines of a pool with zones are spread
// over them, but nobody labels their nodes: for that make a pool for each zone, with the
// label topology.kubernetes.io/zone.
//
// # What pods can reach
//
// Azure hands the protected settings of a machine, and what decrypts them, to whatever asks the
// WireServer from the machine's address: 168.63.129.16 with the TCP ports 80 and 32526. That
// would be every pod of the machine, as what pods send leaves with its address. So the
// component keeps all pods from these ports. It keeps them from the instance metadata service,
// 169.254.169.254, too, which gives tokens of the machine's identity, unless
// [ClusterArgs.PodsReachInstanceMetadata] is set. Azure's DNS, 168.63.129.16 with port 53, stays
// open. A security group cannot do this: it does not tell a pod's packets from the machine's.
//
// On Linux machines rules of nftables do it, whatever the network. On Windows machines policies
// of HNS in the CNI configuration do, which have never run on Windows: the field
// WithoutWindowsACLs of [ClusterArgs.Network] leaves them out. For Calico and Antrea apply what
// Network.EgressPolicies of the [Cluster] returns, as soon as they run: until then nothing keeps
// the pods of their Windows machines. Further destinations are BlockedEgress of the network.
//
// Pods with hostNetwork, privileged pods and host-process containers are as the machine itself
// and reach both. Pod Security admission, in its levels baseline and restricted, refuses all
// three. Package [github.com/mixedkube/mixedkube/components/bootstrap/network] says what else
// is not covered.
//
// A machine has the rules from its creation: one that an older version of this library made has
// none, and the argument changes nothing on machines that are there. Give the pool another
// name, so that it has new ones.
//
// # What changes in place, and what does not
//
// A machine stays as it was made. The size, platform, image, disk, zones, labels, taints,
// kubelet options, security, patch settings and version of Kubernetes of a pool are in the
// names of its machines, as a hash: a pool that changes in one of them gets other machines, and the old ones go only
// when all new ones are Ready. Two versions of a pool have the same hash by chance once in
// 46656 times; then the change is refused by Azure, or without effect: give the pool
// another name. More or fewer machines are just that. Other pools are never touched.
//
// Nodes that go, of a pool that has other machines, fewer machines, or is removed, are drained: when
// all new nodes are Ready, and before anything is deleted, they are cordoned, and one after the
// other their pods are evicted, as `kubectl drain --ignore-daemonsets --delete-emptydir-data
// --force` does it. PodDisruptionBudgets are respected: give one to what must not be away. Where the
// pods of a node are still there after 30 minutes, or the DrainTimeoutMinutes of its pool's Upgrade,
// the update stops with an error that names them, and nothing is deleted. The next one continues. The
// nodes stay cordoned: if you take the change back instead, `kubectl uncordon` them. `pulumi
// destroy` drains nothing, and neither does `--replace`; the nodes of [NewNodePool] are drained by
// nobody: run `kubectl drain` first.
//
// Passwords, keys of administrators, images named latest, tokens and scripts of machines
// that are there do not change with the program. Where a machine's bootstrap has failed for
// good, make the machine again: `pulumi up --refresh --replace URN` with the URN of the
// virtual machine.
//
// So a raised version of [Image] patches a pool: it gets other machines. An image without a
// version, or named latest, is that of the day on which a machine is made. Nothing else
// patches Windows machines, and nothing restarts Linux ones: docs/patching.md says what to
// do, for the control plane as well.
//
// The machines of the control plane are protected: Pulumi refuses to delete or to replace
// them, unless [ClusterArgs.Unprotected] is set. Their size changes in place, with a
// restart; their image and their security do not change with the program. The control plane's
// version is changed by running `kubeadm upgrade` on its machines
// (https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-upgrade/). Raise
// [ClusterArgs.KubernetesVersion] after it: the machines of pools then follow. Raised
// before it, they cannot join, and the old ones stay.
//
// `pulumi destroy` removes what the program itself has made in the cluster first. Where its
// API server does not answer any more, set PULUMI_K8S_DELETE_UNREACHABLE=true for it.
//
// # How Azure guards the machines
//
// Where size and image have it, machines start with Trusted Launch: Secure Boot and a
// virtual TPM. Encryption at host is an option, as a subscription has to register for it
// first: see [Security]. No machine has an identity in Azure, a public address or an open
// port for administrators.
//
// # Testing
//
// Package [github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest] stands in for
// Azure in unit tests.
package kubeadm
