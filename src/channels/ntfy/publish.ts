// ntfy takes a message for a topic by HTTP, and its app shows it to whoever has subscribed.
import type { Delivery } from '../../engine/sending/channel.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { ntfyMessageOf } from '../../notices/ntfy.ts';
import { ntfyServerOf, ntfyUrl } from '../../resources/connections/ntfy.ts';
import type { Settings } from '../../resources/connections/vendor.ts';
import { membersOf, parsedJson } from '../json.ts';
import { holdAfter, type Lane, type LanePort, notSent, turnOf } from '../lanes.ts';
import type { Outbound, OutboundRequest } from '../outbound.ts';
import type { Published, Publishing } from '../push/push.ts';
import type { Checked } from '../vendor.ts';
import { deliveryOf, type InTurn, noteAnswer, type VendorFault } from '../vendor-fault.ts';

/** A server, as a connection has it. */
export type NtfyConnection = {
  readonly organization_id: string;
  readonly id: string;
  readonly settings: Settings;
  readonly secrets: Readonly<Record<string, string>>;
};

/** The way to servers of ntfy. */
export type NtfyApi = {
  readonly outbound: Outbound;
  /** In place of ntfy.sh. */
  readonly baseUrl: string;
};

export type NtfyOptions = Pick<InTurn<NtfyConnection>, 'answered'> & {
  readonly baseUrl: string;
  readonly lanes: LanePort;
  /** Where people reach this server. */
  readonly publicUrl: string;
  /** Of an organisation, those that are used. */
  readonly connectionsOf: (organizationId: string) => Promise<readonly NtfyConnection[]>;
};

/** A server takes 60 at once and then one in five seconds, unless its admin has set other limits. */
const serverLane: Lane = { name: 'ntfy', perSecond: 1_000, perSecondOnceRefused: 0.2 };

export async function publishToNtfy(
  options: NtfyOptions & Pick<NtfyApi, 'outbound'>,
  { organizationId, to, notice, message, attempt }: Publishing,
): Promise<Published> {
  const connections = await options.connectionsOf(organizationId);
  const connection = connections.find(({ settings }) => ntfyServerOf(settings) === to.server);
  if (connection === undefined)
    return { outcome: 'failed', reason: 'no ntfy connection uses its server anymore' };
  const { lanes } = options;
  const turn = await turnOf(lanes, connection, { lanes: [serverLane], attempt });
  if ('unsent' in turn) return notSent(turn);
  const { topic } = to;
  const { publicUrl } = options;
  const answer = await request(options, connection, {
    path: '/',
    method: 'POST',
    body: JSON.stringify(ntfyMessageOf(notice, message, { topic, publicUrl })),
  });
  const fault = ntfyFaultOf(answer);
  await noteAnswer(options, connection, fault);
  if (fault === null) return { ...answer, outcome: 'delivered' };
  // It may not say for how long.
  const unsaid = { retryAfterSeconds: sendingLimits.laneHold };
  if (answer.status === 429)
    await holdAfter(lanes, connection, serverLane.name, { ...unsaid, ...fault });
  return deliveryOf(isUncalled(answer) ? { ...fault, reason: uncalled } : fault);
}

/** Why is for admins, at the connection: it names an address of the network. */
const isUncalled = ({ outcome, status }: Delivery): boolean =>
  outcome === 'failed' && status === undefined;
const uncalled = 'ntfy: its server cannot be called';

type Request = Pick<OutboundRequest, 'method' | 'body'> & { readonly path: string };

function request(
  { outbound, baseUrl }: NtfyApi,
  { organization_id: organizationId, settings, secrets }: NtfyConnection,
  { path, ...rest }: Request,
): Promise<Delivery> {
  const server = ntfyServerOf(settings);
  const { token } = secrets;
  return outbound.request({
    requester: { organizationId, kind: 'page' },
    url: `${server === ntfyUrl ? baseUrl : server}${path}`,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...rest,
  });
}

type NtfyFault = VendorFault<'contact' | 'connection' | 'message'>;

type Meaning = readonly [blame: NtfyFault['blame'], text: string];

const meanings: Readonly<Record<number, Meaning>> = {
  400: ['message', 'the message was refused'],
  401: ['connection', 'the token is wrong or has expired: set another token'],
  403: ['contact', 'this connection is not allowed to publish to the topic'],
  404: ['connection', 'no ntfy server responds there: set base_url'],
  413: ['message', 'the message was too large'],
};
/** Codes of ntfy's, for topics that it takes no messages for. */
const refusedTopics: readonly unknown[] = [40_009, 40_010];

/** What an answer means for what is sent next; null: ntfy took the message. */
function ntfyFaultOf(answer: Delivery): NtfyFault | null {
  if (answer.outcome === 'delivered') return null;
  const { outcome, status, reason } = answer;
  if (outcome === 'no_answer') {
    const isOutage = status === undefined || status >= 500;
    return {
      blame: 'later',
      reason: `ntfy: ${reason}`,
      maybeExecuted: isOutage,
      ...(answer.retryAfterSeconds && { retryAfterSeconds: answer.retryAfterSeconds }),
      ...(isOutage && { isOutage }),
    };
  }
  const [blame, text] = status === undefined ? ownRefusal(reason) : meaningOf(status, answer);
  const shown = status === undefined ? '' : ` (${status})`;
  return { blame, reason: `ntfy: ${text}${shown}`, maybeExecuted: false };
}

const ownRefusal = (reason: string): Meaning => ['connection', reason];

function meaningOf(status: number, { answer = '' }: Delivery): Meaning {
  if (refusedTopics.includes(membersOf(parsedJson(answer))['code']))
    return ['contact', 'the server accepts no messages for this topic'];
  return meanings[status] ?? ['unlisted', 'the request was rejected'];
}

/** Whether a server of ntfy answers, and takes the token. */
export async function checkNtfy(api: NtfyApi, connection: NtfyConnection): Promise<Checked> {
  const server = ntfyServerOf(connection.settings);
  const health = await request(api, connection, { path: '/v1/health', method: 'GET' });
  const isNtfy = membersOf(parsedJson(health.answer ?? ''))['healthy'] === true;
  const fault = ntfyFaultOf(health);
  if (fault !== null || !isNtfy) {
    const message = fault?.reason ?? `ntfy: ${server} is not a healthy ntfy server`;
    return { checks: [{ name: 'server', ok: false, message }], account: null };
  }
  const answers = { name: 'server', ok: true, message: `${server} answers.` };
  if (connection.secrets['token'] === undefined) return { checks: [answers], account: server };
  const account = await request(api, connection, { path: '/v1/account', method: 'GET' });
  const refused = ntfyFaultOf(account)?.reason;
  const message = refused ?? 'The token is accepted.';
  const credentials = { name: 'credentials', ok: refused === undefined, message };
  return { checks: [answers, credentials], account: server };
}
