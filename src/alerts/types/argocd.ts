import type { Tool } from '../reading/notation.ts';

const app = {
  key: [['project', 'app'], ['app']],
  links: { Application: 'url' },
} as const;

export const argocd = {
  slug: 'argocd',
  name: 'Argo CD',
  description: 'Sends the health and sync status of applications with Argo CD Notifications.',
  problem: 'each application, whether its sync or its health fails',
  logo: 'argo',
  knownAs: ['Argo CD', 'ArgoCD', 'argocd'],
  forms: [
    {
      when: ['app', 'phase~^(?:Failed|Error)$'],
      title: 'Sync of {app} failed',
      state: [{ at: 'phase', else: 'trigger' }],
      ...app,
    },
    {
      when: ['app', 'sync=Unknown'],
      title: 'Sync status of {app} is Unknown',
      state: [{ at: 'sync', else: 'trigger' }],
      ...app,
    },
    {
      when: ['app', 'health | sync | phase'],
      title: ['{app} is {health}', '{app}: {message}', 'Sync of {app}: {phase}'],
      state: [
        { at: 'health', trigger: 'degraded missing', resolve: 'healthy', else: 'nothing' },
        { at: 'phase' },
      ],
      ...app,
    },
  ],
  guide: {
    steps: [
      'Add the data below to the ConfigMap argocd-notifications-cm, with {url} as the address of the service.',
    ],
    notes: [
      'The subscription sends notifications for all applications. To send only some, remove it and annotate those with notifications.argoproj.io/subscribe.pager.pager: "".',
      'The catalog trigger on-deployed is sent once per revision. With this trigger alone, an application that recovers by itself does not resolve.',
    ],
    snippets: [
      {
        file: 'argocd-notifications-cm.yaml',
        text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-notifications-cm
  namespace: argocd
data:
  service.webhook.pager: |
    url: "{url}"
    headers:
      - name: Content-Type
        value: application/json
  template.pager: |
    webhook:
      pager:
        method: POST
        body: |
          {
            "app": "{{.app.metadata.name}}",
            "project": "{{.app.spec.project}}",
            "health": "{{.app.status.health.status}}",
            "sync": "{{.app.status.sync.status}}",
            "phase": {{dig "status" "operationState" "phase" "" .app | toJson}},
            "message": {{dig "status" "operationState" "message" "" .app | toJson}},
            "url": "{{.context.argocdUrl}}/applications/{{.app.metadata.name}}"
          }
  trigger.pager: |
    - when: app.status.health.status == 'Degraded'
      send: [pager]
    - when: app.status.operationState != nil and app.status.operationState.phase in ['Error', 'Failed']
      send: [pager]
    - when: app.status.sync.status == 'Unknown'
      send: [pager]
    - when: app.status.health.status == 'Healthy' and app.status.sync.status != 'Unknown' and (app.status.operationState == nil or app.status.operationState.phase == 'Succeeded')
      send: [pager]
  subscriptions: |
    - recipients: [pager]
      triggers: [pager]`,
      },
    ],
  },
} as const satisfies Tool;
