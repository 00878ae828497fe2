import type { IdempotentAnswers, Repeatable } from '../storage/idempotent-answers.ts';
import { Refusal } from './failures.ts';
import type { Answer, Call } from './route.ts';

export type Once = {
  readonly answers: IdempotentAnswers;
  readonly call: Call;
  /** Of the `Idempotency-Key` header. */
  readonly key: string;
  /** Method and path as sent. */
  readonly route: string;
};

/** Runs the work once for the caller's key; the same request again gets the first answer. */
export async function once(said: Once, work: () => Promise<Answer>): Promise<Answer> {
  const request = repeatable(said);
  const claim = await said.answers.claim(request);
  switch (claim.type) {
    case 'answered':
      return claim.answer;
    case 'mismatch':
      throw new Refusal('idempotency_mismatch');
    case 'running':
      throw new Refusal('idempotency_running', { retryAfterSeconds: 1 });
    case 'ours':
      return run(said.answers, request, work);
  }
}

function repeatable({ call, key, route }: Once): Repeatable {
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new Refusal('unreadable', {
      message: 'Idempotency-Key must have 1 to 255 printable ASCII characters.',
    });
  return {
    organizationId: call.caller.organizationId,
    caller: `${call.caller.kind}:${call.caller.id}`,
    route,
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
    // Nothing was changed, so the corrected world may be tried with the same key.
    await answers.release(request).catch(() => {});
    throw error;
  }
  // The work is done: its caller gets the answer even when it cannot be kept for a second asking.
  await answers.finish(request, answer).catch(() => {});
  return answer;
}
