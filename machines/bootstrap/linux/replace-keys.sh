#!/bin/bash
# Installs other keys of the cluster on this machine of the control plane. They are in the
# directory /etc/mixedkube/new-keys, as below /etc/kubernetes/pki, with encryption.yaml. Files that
# depend on a changed key are generated again, and components that have it in memory are restarted,
# one after the other.
#
# It does only what is missing: if it is stopped, the next run continues, and there is one at
# the next boot. The text is the same on every node.
#
# The order of the functions is that of the steps.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/control-plane.sh"

new=/etc/mixedkube/new-keys
state=/var/lib/mixedkube/replace-keys
kubelet=/var/lib/kubelet/pki/kubelet-client

check_machine() {
	if [[ ! -e $ROOT$pki/signer.crt ]]; then
		die "there is no $pki/signer.crt: kubeadm has created this cluster's key pairs, which cannot be replaced so"
	fi
	if ! command -v openssl >/dev/null; then
		die "the program openssl is not on this machine: install the package that has it"
	fi
}

# need notes on the disk that components have to be restarted. It comes before any change that
# they need it for, so that no power failure lets one be forgotten.
need() {
	local name
	for name in "$@"; do
		: >"$ROOT$state/restart/$name"
	done
	sync "$ROOT$state/restart"
}

# install_keys reads lines of a file, its mode and the components that have it in memory. The
# authorities that the cluster publishes are restarted like a component.
install_keys() {
	local name mode components from to
	while read -r -u 3 name mode components; do
		from=$ROOT$new/$name
		to=$ROOT$pki/$name
		if [[ $name == encryption.yaml ]]; then
			to=$ROOT/etc/mixedkube/apiserver/$name
		fi
		# It is missing if a run was stopped while it removed the directory.
		if [[ -e $from && ! (-e $to && $(<"$from") == "$(<"$to")") ]]; then
			# shellcheck disable=SC2086 # They are several words.
			need $components
			cat "$from" >"$to.new"
			replace "$to.new" "$to" "$mode"
			log "$name is another one"
		fi
	done 3<<-'END'
		ca.key 0600 kube-controller-manager
		signer.crt 0644 kube-controller-manager
		ca.crt 0644 kube-apiserver authorities kube-controller-manager kube-scheduler kubelet
		etcd/ca.key 0600
		etcd/ca.crt 0644 etcd kube-apiserver
		front-proxy-ca.key 0600
		front-proxy-ca.crt 0644 kube-apiserver authorities kube-controller-manager
		sa.key 0600 kube-apiserver kube-controller-manager
		sa.pub 0600 kube-apiserver
		encryption.yaml 0600 kube-apiserver
	END
}

# is_signed reports whether the first authority in a file has signed the certificate that it
# reads. Other authorities that the machine trusts do not count.
is_signed() {
	SSL_CERT_FILE=/dev/null SSL_CERT_DIR=/dev/null openssl verify -partial_chain \
		-CAfile <(openssl x509 -in "$ROOT$pki/$1.crt") >/dev/null 2>&1
}

# prepare_kubeadm makes kubeadm work in a separate directory, because it does not write files
# atomically. It also does not query the cluster then.
prepare_kubeadm() {
	local version directory=$ROOT$state/kubeadm
	version=$(kubeadm version --output=short)
	rm -rf "$directory"
	mkdir "$directory"
	cp -R "$ROOT$pki" "$directory/pki"
	cat >"$directory/config.yaml" <<-END
		apiVersion: kubeadm.k8s.io/v1beta4
		kind: ClusterConfiguration
		certificatesDir: $directory/pki
		kubernetesVersion: $version
	END
}

# reissue_certificates reads lines of a certificate, its authority and the components that
# have it in memory.
reissue_certificates() {
	local name authority components made
	while read -r -u 3 name authority components; do
		if ! is_signed "$authority" <"$ROOT$pki/$name.crt"; then
			# shellcheck disable=SC2086 # They are several words, or none.
			need $components
			prepare_kubeadm
			kubeadm certs renew "${name//\//-}" --config "$ROOT$state/kubeadm/config.yaml"
			made=$ROOT$state/kubeadm/pki/$name
			cat "$made.key" >"$ROOT$pki/$name.key.new"
			cat "$made.crt" >"$ROOT$pki/$name.crt.new"
			# If the power fails between the two, the certificate is still the old one, which is
			# generated again.
			replace "$ROOT$pki/$name.key.new" "$ROOT$pki/$name.key" 0600
			replace "$ROOT$pki/$name.crt.new" "$ROOT$pki/$name.crt" 0644
		fi
	done 3<<-'END'
		etcd/server etcd/ca etcd
		etcd/peer etcd/ca etcd
		etcd/healthcheck-client etcd/ca
		apiserver-etcd-client etcd/ca kube-apiserver
		apiserver ca kube-apiserver
		apiserver-kubelet-client ca kube-apiserver
		front-proxy-client front-proxy-ca kube-apiserver
	END
}

# reissue_users is for the certificates of this machine's users of the cluster.
reissue_users() {
	local name component file client
	while read -r -u 3 name component; do
		file=$ROOT/etc/kubernetes/$name.conf
		if [[ -e $file ]] &&
			! field_of "$file" client-certificate-data | base64 --decode | is_signed ca; then
			# shellcheck disable=SC2086 # There may be none.
			need $component
			client=$(field_of "$file" client-certificate-data | base64 --decode | new_client)
			set_fields "$file" client-certificate-data "${client% *}" client-key-data "${client#* }"
			log "$name.conf has another certificate"
		fi
	done 3<<-'END'
		admin
		super-admin
		controller-manager kube-controller-manager
		scheduler kube-scheduler
	END
}

