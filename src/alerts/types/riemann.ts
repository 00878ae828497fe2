import type { Tool } from '../reading/notation.ts';

export const riemann = {
  slug: 'riemann',
  name: 'Riemann',
  description: 'Events of streams, posted as JSON when a state changes.',
  forms: [
    {
      // Nagios and Icinga send the same words, with a type of notification beside.
      when: [
        'host',
        'service',
        'state',
        'description | metric | ttl',
        '!notification_type',
        '!notificationType',
      ],
      title: ['description', '{host} {service} is {state}'],
      key: [['host', 'service']],
      state: [{ at: 'state', trigger: 'critical warning expired error unknown', resolve: 'ok' }],
      severity: { at: 'state', sev1: 'critical', sev2: 'error expired', sev3: 'warning unknown' },
    },
  ],
  guide: {
    steps: [
      'Add the function below to riemann.config, and call it where a state changes.',
      'Keep "expired" in the stream if silence of a service is to page. Reload Riemann.',
      'The stream posts to {url}; the state ok resolves.',
    ],
    snippets: [
      {
        file: 'riemann.config',
        text: `(require '[clj-http.client :as client] '[cheshire.core :as json])

(defn pager [event]
  (client/post "{url}"
    {:body (json/generate-string
             (select-keys event [:host :service :state :description :metric :ttl :tags]))
     :content-type :json
     :socket-timeout 5000
     :conn-timeout 5000}))

(streams
  (by [:host :service]
    (changed-state {:init "ok"}
      (async-queue! :pager {:queue-size 1000} pager))))`,
      },
    ],
  },
} as const satisfies Tool;
