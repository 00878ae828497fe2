import { deliver } from '../delivery-script.ts';
import type { Tool } from '../reading/notation.ts';

export const wazuh = {
  slug: 'wazuh',
  name: 'Wazuh',
  description:
    'Sends security alerts with a custom integration of the manager. They never resolve.',
  problem: 'each rule on each agent',
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
      'Save the script below as /var/ossec/integrations/custom-pager on the manager, with owner root:wazuh and mode 750. It sends in the background. While Pager restarts, it retries for ten minutes. Lost alerts are in the system log.',
      'Add the integration to /var/ossec/etc/ossec.conf. It sends alerts of this level and above. Its hook_url is {url}. Restart wazuh-manager.',
      'Wazuh never reports an end. Set resolve_when_quiet on the integration. It resolves an incident once no alert of the same rule and agent has arrived for that long.',
    ],
    snippets: [
      {
        file: 'custom-pager',
        text: `#!/bin/sh
# Wazuh calls it with the file of the alert, which it deletes afterwards, the api_key, and the hook_url.
url=$3
body=$(cat "$1")
${deliver}
deliver "$1" -H 'content-type: application/json' --data-binary @-`,
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
