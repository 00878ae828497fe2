import type { Tool } from '../reading/notation.ts';

export const vmwareVrealize = {
  slug: 'vmware-vrealize',
  name: 'VMware Aria Operations',
  description: 'Alerts of Aria Operations (vRealize Operations, VCF Operations), as JSON or XML.',
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
      'Operations, Configurations (in older versions Configure, Alerts), Outbound Settings, Add: plug-in type Rest Notification Plugin, URL {url}, content type application/json. Test. It adds the id of the alert to the address, and sends changes by PUT; both are read.',
      'Where there is only the Webhook Notification Plugin: URL {url}, no credentials. Under Payload Templates, add one for it: method POST, endpoint URL empty, with the body below for new, updated and canceled alerts.',
      'Notifications, in the same place, Add: the plug-in instance, and notify on new, updated and canceled alerts. Canceled resolves.',
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
