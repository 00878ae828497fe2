import type { Form, Tool } from '../reading/notation.ts';

const sensor = {
  name: ['{device} {name | sensor}', 'name | sensor'],
  message: ['message | lastmessage', 'status'],
  key: [['sensorid'], ['device', 'name | sensor']],
  state: [
    {
      // "Down ended (now: Up)"; a sensor that is paused, or now unknown, has not recovered.
      at: 'status',
      acknowledge: /\(Acknowledged\)/i,
      resolve: /: (?:Up|OK)\)$/i,
      trigger: /: (?:Down|Fehler)\b[^)]*\)*$/i,
    },
    { at: 'status', nothing: /: [^)]*\)$|^(?:Paused|Pausiert)/i },
  ],
  severity: { at: 'status', sev1: /^(?:Down|Fehler)/i, sev3: /^(?:Warn|Unusual|Ungew)/i },
  links: { Sensor: 'link | linksensor' },
} as const satisfies Form;

export const prtg = {
  slug: 'prtg',
  name: 'PRTG Network Monitor',
  description: 'Sends sensor alerts with the notification method Execute HTTP Action.',
  problem: 'each sensor',
  knownAs: ['PRTG', 'prtg'],
  forms: [
    { when: ['sensorid', 'status | name | message'], ...sensor },
    // Of a payload without the id.
    {
      when: ['status~^(?:Up|Down|Warning|Unusual|Paused|Unknown)\\b', 'message', 'name'],
      ...sensor,
    },
    {
      // Of a script for Grafana OnCall; its ids are that of the sensor and a date.
      when: ['alert_uid', 'state', 'ack_url_get'],
      title: ['title', 'message'],
      key: [['alert_uid > take /^(\\d+)/'], ['alert_uid']],
      state: [{ at: 'state', trigger: 'alerting', resolve: 'ok' }],
      links: { Sensor: 'link_to_upstream_details' },
      // Both have the password of an account.
      omit: ['ack_url_get', 'image_url'],
    },
  ],
  guide: {
    steps: [
      'Go to Setup > Account Settings > Notification Templates > Add Notification Template. Choose Execute HTTP Action, enter the URL {url}, HTTP method POST and the payload below.',
      'In a group or device, go to Notification Triggers > Add State Trigger. Perform the template when the sensor state is Down, and the same template when it is no longer Down. Without the second one, incidents are not resolved.',
      'To send a test, press the bell of the template under Notification Templates.',
    ],
    snippets: [
      {
        file: 'payload.txt',
        // As a field of a form, because the type of its content is that of one.
        text: `payload={"sensorid": "%sensorid", "status": "%status", "device": "%device", "name": "%name", "link": "%linksensor", "message": "%message"}`,
      },
    ],
  },
} as const satisfies Tool;
