import type { About, HttpRequest, Reading } from '../alert.ts';
import type { Form, Tool } from '../reading/notation.ts';
import { readerOf } from '../reading/reader.ts';
import { keyOf, oneLine, titleOf } from '../text.ts';

const alert = {
  title: 'message',
  key: [['alias'], ['message > stem']],
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
  if (action === undefined) return { alerts: [], note: `${does} of an alert is not taken over` };
  if (id === undefined) return { unreadable: 'alias, id or tinyId: one of them must be there' };
  if (new URLSearchParams(request.query).get('identifierType') !== 'alias')
    return { alerts: [], note: `no alert has the id ${id}` };
  const alias = decoded(id);
  const alerts = [{ action, dedup_key: keyOf(alias), title: titleOf(oneLine(alias)) }];
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
  description: 'Tools that are set up for Opsgenie, by its Alert API.',
  logo: 'opsgenie',
  knownAs: ['API', 'Opsgenie', 'OpsGenie'],
  guide: {
    steps: [
      'In the tool, replace api.opsgenie.com (or api.eu.opsgenie.com) by the host of {url}.',
      'As API key set {token}, the token of this integration; or adopt the key that the tool has, and leave it there.',
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
