import type { Tool } from '../reading/notation.ts';

export const wazuh = {
  slug: 'wazuh',
  name: 'Wazuh',
  description: 'Security alerts, by a custom integration of the manager. They never resolve.',
  problem: 'each rule at each agent',
  forms: [
    {
      when: ['rule.level', 'rule.description | rule.id', 'agent | manager'],
      title: ['{rule.description} on {agent.name}', 'rule.description'],
      // The description of a rule may hold values of the event.
      key: [
        ['rule.id', 'agent.id | agent.name'],
        ['rule.id', 'manager.name'],
      ],
      state: [],
      severity: { at: 'rule.level', sev1: /^1[2-6]$/, sev2: /^([7-9]|1[01])$/, sev3: /^[0-6]$/ },
    },
    {
      // The script that comes with Keep.
      when: ['message', 'description~^Rule ID'],
      title: 'message',
      key: [['message']],
      state: [],
      severity: 'severity',
    },
  ],
  guide: {
    steps: [
      'Put the script below at /var/ossec/integrations/custom-pager on the manager: owner root:wazuh, mode 750.',
      'Add the integration to /var/ossec/etc/ossec.conf; level says from which level alerts are sent. Its hook_url is {url}. Restart wazuh-manager.',
      'Wazuh tells of no end: set resolve_when_quiet on the integration, so that incidents do not stay open and do not end while alerts still come. Alerts of one rule and agent are one incident.',
    ],
    snippets: [
      {
        file: 'custom-pager',
        text: `#!/bin/sh
# Wazuh calls it with the file of the alert, the api_key, and the hook_url.
exec curl -sS -f -m 10 -H 'content-type: application/json' --data-binary @"$1" "$3"`,
      },
      {
        file: 'ossec.conf',
        text: `<integration>
  <name>custom-pager</name>
  <hook_url>{url}</hook_url>
  <level>10</level>
  <alert_format>json</alert_format>
</integration>`,
      },
    ],
  },
} as const satisfies Tool;
