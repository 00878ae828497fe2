import {
  type IdempotentAnswers,
  type Repeatable,
  TakenOver,
} from '../storage/records/idempotent-answers.ts';
import { Refusal } from './failures.ts';
import type { Answer, Call, Route } from './route.ts';

export type Once = {
  readonly answers: IdempotentAnswers;
  readonly call: Call;
  /** Of the `Idempotency-Key` header. */
  readonly key: string;
  /** As sent. */
  readonly path: string;
};

/** Runs the route once for the caller's key; the same request again gets the first answer. */
export async function once(route: Route, said: Once): Promise<Answer> {
  const { answers, call } = said;
  const request = repeatable(route, said);
  const claim = await answers.claim(request);
  switch (claim.type) {
    case 'answered':
      return claim.answer;
    case 'made':
      return again(route, call, claim.id);
    case 'mismatch':
      throw new Refusal('idempotency_mismatch');
    case 'running':
      throw running();
    case 'ours':
      return run(answers, request, () => route.handle({ ...call, repeatable: request }));
  }
}

const running = () => new Refusal('idempotency_running', { retryAfterSeconds: 1 });

async function again(route: Route, call: Call, id: string): Promise<Answer> {
  if (route.again !== undefined) return route.again(call, id);
  const message = `This request was done, and made ${id}; its answer was lost.`;
  throw new Refusal('answer_lost', { message });
}

function repeatable({ method }: Route, { call, key, path }: Once): Repeatable {
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new Refusal('unreadable', {
      message: 'Idempotency-Key must have 1 to 255 printable ASCII characters.',
    });
  return {
    organizationId: call.caller.organizationId,
    caller: `${call.caller.kind}:${call.caller.id}`,
    route: `${method} ${path}`,
    key,
    content: JSON.stringify([call.teamId, call.query, call.body ?? null]),
    now: call.now,
  };
}

async function run(
  answers: IdempotentAnswers,
  request: Repeatable,
  work: () => Promise<Answer>,
): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await work();
  } catch (error) {
    // Unless something was made, the corrected world may be tried with the same key.
    await answers.release(request).catch(() => {});
    throw error instanceof TakenOver ? running() : error;
  }
  // The work is done: its caller gets the answer even when it cannot be kept for a second asking.
  await answers.finish(request, answer).catch(() => {});
  return answer;
}
