import type { Form, Tool } from '../reading/notation.ts';

const event = {
  title: ['description', '{host} {service} is {state}'],
  host: 'host',
  key: [['host', 'service']],
  state: [{ at: 'state', trigger: 'critical warning expired error unknown', resolve: 'ok' }],
  severity: { at: 'state', sev1: 'critical', sev2: 'error expired', sev3: 'warning unknown' },
} as const satisfies Form;

export const riemann = {
  slug: 'riemann',
  name: 'Riemann',
  description: 'Sends events of streams as JSON when a state changes.',
  problem: 'each service of a host',
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
      ...event,
    },
    {
      // An expired event has only these, unless keep-keys of Riemann names more.
      when: ['host', 'service', 'state=expired', '!notification_type', '!notificationType'],
      ...event,
    },
  ],
  guide: {
    steps: [
      'Add the lines below to riemann.config. Your own streams can call pager in the same way.',
      'A service that is silent for longer than its ttl expires and pages, if riemann.config contains (periodically-expire 5) and the index. Reload Riemann.',
    ],
    notes: ['The stream posts to {url}. The state ok resolves.'],
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
