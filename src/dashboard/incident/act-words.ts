// What only the dialogs of actions say, which come with them.
export const actWords = {
  /** What each action does, before it is done. */
  does: {
    mute: 'Nobody is paged until the mute ends, including by pending pages. The next step waits until then.',
    reassign:
      'Makes one person the only responder and notifies them by e-mail and push. Escalation continues.',
    'add-responder':
      'Adds a person as a responder and notifies them by e-mail and push. Escalation continues.',
    priority: 'Nobody is notified. New alerts do not change the value that you set.',
    severity: 'Nobody is notified. New alerts do not change the value that you set.',
    'run-playbook': 'Runs its actions in order. The timeline shows the results.',
    'call-webhook': 'Calls the webhook once. The timeline shows the response.',
    merge: 'Closes this incident and sends its alerts to the other one.',
  },
  none: 'None',
  person: 'Person',
  playbook: 'Playbook',
  webhook: 'Webhook',
  noRecords: 'This team has none yet.',
  into: 'Merge into',
  ends: (number: number) => `INC-${number} is closed`,
  survives: (number: number) => `INC-${number} stays open`,
  key: 'Key',
  allClearLater: 'People who were paged get the all-clear when the other incident ends.',
} as const;
