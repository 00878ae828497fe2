// Push to browsers and ntfy: one notice goes to all devices of a person, and is delivered when one of
// them has it. Each device then has a message of its own, which is sent once more where it could not be taken.
import { createHash } from 'node:crypto';
import type { Clock } from '../../engine/clock.ts';
import type { Log } from '../../engine/log.ts';
import type {
  Attempt,
  Delivery,
  NoticeChannel,
  ReportedDelivery,
  SentMessage,
} from '../../engine/sending/channel.ts';
import type { NoteAnswer } from '../../engine/sending/connection-health.ts';
import type { Notice } from '../../notices/notice.ts';
import { type PushMessage, pushEditOf, pushMessageOf } from '../../notices/push.ts';
import type { NtfyTopic, PushAddress, Subscription } from '../../resources/push.ts';
import { answersByHost, type HostAnswer, pushAnswerOf, refusalsOfPager } from '../host-answer.ts';
import type { Outbound } from '../outbound.ts';
import { encryptPush } from './encrypt.ts';
import { type Vapid, vapidHeader } from './vapid.ts';

export type PushDevice = {
  readonly organizationId: string;
  /** Of the contact that it is. */
  readonly id: string;
  /** As people see it. */
  readonly name: string;
  readonly subscription: PushAddress;
};

export type PushDevices = {
  /** All verified devices of the person, or the device of the contact, with this id. */
  of(organizationId: string, id: string): Promise<readonly PushDevice[]>;
  /** That of the contact, while it is verified and its person active. */
  inUse(organizationId: string, contactId: string): Promise<readonly PushDevice[]>;
  /** It no longer accepts pushes. */
  gone(device: PushDevice, reason: string): Promise<void>;
};

export type Published = Delivery | Extract<ReportedDelivery, { readonly outcome: 'withheld' }>;

export type Publishing = {
  readonly organizationId: string;
  readonly to: NtfyTopic;
  readonly notice: Notice;
  readonly message: PushMessage;
  readonly attempt: Attempt | undefined;
};

export type Publish = (publishing: Publishing) => Promise<Published>;

export type PushOptions = {
  readonly outbound: Outbound;
  readonly devices: PushDevices;
  readonly vapid: Vapid;
  readonly clock: Clock;
  readonly log: Log;
  /** To devices of vendors, which browsers are not. */
  readonly publish: Publish;
  /** Called with what each answer shows about the push service of a browser. */
  readonly answered: NoteAnswer;
};

/** The address is the id of a person, or of one contact. */
export function createPush(
  options: PushOptions,
): NoticeChannel & Required<Pick<NoticeChannel, 'show'>> {
  const { devices, log } = options;
  async function toAll(
    notice: Notice,
    read: Promise<readonly PushDevice[]>,
    { message, attempt }: Pick<Sending, 'message' | 'attempt'>,
  ): Promise<Published> {
    try {
      const all = await read;
      const sending = { ...options, notice, message, attempt };
      const results = await Promise.all(all.map((device) => sendTo(device, sending)));
      await noteServices(notice.organization.id, results);
      return together(results, message);
    } catch (err) {
      log.error({ err, notice: notice.key }, 'devices of a person could not be read');
      return { outcome: 'no_answer', reason: 'the devices could not be read' };
    }
  }
  async function noteServices(organizationId: string, results: readonly Result[]): Promise<void> {
    const answers = answersByHost(results.flatMap(({ service }) => service ?? []));
    for (const [service, answer] of answers)
      await options.answered({ organizationId, channel: 'push-notification', service }, answer);
  }

  return {
    send: (notice, address, attempt) =>
      toAll(notice, devices.of(notice.organization.id, address), {
        message: pushMessageOf(notice),
        attempt,
      }),
    async show(notice, { place }, difference) {
      // What is shown again comes back where it was dismissed: only with something new to tell.
      if (difference === 'cycle') return { outcome: 'delivered' };
      const isPage = difference === 'all' && isTriggered(notice);
      const inUse = devices.inUse(notice.organization.id, place);
      const message = isPage ? pushMessageOf(notice) : pushEditOf(notice);
      const shown = await toAll(notice, inUse, { message, attempt: undefined });
      if (shown.outcome === 'withheld') return { outcome: 'no_answer', reason: shown.reason };
      return shown;
    },
  };
}

const isTriggered = (notice: Notice) =>
  notice.about === 'incident' && notice.incident.status === 'triggered';

type Result = {
  readonly device: PushDevice;
  readonly delivery: Published;
  /** What it shows about the push service of a browser. */
  readonly service?: HostAnswer;
};
type Sending = PushOptions & {
  readonly notice: Notice;
  readonly message: PushMessage;
  readonly attempt: Attempt | undefined;
};

async function sendTo(device: PushDevice, sending: Sending): Promise<Result> {
  const { subscription, organizationId } = device;
  if (!('topic' in subscription)) return sendToBrowser(device, subscription, sending);
  const { publish, notice, message, attempt } = sending;
  const publishing = { organizationId, to: subscription, notice, message, attempt };
  return { device, delivery: await publish(publishing) };
}

