export const words = {
  title: 'Set up Pager',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  dismiss: 'Hide steps',
  done: 'done',
  sending: 'Sending…',
  terraform: 'Prefer Terraform? Export what you create here.',
  terraformHow: 'Learn how',
  push: (mail: string) => `${mail} Push works in this browser without a mail server.`,
  steps: {
    reachable: {
      title: 'Make yourself reachable',
      text: 'Add a contact so that pages reach you.',
      action: 'Turn on push',
    },
    test_event: {
      title: 'Page yourself',
      text: 'A test event opens an incident. This step is done when a page reaches you.',
      action: 'Send test event',
    },
    time_zone: {
      title: 'Choose a time zone',
      text: 'Messages show times in this zone, unless the recipient has set another one.',
    },
    contact: {
      title: 'Add a second contact',
      text: 'If one contact fails at night, the other can still wake you.',
      action: 'Add contact',
    },
    tool: {
      title: 'Connect a tool',
      text: 'Send alerts from Alertmanager, a script or e-mail to the address that Pager shows.',
      action: 'Show how',
    },
    colleague: {
      title: 'Invite a colleague',
      text: 'Nobody should be on call alone. This step is done when someone else can sign in.',
      action: 'Invite',
    },
    schedule: {
      title: 'Take turns on call',
      text: 'Create a schedule with at least two people and page it from an escalation policy.',
      action: 'Create schedule',
    },
  },
} as const;
