#!/bin/bash
# What renew-certificates.sh and replace-keys.sh have in common, which source it.

# The directory that stands for /: only tests change it.
ROOT=
# The seconds in which a component has to be healthy, and between two looks.
LIMIT=300
PAUSE=1

# A failure in a command substitution is an error, too.
shopt -s inherit_errexit

manifests=/etc/kubernetes/manifests
pki=/etc/kubernetes/pki
label=mixedkube.io/restarted

log() {
	printf '%s %s\n' "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" "$1"
}

die() {
	log "error: $*" >&2
	exit 1
}

# lock lets one of the scripts run at a time, even if someone runs it by hand.
lock() {
	exec 9>"$ROOT/var/lib/mixedkube/control-plane.lock"
	flock 9
}

# is_healthy asks as the kubelet's probes do, which look at no certificate.
is_healthy() {
	curl --fail --silent --insecure --noproxy '*' --max-time 10 --output /dev/null --url "$1"
}

# processes_of lists the processes of a component. The kernel keeps 15 characters of a name.
processes_of() {
	local file name
	for file in "$ROOT"/proc/[0-9]*/comm; do
		# A process may have ended in between.
		if { read -r name <"$file"; } 2>/dev/null && [[ $name == "${1:0:15}" ]]; then
			file=${file%/comm}
			printf '%s\n' "${file##*/}"
		fi
	done
}

# is_new reports whether a component is healthy and has no old process.
is_new() {
	local name=$1 url=$2 old=$3 process now
	now=$(processes_of "$name")
	[[ -n $now ]] || return 1
	for process in $now; do
		if [[ $'\n'$old$'\n' == *$'\n'"$process"$'\n'* ]]; then
			return 1
		fi
	done
	is_healthy "$url"
}

wait_until() {
	local end=$((SECONDS + LIMIT))
	until "$@"; do
		if ((SECONDS >= end)); then
			return 1
		fi
		sleep "$PAUSE"
	done
}

# replace renames a file that is complete into its place, so that the old or the new one always
# exists, even after a power failure.
replace() {
	local new=$1 file=$2 mode=$3
	chmod "$mode" "$new"
	sync "$new"
	mv -f "$new" "$file"
	sync "${file%/*}"
}

# restart_component changes a label of the static pod, which is another pod then for the
# kubelet. The new manifest is not next to the old one: the kubelet reads all files in the
# directory.
restart_component() {
	local name=$1 url=$2 old now
	local manifest=$ROOT$manifests/$name.yaml new=$ROOT/etc/kubernetes/.$name.yaml.new
	if ! wait_until is_healthy "$url"; then
		# Another machine is no longer the reason; an expired certificate can be.
		log "$name is not healthy: it is still restarted"
	fi
	old=$(processes_of "$name")
	now=$(date --utc +%Y%m%dT%H%M%SZ)
	sed -e "\\|^    $label: |d" -e "s|^  labels:\$|&\\n    $label: $now|" "$manifest" >"$new"
	if ! grep --quiet "^    $label: $now\$" "$new"; then
		rm -f "$new"
		die "$manifests/$name.yaml is not as kubeadm writes it: restart $name by hand"
	fi
	replace "$new" "$manifest" 0600
	if ! wait_until is_new "$name" "$url" "$old"; then
		die "$LIMIT seconds after its manifest has changed, $name is not restarted and healthy: the others" \
			"are restarted when this is run again"
	fi
	log "$name is restarted"
}

# field_of shows a field of a kubeconfig.
field_of() {
	sed -n "s/^ *$2: //p" "$1"
}

# set_fields changes fields of a kubeconfig. No program gets a value as an argument, which
# everyone on the machine could see.
set_fields() {
	local file=$1 line name
	shift
	local -A values=()
	while (($# > 0)); do
		values[$1]=$2
		shift 2
	done
	while IFS= read -r line; do
		name=${line%%:*}
		name=${name##* }
		if [[ -n $name && -n ${values[$name]:-} ]]; then
			line="${line%%:*}: ${values[$name]}"
		fi
		printf '%s\n' "$line"
	done <"$file" >"$file.new"
	replace "$file.new" "$file" 0600
}

# trust_authorities has all kubeconfigs of this machine trust all that is in ca.crt: where
# kubeadm renews a certificate in one, it leaves the first authority only (kubeConfigReadWriter
# in cmd/kubeadm/app/phases/certs/renewal/readwriter.go).
trust_authorities() {
	local authorities name file
	authorities=$(base64 --wrap=0 "$ROOT$pki/ca.crt")
	for name in admin super-admin controller-manager scheduler kubelet; do
		file=$ROOT/etc/kubernetes/$name.conf
		if [[ -e $file && $(field_of "$file" certificate-authority-data) != "$authorities" ]]; then
			set_fields "$file" certificate-authority-data "$authorities"
		fi
	done
}
