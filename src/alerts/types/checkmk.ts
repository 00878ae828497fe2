import { deliver } from '../delivery-script.ts';
import type { Tool } from '../reading/notation.ts';
import { nagiosSeverities, nagiosStates, notificationWords } from './nagios.ts';

const host = 'host | hostname | alias | NOTIFY_HOSTNAME';
/** Several hosts may have one alias. */
const hostKey = 'host | hostname | NOTIFY_HOSTNAME | address | NOTIFY_HOSTADDRESS | alias';
const service = 'service | servicedesc | NOTIFY_SERVICEDESC';
const what = 'what | NOTIFY_WHAT';

export const checkmk = {
  slug: 'checkmk',
  name: 'Checkmk',
  description: 'Sends notifications of hosts and services with a notification script.',
  problem: 'each host, and each service of a host',
  logo: 'checkmk',
  knownAs: ['Checkmk', 'Check_MK', 'CheckMK', 'checkmk'],
  forms: [
    {
      when: [
        host,
        'what | notification_type | NOTIFY_NOTIFICATIONTYPE',
        'site | check_command | NOTIFY_WHAT',
      ],
      name: [`{${host}}/{${service}}`, host],
      message: [
        'output | NOTIFY_SERVICEOUTPUT | NOTIFY_HOSTOUTPUT',
        'event',
        'status | NOTIFY_SERVICESTATE | NOTIFY_HOSTSTATE',
      ],
      key: [[hostKey, what, service], [hostKey, service], [hostKey, what], [hostKey]],
      was: [[host, what, service], [host, service], [host, what], [host]],
      state: [
        { at: 'notification_type | NOTIFY_NOTIFICATIONTYPE', ...notificationWords },
        { at: 'status | NOTIFY_SERVICESTATE | NOTIFY_HOSTSTATE', ...nagiosStates },
      ],
      severity: {
        at: ['status', 'severity', 'NOTIFY_SERVICESTATE', 'NOTIFY_HOSTSTATE'],
        ...nagiosSeverities,
      },
      links: { Checkmk: 'url' },
    },
  ],
  guide: {
    steps: [
      'As the site user, save the script below, which posts to {url}, as ~/local/share/check_mk/notifications/pager, and run chmod +x on it. It returns at once and sends in the background. While Pager restarts, it retries for ten minutes. Lost notifications are in the system log.',
      'Go to Setup > Events > Notifications > Add notification rule. Select host and service events for problems, recoveries (UP, OK), flapping, downtimes and acknowledgements. Without recoveries, and the ends of flapping and downtimes, incidents stay open.',
      'Choose the notification method Pager with new parameters without arguments, and a recipient who is a contact of the hosts.',
      'The rule takes effect at once. To send a test, go to Setup > Events > Test notifications and use "Send out notification for specific method".',
    ],
    snippets: [
      {
        file: '~/local/share/check_mk/notifications/pager',
        text: `#!/bin/sh
# Pager
url='{url}'
body=
${deliver}
if [ "$NOTIFY_WHAT" = SERVICE ]; then
  status=$NOTIFY_SERVICESTATE output=$NOTIFY_SERVICEOUTPUT page=$NOTIFY_SERVICEURL
else
  status=$NOTIFY_HOSTSTATE output=$NOTIFY_HOSTOUTPUT page=$NOTIFY_HOSTURL
fi
deliver "$NOTIFY_HOSTNAME/$NOTIFY_SERVICEDESC" \\
  --data-urlencode "notification_type=$NOTIFY_NOTIFICATIONTYPE" \\
  --data-urlencode "what=$NOTIFY_WHAT" \\
  --data-urlencode "site=$OMD_SITE" \\
  --data-urlencode "host=$NOTIFY_HOSTNAME" \\
  --data-urlencode "service=$NOTIFY_SERVICEDESC" \\
  --data-urlencode "status=$status" \\
  --data-urlencode "output=$output" \\
  --data-urlencode "address=$NOTIFY_HOSTADDRESS" \\
  --data-urlencode "author=$NOTIFY_NOTIFICATIONAUTHOR" \\
  --data-urlencode "comment=$NOTIFY_NOTIFICATIONCOMMENT" \\
  --data-urlencode "url=https://$(hostname -f)/$OMD_SITE$page"`,
      },
    ],
  },
} as const satisfies Tool;
