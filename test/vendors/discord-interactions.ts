// What Discord sends of what people do, and how long it takes the answers:
// https://discord.com/developers/docs/interactions/receiving-and-responding
import { generateKeyPairSync, sign } from 'node:crypto';
import { discordContract as contract } from './discord-contract.ts';

type Members = Readonly<Record<string, unknown>>;

export type Interaction = {
  readonly id: string;
  readonly token: string;
  readonly userId: string;
  readonly sentAt: Temporal.Instant;
  /** 5: an answer follows, and its person waits for it. 6: the message may be edited. Null: nothing yet. */
  deferred: 5 | 6 | null;
  isWithdrawn: boolean;
};

export type Option = { readonly label: string; readonly value: string };

/** What Discord shows one person alone. */
export type Shown = {
  readonly id: string;
  readonly userId: string;
  readonly text: string;
  readonly options: readonly Option[];
};

type Refusal = { readonly status: number; readonly code: number; readonly message: string };

const refusal = (status: number, code: number, message: string): Refusal => ({
  status,
  code,
  message,
});

const FIRST_SECONDS = 3;
const TOKEN_MINUTES = 15;

export class Interactions {
  readonly all: Interaction[] = [];
  readonly shown: Shown[] = [];
  readonly publicKey: string;
  readonly #privateKey;
  readonly #now: () => Temporal.Instant;
  readonly #nextId: () => string;

  constructor(now: () => Temporal.Instant, nextId: () => string) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    this.publicKey = Buffer.from(x, 'base64url').toString('hex');
    this.#privateKey = privateKey;
    this.#now = now;
    this.#nextId = nextId;
  }

  begin(userId: string): Interaction {
    const id = this.#nextId();
    const token = `aW50ZXJhY3Rpb246${id}`;
    const one = { id, token, userId, sentAt: this.#now(), deferred: null, isWithdrawn: false };
    this.all.push(one);
    return one;
  }

  /** As Discord posts it to an address. `isForged`: as Discord does to see whether that is noticed. */
  async post(url: string, interaction: Members, { isForged = false, ageSeconds = 0 } = {}) {
    const body = JSON.stringify(interaction);
    const timestamp = String(Math.floor(this.#now().epochMilliseconds / 1_000) - ageSeconds);
    const signature = sign(
      null,
      Buffer.from(`${timestamp}${isForged ? 'x' : ''}${body}`),
      this.#privateKey,
    );
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature-ed25519': signature.toString('hex'),
        'x-signature-timestamp': timestamp,
      },
      body,
    });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    return {
      status: response.status,
      answer: type.startsWith('application/json') ? JSON.parse(text) : null,
    };
  }

  /** The first answer. Null: it is taken. */
  defer(token: string, answer: Members): Refusal | null {
    const one = this.all.find((each) => each.token === token);
    const isLate = one !== undefined && this.#age(one) > FIRST_SECONDS && one.deferred === null;
    if (one === undefined || isLate) return refusal(404, 10062, 'Unknown interaction');
    if (one.deferred !== null)
      return refusal(400, 40060, 'Interaction has already been acknowledged.');
    one.deferred = answer['type'] === 5 ? 5 : 6;
    return null;
  }

  /** A message of its own, after a press; `@original`: what its person waits for. */
  answer(token: string, what: 'follow' | 'edit' | 'withdraw', post: Members): Refusal | null {
    const one = this.all.find((each) => each.token === token);
    if (one === undefined || this.#age(one) > TOKEN_MINUTES * 60)
      return refusal(401, 50027, 'Invalid Webhook Token');
    if (one.deferred === null) return refusal(404, 10015, 'Unknown Webhook');
    if (what !== 'follow' && one.deferred !== 5) return refusal(404, 10008, 'Unknown Message');
    if (what === 'follow' && one.deferred === 5)
      throw new Error('the answer to a command is an edit of what its person waits for');
    if (what === 'withdraw') one.isWithdrawn = true;
    else
      this.shown.push({
        id: this.#nextId(),
        userId: one.userId,
        text: String(post['content']),
        options: optionsIn(post),
      });
    return null;
  }

  #age({ sentAt }: Interaction): number {
    return (this.#now().epochMilliseconds - sentAt.epochMilliseconds) / 1_000;
  }
}

type Row = { readonly components: readonly { readonly options?: readonly Option[] }[] };

const optionsIn = ({ components }: Members): readonly Option[] =>
  ((components ?? []) as readonly Row[]).flatMap((row) =>
    row.components.flatMap(({ options = [] }) => options),
  );

type Place = {
  readonly applicationId: string;
  readonly guildId: string;
  readonly channelId: string;
};

/** What Discord sends of it. */
export function interactionOf(
  { id, token, userId }: Interaction,
  { applicationId, guildId, channelId }: Place,
  what: Members & { readonly type: number },
): Members {
  const user = { id: userId, username: 'ada', discriminator: '0', global_name: 'Ada' };
  const interaction = {
    version: 1,
    id,
    application_id: applicationId,
    token,
    guild_id: guildId,
    channel_id: channelId,
    member: { user, roles: [], permissions: '0' },
    ...what,
  };
  const problem = contract.interactionProblem(interaction);
  if (problem !== undefined) throw new Error(`the fake: ${problem}`);
  return interaction;
}
