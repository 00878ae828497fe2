import type { Tool } from '../reading/notation.ts';

export const vmwareVrealize = {
  slug: 'vmware-vrealize',
  name: 'VMware Aria Operations',
  description:
    'Sends alerts of Aria Operations (vRealize Operations, VCF Operations) as JSON or XML.',
  problem: 'each alert of a resource',
  logo: 'vmware',
  knownAs: ['VMware vRealize Operations', 'vRealize', 'vRealize Operations Manager'],
  forms: [
    {
      when: [
        'alertId | criticality',
        'resourceName | resourceId | resourceKind',
        'status | adapterKind',
      ],
      name: ['resourceName', 'resourceKind'],
      message: ['alertName', 'info'],
      key: [['alertId'], ['resourceId', 'alertName | info']],
      state: [
        { at: 'status', trigger: 'ACTIVE NEW UPDATED', resolve: 'CANCELED CANCELLED INACTIVE' },
      ],
      severity: {
        at: 'criticality',
        sev1: /CRITICAL$/i,
        sev2: /IMMEDIATE$/i,
        sev3: /(WARNING|INFO|INFORMATION)$/i,
      },
      links: { Alert: 'link' },
    },
  ],
  guide: {
    steps: [
      'Go to Operations > Configurations (Configure > Alerts in older versions) > Outbound Settings > Add. Choose the plug-in type Rest Notification Plugin, enter the URL {url} and the content type application/json, and press Test. The plug-in appends the alert id to the address and sends changes by PUT. Pager supports both.',
      'If only the Webhook Notification Plugin is available, enter the URL {url} without credentials. Under Payload Templates, add a template for it: method POST, an empty endpoint URL, and the body below for new, updated and canceled alerts.',
      'In the same place, go to Notifications > Add. Choose the plug-in instance, and notify on new, updated and canceled alerts. A canceled alert resolves.',
    ],
    snippets: [
      {
        file: 'payload-template.json',
        text: `{
  "alertId": "\${ALERT_ID}",
  "status": "\${ALERT_STATUS}",
  "criticality": "\${ALERT_CRITICALITY}",
  "alertName": "\${ALERT_DEFINITION}",
  "type": "\${ALERT_TYPE}",
  "subType": "\${ALERT_SUBTYPE}",
  "resourceName": "\${RESOURCE_NAME}",
  "resourceId": "\${RESOURCE_ID}",
  "resourceKind": "\${RESOURCE_KIND}",
  "link": "\${LINK_TO_ALERT}"
}`,
      },
    ],
  },
} as const satisfies Tool;
