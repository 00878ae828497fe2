import type { Tool } from '../reading/notation.ts';

const links = { Result: 'link' } as const;

export const checkly = {
  slug: 'checkly',
  name: 'Checkly',
  description: 'Sends alerts of checks and certificates with a webhook alert channel.',
  problem: 'each check, and separately for its certificate',
  knownAs: ['Checkly', 'checkly'],
  forms: [
    {
      // A certificate that expires is a problem of its own, of which no recovery is sent.
      when: ['alert_type=ALERT_SSL'],
      title: ['{check_name}: the certificate of {ssl_check_domain} expires', 'event', 'check_name'],
      key: [['check_id | check_name', 'alert_type']],
      state: [{ at: 'alert_type', else: 'trigger' }],
      severity: { at: 'alert_type', else: 'sev3' },
      links,
    },
    {
      when: ['check_id | check_name', 'alert_type | check_result_id | check_error_message'],
      title: ['check_name', 'event'],
      key: [['check_id'], ['check_name']],
      state: [
        { at: 'alert_type', resolve: /RECOVERY$/, nothing: 'NO_ALERT', else: 'trigger' },
        { at: 'event', resolve: /has recovered$/ },
      ],
      severity: { at: 'alert_type', sev1: /FAILURE(?:_REMAIN)?$/, sev3: /DEGRADED/ },
      links,
    },
  ],
  guide: {
    steps: [
      'Go to Alert settings > Add more channels > Webhook. Set method POST, the URL {url} and the body below. Pager also reads the default body.',
      'Keep Failure and Recovery selected. Without Recovery, incidents are not resolved. Degradation and SSL certificate expirations are optional.',
      'Subscribe checks and groups to the channel, and press Send test.',
    ],
    snippets: [
      {
        file: 'body.json',
        text: `{
  "event": "{{ALERT_TITLE}}",
  "alert_type": "{{ALERT_TYPE}}",
  "check_name": "{{CHECK_NAME}}",
  "check_id": "{{CHECK_ID}}",
  "check_type": "{{CHECK_TYPE}}",
  "check_error_message": "{{CHECK_ERROR_MESSAGE}}",
  "ssl_check_domain": "{{SSL_CHECK_DOMAIN}}",
  "ssl_days_remaining": "{{SSL_DAYS_REMAINING}}",
  "run_location": "{{RUN_LOCATION}}",
  "link": "{{RESULT_LINK}}"
}`,
      },
    ],
  },
} as const satisfies Tool;
