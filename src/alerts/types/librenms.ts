import type { Tool } from '../reading/notation.ts';

export const librenms = {
  slug: 'librenms',
  name: 'LibreNMS',
  description: 'Sends alerts of alert rules with the API transport.',
  problem: 'each rule on each device',
  knownAs: ['LibreNMS', 'librenms'],
  forms: [
    {
      when: ['sysName | sysDescr | rule_id', 'title | name', 'hostname | device_id | alert_id'],
      title: ['title', '{hostname}: {name}', 'name'],
      host: ['hostname', 'sysName'],
      // alert_id is of the rule and the device; id is another when the alert gets worse.
      key: [['alert_id'], ['rule_id', 'device_id'], ['hostname', 'name'], ['id']],
      state: [
        { at: 'uid | alert_id', nothing: /^000$/ },
        { at: 'state', resolve: '0', trigger: '1 3 4 5', acknowledge: '2' },
        { at: 'title', resolve: / recovered from /, acknowledge: / got acknowledged$/ },
      ],
      severity: 'severity',
    },
  ],
  guide: {
    steps: [
      'Go to Alerts > Alert Transports > Create alert transport. Choose type API and API Method POST, and enter the API URL {url}.',
      'Set Headers to Content-Type=application/json and Body to the text below.',
      'Go to Alerts > Alert Rules, add the transport to the rule, and keep Recovery alerts on. In versions with Alerts > Alert Operations, add the transport to an operation, and assign the operation to the rule.',
      'To send acknowledgements, run lnms config:set alert.acknowledged true.',
    ],
    snippets: [
      {
        file: 'body.json',
        text: `{
  "title": "{{ $title }}",
  "alert_id": "{{ $alert_id }}",
  "state": "{{ $state }}",
  "severity": "{{ $severity }}",
  "hostname": "{{ $hostname }}",
  "sysName": "{{ $sysName }}",
  "device_id": "{{ $device_id }}",
  "rule_id": "{{ $rule_id }}",
  "name": "{{ $name }}",
  "timestamp": "{{ $timestamp }}"
}`,
      },
    ],
  },
} as const satisfies Tool;
