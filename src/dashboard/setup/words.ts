export const words = {
  open: 'Open an incident',
  attention: {
    label: 'Needs your attention',
    shift: (schedule: string) => `You are on call: ${schedule}`,
    until: 'until',
    notReached: (count: number, newest: number) =>
      count === 1
        ? `Nobody was reached for INC-${newest}.`
        : `Nobody was reached for ${count.toLocaleString()} incidents. The newest is INC-${newest}.`,
    unreachable: 'You cannot be reached.',
    person: (name: string, schedule: string) =>
      `${name} is on call for ${schedule} but cannot be reached.`,
    noEnd: ', with no end',
    gap: (schedule: string) => `Nobody is on call for ${schedule} from`,
    moreGaps: (count: number) => (count === 1 ? 'and 1 more gap' : `and ${count} more gaps`),
    quota: (used: number, limit: number) =>
      used < limit
        ? `${used.toLocaleString()} of ${limit.toLocaleString()} notifications are used this month.`
        : `All ${limit.toLocaleString()} notifications for this month are used. Shift notices are no longer sent. Incidents still page people, unless PAGER_HARD_ALERT_LIMIT is set.`,
    webhook: (name: string) => `All calls to the webhook ${name} have failed since`,
    failing: (name: string) => `${name} has been failing since`,
    dropping: (name: string, reason: string) => `Events for ${name} open no incidents: ${reason}.`,
    integration_cut: (name: string) =>
      `${name} exceeds its storage budget. Events are processed, but stored only in part. Last time:`,
    misread: (name: string, tool: string) => `Events for ${name} look like ${tool} events.`,
    integration_silent: (name: string) => `${name} has been silent since`,
    gapsUnknown: 'Gaps in on-call coverage could not be computed.',
    fix: {
      incident: 'View incident',
      me: 'Your contacts',
      person: 'Contacts',
      schedule: 'Schedule',
      schedules: 'On call',
      integration: 'Events',
      quota: 'Alert quota',
      channels: 'Channels',
      mail: 'Add mail server',
      connection: 'Connection',
      webhook: 'View deliveries',
    },
  },
} as const;