# reissue_kubelet does so for the kubelet, which has a file of its own and renews it itself
# later.
reissue_kubelet() {
	local client file
	file=$kubelet-$(date --utc +%Y-%m-%d-%H-%M-%S).pem
	if [[ ! -e $ROOT$kubelet-current.pem ]]; then
		die "there is no $kubelet-current.pem: let the kubelet join again"
	fi
	if is_signed ca <"$ROOT$kubelet-current.pem"; then
		return
	fi
	need kubelet
	client=$(new_client <"$ROOT$kubelet-current.pem")
	base64 --decode <<<"${client% *}" >"$ROOT$kubelet.new"
	printf '%s' "${client#* }" | base64 --decode >>"$ROOT$kubelet.new"
	replace "$ROOT$kubelet.new" "$ROOT$file" 0600
	ln --symbolic --force "${file##*/}" "$ROOT$kubelet.new"
	mv -fT "$ROOT$kubelet.new" "$ROOT$kubelet-current.pem"
	sync "$ROOT${kubelet%/*}"
	log "the kubelet has another certificate"
}

# new_client shows another certificate for the user of the one that it reads, and its key,
# both in base64.
new_client() {
	local subject part made parts=() arguments=()
	subject=$(openssl x509 -noout -subject -nameopt RFC2253)
	IFS=, read -ra parts <<<"${subject#subject=}"
	for part in "${parts[@]}"; do
		case $part in
		CN=*) arguments+=(--client-name "${part#CN=}") ;;
		O=*) arguments+=(--org "${part#O=}") ;;
		esac
	done
	prepare_kubeadm
	made=$(kubeadm kubeconfig user --config "$ROOT$state/kubeadm/config.yaml" "${arguments[@]}")
	if [[ ! $made =~ client-certificate-data:\ ([A-Za-z0-9+/=]+) ]]; then
		die "kubeadm creates no certificate for $subject"
	fi
	printf '%s' "${BASH_REMATCH[1]}"
	[[ $made =~ client-key-data:\ ([A-Za-z0-9+/=]+) ]]
	printf ' %s' "${BASH_REMATCH[1]}"
}

# restart_components restarts etcd first: the API server needs it.
restart_components() {
	local name url
	while read -r -u 3 name url; do
		if [[ -e $ROOT$state/restart/$name ]]; then
			case $name in
			authorities) publish_authorities ;;
			kubelet) restart_kubelet "$url" ;;
			*) restart_component "$name" "$url" ;;
			esac
			rm -f "$ROOT$state/restart/$name"
			sync "$ROOT$state/restart"
		fi
	done 3<<-'END'
		etcd http://127.0.0.1:2381/readyz
		kube-apiserver https://127.0.0.1:6443/readyz
		authorities
		kube-controller-manager https://127.0.0.1:10257/healthz
		kube-scheduler https://127.0.0.1:10259/readyz
		kubelet http://127.0.0.1:10248/healthz
	END
}

# publish_authorities writes down which authorities there are now, for aggregated API servers
# and for machines that join. An API server adds its own to the first ConfigMap, and takes
# none away (pkg/controlplane/controller/clusterauthenticationtrust in Kubernetes); nothing
# changes the other one.
publish_authorities() {
	local text
	if ! wait_until patch kube-system extension-apiserver-authentication client-ca-file \
		"$(<"$ROOT$pki/ca.crt")" requestheader-client-ca-file "$(<"$ROOT$pki/front-proxy-ca.crt")" \
		2>"$ROOT$state/errors"; then
		tail --lines=1 "$ROOT$state/errors" >&2
		die "the API server takes no change of the ConfigMap extension-apiserver-authentication"
	fi
	text=$(kubectl_admin --namespace kube-public get configmap cluster-info --ignore-not-found \
		--output 'jsonpath={.data.kubeconfig}')
	if [[ -n $text ]]; then
		printf '%s\n' "$text" >"$ROOT$state/cluster-info"
		set_fields "$ROOT$state/cluster-info" certificate-authority-data "$(base64 --wrap=0 "$ROOT$pki/ca.crt")"
		patch kube-public cluster-info kubeconfig "$(<"$ROOT$state/cluster-info")"
	fi
	log "the authorities are published"
}

kubectl_admin() {
	kubectl --kubeconfig "$ROOT/etc/kubernetes/admin.conf" --request-timeout=30s "$@"
}

# patch changes keys of a ConfigMap; nothing in it is secret.
patch() {
	local namespace=$1 name=$2 data=
	shift 2
	while (($# > 0)); do
		data+="${data:+, }\"$1\": $(in_json "$2")"
		shift 2
	done
	kubectl_admin --namespace "$namespace" patch configmap "$name" --type=merge --patch "{\"data\": {$data}}" >/dev/null
}

# in_json prints lines as a JSON string.
in_json() {
	local text=$1
	text=${text//\\/\\\\}
	text=${text//\"/\\\"}
	printf '"%s\\n"' "${text//$'\n'/\\n}"
}

restart_kubelet() {
	systemctl restart kubelet.service
	if ! wait_until is_healthy "$1"; then
		die "$LIMIT seconds after its restart, the kubelet is not healthy: see journalctl --unit=kubelet"
	fi
	log "kubelet is restarted"
}

main() {
	umask 0077
	lock
	if [[ ! -e $ROOT$new && ! -e $ROOT$state ]]; then
		log "there are no new keys"
		return
	fi
	check_machine
	mkdir -p "$ROOT$state/restart"
	sync "$ROOT${state%/*}" "$ROOT$state"
	install_keys
	reissue_certificates
	reissue_users
	trust_authorities
	reissue_kubelet
	restart_components
	rm -rf "$ROOT$new" "$ROOT$new.part" "$ROOT$state"
	log "this machine has the new keys"
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	main
fi
