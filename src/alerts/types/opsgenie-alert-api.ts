import type { About, HttpRequest, Reading } from '../alert.ts';
import type { Form, Tool } from '../reading/notation.ts';
import { readerOf } from '../reading/reader.ts';
import { isUnfilled } from '../reading/template-leftovers.ts';
import { keyOf, oneLine, titleOf } from '../text.ts';

const alert = {
  title: 'message',
  key: [['alias'], ['message > cut /\\d+ days?/ > stem']],
  was: [['alias'], ['message > stem']],
  // Uptime Kuma sends it with all that is about no monitor, such as certificates.
  constants: 'uptimekuma-notification-test',
  state: [{ at: 'message', else: 'trigger' }],
  severity: 'priority',
  priority: 'priority',
  links: { Source: 'source' },
  omit: ['apiKey'],
} satisfies Form;

const opsgenieForms: readonly Form[] = [{ ...alert, when: ['message', 'alias'] }, alert];

const actions: ReadonlyMap<string, 'resolve' | 'acknowledge'> = new Map([
  ['close', 'resolve'],
  ['delete', 'resolve'],
  ['acknowledge', 'acknowledge'],
]);

/** What else can be done to an alert there; the addresses of Opsgenie know nothing beyond. */
const others: ReadonlySet<string> = new Set([
  ...['update', 'unacknowledge', 'snooze', 'notes', 'tags', 'details', 'assign', 'responders'],
  ...['teams', 'escalate', 'actions', 'attachments', 'recipients', 'logs', 'description'],
  ...['message', 'priority', 'saved-searches'],
  // Of version 1.
  ...['note', 'addnote', 'addtags', 'takeownership', 'recipient', 'renotify', 'executeaction'],
  ...['team', 'assignowner', 'unsnooze'],
]);

/** What is done to an alert stands in the address; the body may be empty. */
function readRequest(
  request: HttpRequest,
  about: About,
): Reading & { readonly isOfAddress?: true } {
  const [, id, below] = /\/v2\/alerts\/([^/]+)(?:\/([^/]+))?/.exec(request.path) ?? [];
  const [, unnamed] = /^\/v1\/json\/alert\/([^/]+)/.exec(request.path) ?? [];
  if ((id ?? unnamed) === undefined) return reader.read(request, about, () => undefined);
  const does = unnamed ?? below ?? (request.method === 'DELETE' ? 'delete' : 'update');
  const action = actions.get(does);
  if (action === undefined)
    return others.has(does.toLowerCase())
      ? { alerts: [], note: `${does} is not supported for alerts` }
      : { unreadable: `${oneLine(decoded(does)).slice(0, 100)}: is not an alert action` };
  if (id === undefined) return { unreadable: 'alias, id or tinyId: one of them is required' };
  if (new URLSearchParams(request.query).get('identifierType') !== 'alias')
    return { alerts: [], note: `no alert has the id ${id}` };
  const alias = decoded(id);
  const dedup_key = keyOf(alias);
  const raw = isUnfilled(alias) ? { raw_key: dedup_key } : {};
  const alerts = [{ action, dedup_key, ...raw, title: titleOf(oneLine(alias)) }];
  return { alerts, isOfAddress: true };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const opsgenieAlertApi = {
  slug: 'opsgenie-alert-api',
  name: 'Opsgenie Alert API',
  description: 'Accepts events from tools that are configured for the Opsgenie Alert API.',
  problem: 'each alias, or each message without its marks of state if there is no alias',
  logo: 'opsgenie',
  knownAs: ['API', 'Opsgenie', 'OpsGenie'],
  guide: {
    steps: [
      'In the tool, replace api.opsgenie.com (or api.eu.opsgenie.com) with the host of {url}.',
      'Set the API key to {token}, the token of this integration. Or adopt the tool’s current key and do not change it.',
    ],
    snippets: [
      {
        file: 'alertmanager.yml',
        text: `receivers:
  - name: pager
    opsgenie_configs:
      - api_url: {origin}/
        api_key: {token}`,
      },
    ],
  },
  forms: opsgenieForms,
  read: readRequest,
} satisfies Tool;

const reader = readerOf({ name: opsgenieAlertApi.name, forms: opsgenieForms });
