// What the scripts of guides send with: a tool whose notification gets lost does not send it again.

/**
 * A function of plain sh (dash, busybox) for a curl of 7.61, which retries neither refused
 * connections nor every answer by itself. `deliver <problem> <options of curl>` posts to $url, and
 * has $body as its input.
 *
 * It goes on in the background: Nagios 3, Netdata, snmptrapd and Wazuh wait for the command, and
 * Nagios ends what runs longer than notification_timeout. What waits for Pager must hold up none
 * of them. There is no terminal whose end would reach it, so it needs neither nohup nor setsid.
 *
 * Each notification takes its turn among those of its problem: else the recovery could find Pager
 * back while the problem still waits for its next attempt, and the incident would never end.
 */
export const deliver = `# Sends in the background, so that nothing waits for Pager. Retries for ten minutes if Pager does
# not respond. Sends messages about one problem in order. Lost messages are in syslog.
deliver() (
  queue=\${TMPDIR:-/tmp}/pager-$(id -u)
  problem=$(printf '%s' "$1" | cksum | tr ' ' -)
  shift
  mkdir -m 700 "$queue" 2>/dev/null
  # If the folder belongs to someone else, messages are sent without order.
  turn=
  if [ -O "$queue" ] && [ ! -h "$queue" ]; then
    number=10000000
    for last in "$queue/$problem".*; do [ ! -e "$last" ] || number=\${last##*.}; done
    for _ in 1 2 3 4 5 6 7 8 9; do
      number=$((number + 1))
      if (set -C && true >"$queue/$problem.$number") 2>/dev/null; then
        turn=$queue/$problem.$number
        break
      fi
    done
  fi
  (
    [ -z "$turn" ] || sh -c 'echo $PPID' >"$turn"
    waited=0
    while [ -e "$turn" ] && [ "$waited" -lt 1800 ]; do
      for first in "$queue/$problem".*; do break; done
      [ "$first" != "$turn" ] || break
      # Of a process that was killed.
      if read -r pid <"$first" && ! kill -0 "$pid"; then rm -f "$first"; continue; fi
      sleep 1
      waited=$((waited + 1))
    done
    tries=0
    while [ "$tries" -lt 60 ]; do
      code=$(printf '%s\\n' "$body" | curl -sS -m 20 -o /dev/null -w '%{http_code}' "$@" "$url" 2>&1)
      case $code in
        2??) break ;;
        400 | 410 | 413) tries=60 ;;
        *) tries=$((tries + 1)) ;;
      esac
      [ "$tries" -ne 1 ] || logger -t pager "not delivered yet: $code"
      [ "$tries" -lt 60 ] || { logger -t pager "lost: $code"; break; }
      sleep 10
    done
    rm -f "$turn"
  ) </dev/null >/dev/null 2>&1 &
)`;

/** A script of its own, for tools that run a command with the fields as its arguments. */
export const pagerSend = `#!/bin/sh
# pager-send <problem> <options of curl>
url='{url}'
body=
${deliver}
deliver "$@"`;
