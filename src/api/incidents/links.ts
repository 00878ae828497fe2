// Links in mail and chat that acknowledge or resolve. Opening one shows a page that asks; only its
// button acts, because mail programs open links by themselves. Buttons of notifications send the same
// request and get their answer as JSON.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ActionResult } from '../../engine/actions.ts';
import type { Clock } from '../../engine/clock.ts';
import { type Digest, isProof } from '../../engine/proof.ts';
import type { Actor, Incident } from '../../incidents/incident.ts';
import { apart } from '../../incidents/recipient.ts';
import { accessLimits } from '../../limits/access.ts';
import { escaped } from '../../notices/words/html.ts';
import type { signInChannel } from '../../resources/channels.ts';
import { incidentRole, mayAct, type Role } from '../../resources/roles.ts';
import { Refusal } from '../failures.ts';
import { type Around, actingPage, stateSentence } from '../pages/acting.ts';
import { htmlPage } from '../pages/page.ts';

export type LinkAction = 'acknowledge' | 'resolve';

/** What one link is good for, and nothing else. */
export type LinkPower = {
  readonly organizationId: string;
  readonly incidentId: string;
  readonly action: LinkAction;
  readonly userId: string | null;
  /** Whose name the timeline shows. */
  readonly name: string;
  readonly via: typeof signInChannel | 'chat' | 'push';
  /** The mark of the address that it was mailed to. */
  readonly mark?: string;
  readonly expiresAt: Temporal.Instant;
};

// Notices leave out what is longer than 1,000 characters, and the name is all that may be long.
const nameLength = 100;

export const linkExpiry = (now: Temporal.Instant) => now.add({ hours: accessLimits.linkDays * 24 });

/** What a link says of an address: links stand in histories and in the logs of proxies. */
export const addressMark = (address: string, digest: Digest): string =>
  digest(`address ${address.toLowerCase()}`).subarray(0, 12).toString('base64url');

/** The power and its proof in one text; nobody can make another without the secret key. */
export function linkText(power: LinkPower, digest: Digest): string {
  const { organizationId, incidentId, action, userId, via, mark, expiresAt } = power;
  const name = power.name.slice(0, nameLength).toWellFormed();
  const expires = expiresAt.epochMilliseconds;
  const text = [organizationId, incidentId, action, userId, name, via, expires, mark];
  const payload = Buffer.from(JSON.stringify(text)).toString('base64url');
  return `${payload}.${proof(payload, digest)}`;
}

const proof = (payload: string, digest: Digest) => digest(`link ${payload}`).toString('base64url');

/** Null when it is not ours or no longer good. */
function readLink(text: string, digest: Digest, now: Temporal.Instant): LinkPower | null {
  const [payload, sentProof] = text.split('.');
  if (payload === undefined || sentProof === undefined) return null;
  if (!isProof(sentProof, proof(payload, digest))) return null;
  // Only what this program wrote has the right proof, so its form is known.
  const [organizationId, incidentId, action, userId, name, via, expires, mark] = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as [...[string, string, LinkAction, string | null, string, LinkPower['via'], number], string?];
  const expiresAt = Temporal.Instant.fromEpochMilliseconds(expires);
  if (Temporal.Instant.compare(expiresAt, now) <= 0) return null;
  const own = apart({ recipient: name }).recipient ?? name;
  const power = { organizationId, incidentId, action, userId, name: own, via, expiresAt };
  return { ...power, ...(mark && { mark }) };
}

type LinkOptions = {
  readonly digest: Digest;
  readonly clock: Clock;
  /** Null: there is none who is active. */
  readonly roleOf: (userId: string) => Promise<Role | null>;
  readonly find: (power: LinkPower) => Promise<Incident | null>;
  /** Whoever used one may not act any more; `role` null: they are not active. */
  readonly refused: (
    power: LinkPower,
    by: { readonly userId: string; readonly role: Role | null },
  ) => Promise<void>;
  readonly act: (power: LinkPower, by: Actor) => Promise<ActionResult>;
  /** Null: it cannot be read now, and nobody waits for it. */
  readonly around: (power: LinkPower, incident: Incident) => Promise<Around | null>;
};

