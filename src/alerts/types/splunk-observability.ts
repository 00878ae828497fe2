import type { Tool } from '../reading/notation.ts';

const withoutState =
  'cut /^(?:(?:critical|major|minor|warning|info) alert|manually resolved|back to normal|cleared|stopped|resolved|test): /i';

export const splunkObservability = {
  slug: 'splunk-observability',
  name: 'Splunk Observability Cloud',
  description: 'Sends alerts of detectors (formerly SignalFx) with a webhook integration.',
  problem: 'each incident of a detector',
  logo: 'splunk',
  knownAs: ['SignalFx', 'SignalFX', 'SignalFXV2', 'Splunk Infrastructure Monitoring'],
  forms: [
    {
      when: [
        'incidentId | detectorId | detectorUrl',
        'statusExtended | messageTitle | detectOnCondition',
      ],
      title: [
        `messageTitle > ${withoutState}`,
        // Of a payload template that puts them there.
        `inputs.messageTitle > ${withoutState}`,
        '{rule} ({detector})',
        'rule',
        'detector',
      ],
      key: [['incidentId'], ['detectorId | detectorUrl', 'rule | inputs.rule']],
      state: [
        { at: 'messageTitle', nothing: /^test: /i },
        {
          at: ['statusExtended', 'status'],
          trigger: 'anomalous',
          resolve: 'ok stopped manually_resolved auto_resolved',
        },
      ],
      severity: 'severity',
      links: { Detector: 'detectorUrl', Runbook: 'runbookUrl' },
    },
  ],
  guide: {
    steps: [
      'Go to Data Management > Available integrations, search for Webhook, and press New Integration. Enter the URL {url}, keep the default payload, and save.',
      'Go to Detectors, open the detector and its rule, and go to Alert recipients > Add recipient > Webhook. Choose the integration and activate the rule.',
    ],
    notes: ['Cleared alerts are sent to the same integration automatically.'],
  },
} as const satisfies Tool;
