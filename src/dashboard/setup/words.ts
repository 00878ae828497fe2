export const words = {
  open: 'Open an incident',
  setup: {
    title: 'Get Pager ready',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    dismiss: 'Hide these steps',
    done: 'done',
    sending: 'Sending …',
    terraform: 'Prefer Terraform? Export what you create here.',
    terraformHow: 'Read how',
    push: (mail: string) => `${mail} Push works in this browser without a mail server.`,
    steps: {
      reachable: {
        title: 'Be reachable',
        text: 'Add a contact, so that pages reach you.',
        action: 'Switch on push',
      },
      test_event: {
        title: 'Page yourself',
        text: 'A test event opens an incident. Done when a page has reached you.',
        action: 'Send test event',
      },
      time_zone: {
        title: 'Choose the time zone',
        text: 'Messages show times in it, unless their reader has chosen another.',
      },
      contact: {
        title: 'Be reachable in a second way',
        text: 'If one fails at night, the other wakes you.',
        action: 'Add a contact',
      },
      tool: {
        title: 'Connect a tool',
        text: 'Alertmanager, a script or mail: all it needs is an address.',
        action: 'Show how',
      },
      colleague: {
        title: 'Invite a colleague',
        text: 'Nobody should be on call alone. Done when somebody else can sign in.',
        action: 'Invite',
      },
      schedule: {
        title: 'Take turns on call',
        text: 'Create a schedule with at least two people and page it in a policy.',
        action: 'Create a schedule',
      },
    },
  },
  attention: {
    label: 'What needs your attention',
    shift: (schedule: string) => `You are on call: ${schedule}`,
    until: 'until',
    notReached: (count: number, newest: number) =>
      count === 1
        ? `Nobody was reached for INC-${newest}.`
        : `Nobody was reached for ${count.toLocaleString()} incidents. The newest is INC-${newest}.`,
    unreachable: 'You cannot be reached.',
    person: (name: string, schedule: string) =>
      `${name} is on call for ${schedule}, and cannot be reached.`,
    gap: (schedule: string) => `Nobody is on call for ${schedule} from`,
    moreGaps: (count: number) => (count === 1 ? 'and in 1 more gap' : `and in ${count} more gaps`),
    quota: (used: number, limit: number) =>
      used < limit
        ? `${used.toLocaleString()} of ${limit.toLocaleString()} notices of this month are sent.`
        : `All ${limit.toLocaleString()} notices of this month are sent. Shift notices stop. Incidents still page, unless PAGER_HARD_ALERT_LIMIT is set.`,
    webhook: (name: string) => `All calls of the webhook ${name} fail since`,
    failing: (name: string) => `${name} has been failing since`,
    dropping: (name: string, reason: string) => `Events for ${name} come to nothing: ${reason}.`,
    integration_cut: (name: string) =>
      `${name} sends more than the storage budget allows. Events are processed, and stored only in part. Last cut`,
    misread: (name: string, tool: string) => `Events for ${name} look like those of ${tool}.`,
    integration_silent: (name: string) => `${name} has been silent since`,
    gapsUnknown: 'Gaps in who is on call could not be computed.',
    fix: {
      incident: 'Open the incident',
      me: 'Your contacts',
      person: 'Contacts',
      schedule: 'Schedule',
      schedules: 'On call',
      integration: 'Its events',
      quota: 'Set by monthly_alert_limit.',
      channels: 'Channels',
      connection: 'Connection',
      webhook: 'Its log of calls says why.',
    },
  },
} as const;
