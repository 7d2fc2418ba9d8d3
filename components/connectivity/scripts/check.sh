# Repeats one request until the answer is the expected one, or until the timeout. The last line
# of the output has the result: Kubernetes uses it as the reason of the failure.
#
# CHECK, FROM and TO name the check. URL is the requested address, and ANSWER, if it is not empty,
# is the whole text of the answer. If DNS_NAME is set, that name must have the address DNS_ADDRESS
# as well. The check continues for TIMEOUT_SECONDS; one try takes at most 5 seconds.

seconds=5

# line turns its input into one short line.
line() { tr -s ' \t\r\n' ' ' | sed -e 's/^ //' -e 's/ $//' | cut -c 1-200; }

# limited runs a command for some seconds only, with all output in one. Its status is 124 or more
# after a timeout; the shell's message about that is in the output as well.
limited() { (exec 2>&1; timeout $seconds "$@"; exit $?); }

resolve() {
  case $DNS_ADDRESS in *:*) type=aaaa ;; *) type=a ;; esac
  text=$(limited nslookup -type=$type "$DNS_NAME")
  found=$(printf '%s\n' "$text" | awk '/^Name:/ { named = 1 } named && /^Address/ { print $NF }' | line)
  if [ -z "$found" ]; then
    text=$(printf '%s\n' "$text" | sed -e '/^Server:/d' -e '/^Address:/d' | line)
    problem="DNS has no address of $DNS_NAME: ${text:-no answer within $seconds seconds}"
    return 1
  fi
  if [ "$found" != "$DNS_ADDRESS" ]; then
    problem="DNS says that $DNS_NAME is $found, not $DNS_ADDRESS"
    return 1
  fi
}

ask() {
  text=$(limited wget -q -Y off -O - "$URL")
  status=$?
  if [ $status -ge 124 ]; then
    problem="no answer within $seconds seconds"
    return 1
  fi
  if [ $status -ne 0 ]; then
    problem=$(printf '%s\n' "$text" | line)
    return 1
  fi
  if [ -n "$ANSWER" ] && [ "$text" != "$ANSWER" ]; then
    problem="answered by another: \"$(printf '%s\n' "$text" | line)\", not \"$ANSWER\""
    return 1
  fi
}

end=$(($(date +%s) + TIMEOUT_SECONDS))
while true; do
  if { [ -z "$DNS_NAME" ] || resolve; } && ask; then
    echo "$CHECK from $FROM to $TO: ok: $URL"
    exit 0
  fi
  if [ "$(date +%s)" -gt $end ]; then
    break
  fi
  sleep 1
done
echo "$CHECK from $FROM to $TO: failed for $TIMEOUT_SECONDS seconds: $URL: $problem"
exit 1