async function sendToBrowser(
  device: PushDevice,
  { endpoint, keys }: Subscription,
  sending: Sending,
): Promise<Result> {
  const { outbound, devices, vapid, clock, log, notice, message } = sending;
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const to = { p256dh: bytes(keys.p256dh), auth: bytes(keys.auth) };
  const answer = await outbound.request({
    requester: { organizationId: device.organizationId, kind: 'page' },
    url: endpoint,
    method: 'POST',
    headers: {
      authorization: vapidHeader(vapid, endpoint, clock.now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(message.ttlSeconds),
      ...(message.replaces && { topic: topicOf(message) }),
      urgency: 'high',
    },
    body: encryptPush(Buffer.from(JSON.stringify(message.content)), to),
  });
  const delivery = pushDelivery(answer);
  const { status = 0 } = answer;
  const { host = '' } = URL.parse(endpoint) ?? {};
  if (isGone(status)) await noteGone(device, status, { devices, log });
  else if (answer.outcome === 'failed' && answer.status !== undefined)
    // Without what it answered: a browser names the address, and its server could fill the log.
    log.warn({ notice: notice.key, host, status }, 'a push service rejected a push');
  return { device, delivery, service: { host, answer: pushAnswerOf(host, answer) } };
}

const topicOf = ({ content }: PushMessage) =>
  createHash('sha256').update(content.tag).digest('base64url').slice(0, 32);

/** What others got is delivered, whether this can be stored or not. */
async function noteGone(
  device: PushDevice,
  status: number,
  { devices, log }: Pick<PushOptions, 'devices' | 'log'>,
): Promise<void> {
  try {
    await devices.gone(device, `Its push service answered ${status}.`);
  } catch (err) {
    log.error({ err, contact: device.id }, 'the loss of a device could not be stored');
  }
}

const isGone = (status: number) => status === 404 || status === 410;

/**
 * What the answer of a push service means. A refusal of Pager's keys or of its request is Pager's to
 * mend, and nothing is wrong with the device: the push is tried again. After a refusal that is not
 * known, the person's other ways and the next step come next.
 */
export function pushDelivery(answer: Delivery): Delivery {
  const { outcome, status } = answer;
  if (outcome !== 'failed') return answer;
  // A browser names the address: whoever wrote a name of the network here does not get its address.
  if (status === undefined) return { ...answer, reason: 'its push service cannot be called' };
  if (isGone(status))
    return { ...answer, blame: 'contact', reason: `no longer accepts pushes (${status})` };
  if (status === 413)
    return { ...answer, blame: 'message', reason: 'the push was too large (413)' };
  if (!refusalsOfPager.includes(status))
    return { ...answer, reason: `the push was refused (${status})` };
  const reason = `the push service refused Pager (${status})`;
  return { ...answer, outcome: 'refused', blame: 'connection', reason };
}

/** Delivered where one device has it; tried again while one may still take it. */
function together(results: readonly Result[], message: PushMessage): Published {
  const lines = results.map(
    ({ device, delivery }) =>
      `${device.name}: ${delivery.outcome === 'delivered' ? `answered ${delivery.status}` : delivery.reason}`,
  );
  const text = lines.join('; ');
  const deliveries = results.map(({ delivery }) => delivery);
  if (deliveries.some(({ outcome }) => outcome === 'delivered'))
    return { outcome: 'delivered', answer: text, posted: postedOf(results, message) };
  const withheld = deliveries.filter((each) => each.outcome === 'withheld');
  const later = deliveries.filter((each) => each.outcome === 'no_answer');
  const refused = deliveries.find((each) => each.outcome === 'refused');
  if (later.length === 0 && withheld.length > 0) {
    const forSeconds = Math.min(...withheld.map((each) => each.forSeconds));
    return { outcome: 'withheld', reason: text, forSeconds };
  }
  if (later.length === 0 && refused !== undefined)
    return { outcome: 'refused', blame: refused.blame, reason: text };
  if (later.length === 0)
    return {
      outcome: 'failed',
      blame: 'contact',
      reason: text === '' ? 'no device receives pushes' : text,
    };
  const retryAfterSeconds = Math.min(...later.map((each) => each.retryAfterSeconds ?? 0));
  return { outcome: 'no_answer', reason: text, retryAfterSeconds };
}

/** A push with its tag takes its place, on each device that has it or will. */
const postedOf = (results: readonly Result[], { content }: PushMessage): readonly SentMessage[] =>
  results.flatMap(({ device, delivery }) => {
    if (delivery.outcome === 'failed') return [];
    const posted = { connectionId: null, place: device.id, messageId: content.tag };
    if (delivery.outcome === 'delivered') return [posted];
    return [{ ...posted, retry: { afterSeconds: waitOf(delivery) } }];
  });

function waitOf(delivery: Published): number {
  if (delivery.outcome === 'withheld') return delivery.forSeconds;
  return delivery.outcome === 'no_answer' ? (delivery.retryAfterSeconds ?? 0) : 0;
}
