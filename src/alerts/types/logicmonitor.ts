import type { Tool } from '../reading/notation.ts';

export const logicmonitor = {
  slug: 'logicmonitor',
  name: 'LogicMonitor',
  description: 'Sends alerts with a Custom HTTP Delivery integration.',
  problem: 'each alert, or each datapoint of each instance of a host if there is no alert id',
  knownAs: ['LogicMonitor', 'Logicmonitor', 'logicmonitor'],
  forms: [
    {
      when: ['alertid | alertstatus', 'datasource | datapoint | eventmsg | alertstatus'],
      title: [
        'eventmsg',
        '{host}: {datasource} {datapoint} is {value}',
        '{host}: {datasource}',
        '{host}: {datapointdesc}',
        'host',
      ],
      key: [
        ['alertid'],
        ['host', 'datasource | eventsource', 'instance', 'datapoint'],
        ['host', 'datasource | eventsource', 'datapoint | instance'],
      ],
      was: [['alertid'], ['host', 'datasource | eventsource', 'datapoint | instance']],
      host: 'host',
      state: [
        {
          at: 'alertstatus',
          trigger: 'active update escalated',
          resolve: 'clear cleared',
          acknowledge: "ack acked ackd ack'ed",
          nothing: 'test sdt note',
        },
      ],
      severity: 'level',
      links: { Alert: 'alerturl | alertdetailurl | detailurl', Service: 'serviceurl' },
    },
  ],
  guide: {
    steps: [
      'Go to Settings > Integrations > Add Integration > Custom HTTP Delivery. Choose Use the same URL and data to notify on various alert activity. Keep cleared and acknowledged selected. Without them, incidents are not resolved.',
      'Set HTTP method POST and the URL {url}. For Alert data, choose raw and format JSON, and paste the text below.',
      'Under Settings > Escalation Chains, add the integration to a stage. Under Settings > Alert Rules, send to the chain, with Send notification when alerts clear turned on.',
    ],
    snippets: [
      {
        file: 'alert.json',
        text: `{
  "alertid": "##ALERTID##",
  "alertstatus": "##ALERTSTATUS##",
  "level": "##LEVEL##",
  "host": "##HOST##",
  "datasource": "##DATASOURCE##",
  "datapoint": "##DATAPOINT##",
  "instance": "##INSTANCE##",
  "value": "##VALUE##",
  "threshold": "##THRESHOLD##",
  "eventmsg": "##LIMITEDMESSAGE##",
  "group": "##GROUP##",
  "alerturl": "##ALERTDETAILURL##"
}`,
      },
    ],
  },
} as const satisfies Tool;
