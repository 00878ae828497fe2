// The media type that is imported into Zabbix. It posts the macros by their names.
const macros = [
  'ALERT.MESSAGE',
  'ALERT.SUBJECT',
  'EVENT.ACK.STATUS',
  'EVENT.DATE',
  'EVENT.ID',
  'EVENT.NAME',
  'EVENT.NSEVERITY',
  'EVENT.OPDATA',
  'EVENT.SEVERITY',
  'EVENT.TAGS',
  'EVENT.TIME',
  'EVENT.UPDATE.ACTION',
  'EVENT.UPDATE.MESSAGE',
  'EVENT.UPDATE.STATUS',
  'EVENT.VALUE',
  'HOST.HOST',
  'HOST.IP',
  'HOST.NAME',
  'TRIGGER.DESCRIPTION',
  'TRIGGER.ID',
  'TRIGGER.URL',
];

const parameter = (name: string, value: string) => `
        - name: '${name}'
          value: '${value}'`;

const template = (source: string, mode: string, subject: string, message: string) => `
        - event_source: ${source}
          operation_mode: ${mode}
          subject: '${subject}'
          message: '${message}'`;

const templatesOf = (source: string) =>
  template(source, 'PROBLEM', 'Problem: {EVENT.NAME}', 'Problem since {EVENT.TIME} {EVENT.DATE}') +
  template(source, 'RECOVERY', 'Resolved: {EVENT.NAME}', 'Resolved after {EVENT.DURATION}') +
  template(
    source,
    'UPDATE',
    'Updated: {EVENT.NAME}',
    '{USER.FULLNAME} {EVENT.UPDATE.ACTION}: {EVENT.UPDATE.MESSAGE}',
  );

export const zabbixMediaType = `zabbix_export:
  version: '6.0'
  media_types:
    - name: Pager
      type: WEBHOOK
      parameters:${[
        parameter('URL', '{url}'),
        parameter('HTTPProxy', ''),
        parameter('ZABBIX.URL', '{$ZABBIX.URL}'),
        ...macros.map((macro) => parameter(macro, `{${macro}}`)),
      ].join('')}
      attempts: '60'
      attempt_interval: 10s
      timeout: 30s
      script: |
        var event = JSON.parse(value), request = new HttpRequest(), url = event.URL, site = event['ZABBIX.URL'];
        if (event.HTTPProxy) request.setProxy(event.HTTPProxy);
        delete event.URL;
        delete event.HTTPProxy;
        if (/^https?:/.test(site) && /^[0-9]+$/.test(event['TRIGGER.ID']))
          event.LINK = site.replace(/[/]$/, '') + '/tr_events.php?triggerid=' + event['TRIGGER.ID'] + '&eventid=' + event['EVENT.ID'];
        request.addHeader('Content-Type: application/json');
        var answer = request.post(url, JSON.stringify(event)), status = request.getStatus();
        if (status < 200 || status > 299) throw 'Pager answered ' + status + ': ' + answer;
        return 'OK';
      message_templates:${templatesOf('TRIGGERS')}${templatesOf('SERVICE')}`;
