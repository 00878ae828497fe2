// What of a record is well-formed and yet works on no server with these settings: it is saved, for
// the settings may change, and whoever saves it is told.
import { queryLimits } from '../../limits/queries.ts';
import type { PlaybookAction } from '../../resources/action.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { escalationPolicy, type Step, type Target } from '../../resources/escalation-policy.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { playbook } from '../../resources/playbook.ts';

/** What this server can do today. */
export type Means = {
  /** The ways to people that are set up. */
  readonly channels: ReadonlySet<string>;
  /** Why an IP address may not be called; undefined: it may. */
  readonly refusalOf: (address: string) => string | undefined;
};

type Fields = Readonly<Record<string, unknown>>;

/** Sentences; of what cannot work, not of what may fail. The fields fit their declaration. */
export function futile({ name }: Resource, fields: Fields, means: Means): readonly string[] {
  const told = () => {
    switch (name) {
      case escalationPolicy.name:
        return futileTargets(fields['steps'] as readonly Step[], means);
      case outboundWebhook.name:
        return futileWebhook(fields as Webhook, means);
      case playbook.name:
        return futileActions(fields['actions'] as readonly PlaybookAction[], means);
      default:
        return [];
    }
  };
  return told().slice(0, queryLimits.warnings);
}

const futileTargets = (steps: readonly Step[], means: Means): string[] =>
  steps.flatMap(({ targets }, step) =>
    targets.flatMap((target, index) =>
      futileTarget(target, means).map((told) => `steps[${step}].targets[${index}].${told}`),
    ),
  );

function futileTarget({ via, channel_id, webhook_url }: Target, means: Means): string[] {
  if (!means.channels.has(via)) return [notSetUp(via)];
  if (channel_id !== undefined && webhook_url === undefined)
    return [`channel_id leads nowhere on this server: it pages ${via} by webhook_url only.`];
  return refusedAddress('webhook_url', webhook_url, means);
}

const notSetUp = (via: string) => `via ${via} pages nobody today: it is not set up on this server.`;

type Webhook = { readonly url: unknown; readonly method?: string };

const futileWebhook = ({ url, method = 'GET' }: Webhook, means: Means): string[] => [
  ...refusedAddress('url', url, means),
  ...(method === 'POST'
    ? []
    : [`method ${method} tells of an incident by an empty call: only POST carries it.`]),
];

const futileActions = (actions: readonly PlaybookAction[], { channels }: Means): string[] =>
  actions.flatMap((action, index) =>
    action.type === 'pagePerson' && !channels.has(action.via)
      ? [`actions[${index}].${notSetUp(action.via)}`]
      : [],
  );

/** Of a name that must be looked up it is not known before it is called. */
function refusedAddress(field: string, url: unknown, { refusalOf }: Means): string[] {
  const host = typeof url === 'string' ? URL.parse(url)?.hostname : undefined;
  if (host === undefined) return [];
  const address = /(^|\.)localhost$/.test(host) ? '127.0.0.1' : host.replace(/^\[|\]$/g, '');
  if (!/^[\d.]+$|:/.test(address)) return [];
  const refusal = refusalOf(address);
  if (refusal === undefined) return [];
  return [
    `${field} is not called today: ${refusal}, and PAGER_ALLOW_NETWORKS does not name its network.`,
  ];
}
