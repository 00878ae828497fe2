import type { Tool } from '../reading/notation.ts';

export const logicmonitor = {
  slug: 'logicmonitor',
  name: 'LogicMonitor',
  description: 'Alerts by a Custom HTTP Delivery integration.',
  problem: 'each alert; without its id each datapoint of each instance of a host',
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
      'Settings, Integrations, Add Integration, Custom HTTP Delivery: Use the same URL and data to notify on various alert activity. Keep cleared and acknowledged among the activity: without them nothing resolves.',
      'HTTP method POST, URL {url}, Alert data: raw, format JSON, the text below.',
      'Settings, Escalation Chains: add the integration to a stage. Settings, Alert Rules: send to the chain, with Send notification when alerts clear on.',
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
