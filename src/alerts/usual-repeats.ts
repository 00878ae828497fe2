// How often tools repeat an alert while it lasts, unless their configuration says otherwise: what
// resolves when it is quiet must wait for longer.

type Repeat = { readonly minutes: number; readonly by: string };

const groups: Repeat = { minutes: 4 * 60, by: 'repeat_interval' };
const ruler: Repeat = { minutes: 1, by: 'the ruler' };

const repeats: Readonly<Record<string, Repeat>> = {
  alertmanager: groups,
  prometheus: groups,
  mimir: groups,
  victoriametrics: groups,
  thanos: groups,
  signoz: groups,
  grafana: groups,
  loki: ruler,
  nagios: { minutes: 60, by: 'notification_interval' },
  icinga2: { minutes: 30, by: 'interval of the notification' },
  elastalert: { minutes: 1, by: 'realert' },
};

export const usualRepeatOf = (slug: string): Repeat | null => repeats[slug] ?? null;
