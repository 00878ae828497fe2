import type { Repeatable } from '../../engine/ports/actions.ts';
import { httpLimits } from '../../limits/http.ts';
import {
  type Claim,
  type IdempotentAnswers,
  TakenOver,
} from '../../storage/records/idempotent-answers.ts';
import { Refusal } from '../failures.ts';
import type { Answer, Call, Route } from '../route.ts';

export type IdempotentRequest = {
  readonly answers: IdempotentAnswers;
  readonly call: Call;
  /** Of the `Idempotency-Key` header. */
  readonly key: string;
  /** As sent. */
  readonly path: string;
};

/** Runs the route once for the caller's key; the same request again gets the first answer. */
export async function runIdempotent(route: Route, request: IdempotentRequest): Promise<Answer> {
  const { answers, call, path } = request;
  if (path.length > httpLimits.repeatablePath) return route.handle(call);
  const repeatable = toRepeatable(route, request);
  const claim = await answers.claim(repeatable);
  switch (claim.type) {
    case 'answered':
      return firstAnswer(route, call, claim);
    case 'made':
      return again(route, call, claim.id);
    case 'full':
      throw full(call.now, claim.until);
    case 'mismatch':
      throw new Refusal('idempotency_mismatch');
    case 'running':
      throw running();
    case 'ours':
      return run(route, { answers, repeatable, call });
  }
}

const running = () => new Refusal('idempotency_running', { retryAfterSeconds: 1 });

function full(now: Temporal.Instant, until: Temporal.Instant): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(now.until(until).total('seconds')));
  const message = `You have sent ${httpLimits.repeatable} requests with an Idempotency-Key in ${httpLimits.repeatableFor} hours, the maximum. Try again later.`;
  return new Refusal('rate_limited', { message, retryAfterSeconds });
}

async function again(route: Route, call: Call, id: string): Promise<Answer> {
  if (route.again !== undefined) return route.again(call, id);
  const message = `This request was completed for ${id}, but its response was lost.`;
  throw new Refusal('answer_lost', { message });
}

type Answered = Extract<Claim, { type: 'answered' }>;

/** A record that the route can read is answered as it is now. */
async function firstAnswer(route: Route, call: Call, claim: Answered): Promise<Answer> {
  const { status, body, createdId: madeId } = claim;
  if (route.again === undefined) {
    const message = 'This request was completed, but its response was too large to store.';
    if (!('body' in claim)) throw new Refusal('answer_lost', { message });
    return { status, body };
  }
  const now = await route.again(call, madeId ?? call.params['id'] ?? '');
  return { status, body: { ...(now.body as object), ...warningsOf(body) } };
}

/** The part of an answer that is stored, because it is not read with the record. */
function warningsOf(body: unknown): { readonly warnings?: unknown } {
  const { warnings } = (body ?? {}) as { warnings?: unknown };
  return warnings === undefined ? {} : { warnings };
}

function toRepeatable({ method }: Route, { call, key, path }: IdempotentRequest): Repeatable {
  return {
    organizationId: call.caller.organizationId,
    caller: `${call.caller.kind}:${call.caller.id}`,
    route: `${method} ${path}`,
    key,
    content: JSON.stringify([
      ...[call.teamId, call.query, call.sha256 ?? call.body ?? null],
      ...(call.version === null ? [] : [call.version]),
    ]),
    now: call.now,
  };
}

type Run = {
  readonly answers: IdempotentAnswers;
  readonly repeatable: Repeatable;
  readonly call: Call;
};

async function run(route: Route, { answers, repeatable, call }: Run): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await route.handle({ ...call, repeatable });
  } catch (error) {
    // Unless something was made, the corrected world may be tried with the same key.
    await answers.release(repeatable).catch(() => {});
    throw error instanceof TakenOver ? running() : error;
  }
  const { status, body } = answer;
  const stored = route.again === undefined ? body : warningsOf(body);
  // The work is done: the caller gets the answer even when it cannot be stored for a repetition.
  await answers.finish(repeatable, { status, body: stored }).catch(() => {});
  return answer;
}