export function mountLinks(app: FastifyInstance, options: LinkOptions): void {
  void app.register((links, _options, done) => {
    links.removeAllContentTypeParsers();
    // The button sends an empty form; its content is of no interest.
    links.addContentTypeParser('*', { parseAs: 'string' }, async () => ({}));
    links.get('/act/:link', (request, reply) => confirmationPage(options, request, reply));
    links.post('/act/:link', (request, reply) =>
      request.headers.accept === 'application/json'
        ? answerWorker(options, request)
        : doIt(options, request, reply),
    );
    done();
  });
}

async function powerOf(options: LinkOptions, request: FastifyRequest): Promise<LinkPower> {
  const { link } = request.params as { link: string };
  const power = readLink(link, options.digest, options.clock.now());
  const notGood = { message: 'This link is invalid or has expired.' };
  if (power === null) throw new Refusal('not_found', notGood);
  if (power.userId === null) return power;
  const { userId } = power;
  const role = await options.roleOf(userId);
  // The role of today counts, not that of the moment when the page was sent.
  if (role !== null && mayAct({ role }, incidentRole)) return power;
  // Opening one is no attempt: mail programs do that.
  if (request.method === 'POST') await options.refused(power, { userId, role });
  throw role === null ? new Refusal('not_found', notGood) : new Refusal('forbidden');
}

const verbs = {
  acknowledge: { label: 'Acknowledge', done: 'acknowledged' },
  resolve: { label: 'Resolve', done: 'resolved' },
} as const;

async function confirmationPage(
  options: LinkOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const power = await powerOf(options, request);
  const incident = await options.find(power);
  if (!incident) throw new Refusal('not_found');
  const { label, done } = verbs[power.action];
  const isDone =
    incident.status === 'resolved' ||
    (power.action === 'acknowledge' && incident.status === 'acknowledged');
  const about = { power, incident };
  if (isDone) return show(options, reply, { ...about, result: 'There is nothing left to do.' });
  const bar = `<form method="post"><button type="submit" autofocus>${label}</button></form>
<p class="quiet">As ${escaped(power.name)}. Nothing is ${done} until you press the button.</p>`;
  return show(options, reply, { ...about, bar });
}

async function doIt(options: LinkOptions, request: FastifyRequest, reply: FastifyReply) {
  const { power, acted, incident } = await acting(options, request);
  const result =
    acted.result === 'done' ? `Thank you, ${power.name}.` : `Nothing was changed: ${acted.reason}.`;
  return show(options, reply, { power, incident, result });
}

/** For the service worker, which shows it in place of the notification whose button was pressed. */
async function answerWorker(options: LinkOptions, request: FastifyRequest) {
  const { power, acted, incident } = await acting(options, request);
  const around = await options.around(power, incident);
  const state = stateSentence(incident, { around, now: options.clock.now() });
  const undone = acted.result === 'done' ? [] : [`Nothing was changed: ${acted.reason}.`];
  const { status } = incident;
  return { status, text: [...undone, state, around?.next ?? ''].filter(Boolean).join('\n') };
}

async function acting(options: LinkOptions, request: FastifyRequest) {
  const power = await powerOf(options, request);
  const by: Actor = {
    type: 'user',
    ...(power.userId !== null && { id: power.userId }),
    name: power.name,
    via: power.via,
  };
  const acted = await options.act(power, by);
  if (acted.result === 'not_found') throw new Refusal('not_found');
  const incident = acted.result === 'refused' ? await options.find(power) : acted.incident;
  if (!incident) throw new Refusal('not_found');
  return { power, acted, incident };
}

type Shown = {
  readonly power: LinkPower;
  readonly incident: Incident;
  readonly bar?: string;
  readonly result?: string;
};

async function show(
  { around, clock }: LinkOptions,
  reply: FastifyReply,
  { power, incident, bar = '', result = '' }: Shown,
) {
  const known = await around(power, incident);
  const page = { incident, around: known, now: clock.now(), bar, result };
  return htmlPage(reply, actingPage(page));
}
