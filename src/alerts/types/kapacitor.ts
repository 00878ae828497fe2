import type { Tool } from '../reading/notation.ts';

export const kapacitor = {
  slug: 'kapacitor',
  name: 'Kapacitor',
  description: 'Sends alerts of TICKscripts and topics by HTTP POST.',
  problem: 'each alert id',
  logo: 'influxdb',
  knownAs: ['Kapacitor', 'kapacitor'],
  forms: [
    {
      when: ['level~^(?i)(?:OK|INFO|WARN|WARNING|CRITICAL)$', 'id', 'message | details | data'],
      title: ['message', '{id} is {level}', 'id'],
      host: 'data.series[0].tags.host',
      key: [['id']],
      state: [{ at: 'level', resolve: 'ok', else: 'trigger' }],
      severity: 'level',
    },
  ],
  guide: {
    steps: [
      'Add the lines below to kapacitor.conf, with {url} as the address, and restart Kapacitor.',
      "In the TICKscript, use |alert(), .crit(…), .stateChangesOnly(10m), .post().endpoint('pager'). Kapacitor then repeats an unchanged state every ten minutes. Do not use .noRecoveries(). Without OK, incidents are not resolved.",
    ],
    notes: ['The id is the key. Keep {{ .Name }} and {{ .Group }} in it, and add no values.'],
    snippets: [
      {
        file: 'kapacitor.conf',
        text: `[[httppost]]
  endpoint = "pager"
  url = "{url}"`,
      },
    ],
  },
} as const satisfies Tool;
