import type { Tool } from '../reading/notation.ts';

export const axiom = {
  slug: 'axiom',
  name: 'Axiom',
  description: 'Sends monitor alerts with a custom webhook notifier.',
  problem: 'each group of values of each monitor',
  forms: [
    {
      when: ['event.monitorID | event.queryEndTime | event.queryStartTime'],
      title: 'event.title > cut /^(Triggered|Resolved): ?/',
      // A monitor that groups tells each group by itself.
      key: [['event.monitorID', 'event.groupValues > hash'], ['event.monitorID']],
      state: [{ at: 'action', trigger: 'Open', resolve: 'Closed' }],
    },
  ],
  guide: {
    steps: [
      'Go to Monitors > Manage notifiers > New notifier. Choose Custom webhook, enter the Webhook URL {url}, and paste the body below.',
      'Add the notifier to each monitor. In a monitor that groups by a field, turn on Notify by group, so that each group is its own incident.',
    ],
    notes: ['Match monitors never close. For those, set auto_resolve on the integration.'],
    snippets: [
      {
        file: 'Body',
        text: `{
  "action": "{{.Action}}",
  "event": {
    "monitorID": "{{.MonitorID}}",
    "title": "{{.Title}}",
    "body": "{{.Body}}",
    "value": "{{.Value}}",
    "queryStartTime": "{{.QueryStartTime}}",
    "queryEndTime": "{{.QueryEndTime}}",
    "matchedEvent": {{jsonObject .MatchedEvent}},
    "groupKeys": {{jsonArray .GroupKeys}},
    "groupValues": {{jsonArray .GroupValues}}
  }
}`,
      },
    ],
  },
} as const satisfies Tool;
