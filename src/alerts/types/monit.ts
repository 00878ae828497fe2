import { deliver } from '../delivery-script.ts';
import { monitRules } from '../monit-rule.ts';
import type { Tool } from '../reading/notation.ts';

const ruleIn = (message: string) =>
  monitRules.map((rule) => `${message} > take /${rule}/`).join(' | ');

/** Without whether it failed; blank of whether something exists, which has two words. */
const kind =
  "MONIT_EVENT > cut /^(?:Does not exist|Exists)$| (?:failed|succeeded|ok|error|exceeded|matched|match|doesn't match|changed|not changed|up|down|recovery)$/";

const service = ['MONIT_HOST', 'MONIT_SERVICE'] as const;
const keys = [
  [...service, kind, ruleIn('MONIT_DESCRIPTION')],
  [...service, kind],
  service,
  ['MONIT_SERVICE', kind, ruleIn('MONIT_DESCRIPTION')],
  ['MONIT_SERVICE', kind],
  ['MONIT_SERVICE'],
] as const;

export const monit = {
  slug: 'monit',
  name: 'Monit',
  description: 'Sends events as to M/Monit, or with a script run by exec.',
  problem:
    'each rule of each service of a host, identified by its kind and its address, path or resource',
  knownAs: ['Monit', 'monit'],
  forms: [
    {
      when: ['monit.event'],
      each: 'monit.event',
      name: 'service',
      message: 'message',
      key: [
        ['^monit["@id"]', 'service', 'id', ruleIn('message')],
        ['^monit["@id"]', 'service', 'id'],
        ['^monit.server.localhostname', 'service', 'id', ruleIn('message')],
        ['^monit.server.localhostname', 'service', 'id'],
      ],
      was: [
        ['^monit["@id"]', 'service', 'id'],
        ['^monit.server.localhostname', 'service', 'id'],
      ],
      host: '^monit.server.localhostname',
      state: [
        // Monit itself was started or stopped, or somebody did something by hand.
        { at: 'id', nothing: '65536 131072' },
        { at: 'state', trigger: '1 2', resolve: '0 3' },
      ],
    },
    {
      // The state of all services, at each interval.
      when: ['monit.server'],
      title: 'monit.server.localhostname',
      state: [{ at: 'monit.server.poll | monit.server.localhostname', else: 'nothing' }],
      // Of Monit's own server, if it registers with them.
      omit: ['monit.server.credentials.password'],
    },
    {
      when: ['MONIT_SERVICE | MONIT_HOST', 'MONIT_EVENT | MONIT_DESCRIPTION'],
      name: ['MONIT_SERVICE', 'MONIT_HOST'],
      message: ['MONIT_DESCRIPTION', 'MONIT_EVENT'],
      key: keys,
      was: [['MONIT_HOST', 'MONIT_SERVICE'], ['MONIT_SERVICE']],
      host: 'MONIT_HOST',
      state: [
        {
          at: 'MONIT_EVENT',
          nothing: /^(?:Monit instance|Instance|Action done)/i,
          resolve: /succeeded$|recovery$|not changed$|doesn't match$|^exists$/i,
          else: 'trigger',
        },
        { at: 'MONIT_DESCRIPTION', resolve: /succeeded$|^exists$|^(?:file|process) exists/i },
      ],
    },
  ],
  guide: {
    steps: [
      'Add the lines below to monitrc, with {url} as the address, and run monit reload. Monit then sends every event of every service, and recoveries resolve. Ignore its warning that there is no httpd.',
    ],
    notes: [
      'The event queue of Monit keeps unsent events, but not their order. If a service fails and recovers while Pager does not respond, its incident may stay open or end too early. The script /etc/monit/pager.sh above keeps the order.',
      'To send only some services, use that script, mode 755: if failed … then exec "/etc/monit/pager.sh" else if succeeded then exec "/etc/monit/pager.sh". Without the second half, incidents are not resolved. While Pager restarts, the script retries for ten minutes in the background. Lost events are in the system log.',
    ],
    snippets: [
      {
        file: 'monitrc',
        text: `set eventqueue basedir /var/lib/monit/events slots 1000
set mmonit {url}
  and register without credentials`,
      },
      {
        file: '/etc/monit/pager.sh',
        text: `#!/bin/sh
url='{url}'
body=
${deliver}
deliver "$MONIT_HOST/$MONIT_SERVICE" \\
  --data-urlencode "MONIT_HOST=$MONIT_HOST" \\
  --data-urlencode "MONIT_SERVICE=$MONIT_SERVICE" \\
  --data-urlencode "MONIT_EVENT=$MONIT_EVENT" \\
  --data-urlencode "MONIT_DESCRIPTION=$MONIT_DESCRIPTION"`,
      },
    ],
  },
} as const satisfies Tool;
