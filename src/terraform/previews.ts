// What the API says that a plan does: asked as Terraform plans the records, each with what the same
// run planned before. Nothing is remembered but for that: it never changes a plan.
import {
  type Answer,
  answerIn,
  type Failure,
  type Fields,
  failureText,
  type Result,
} from '../client/answer.ts';
import type { Client, Request } from '../client/client.ts';
import { notPager } from '../client/pages.ts';
import { type Budget, briefly } from '../client/retry.ts';
import { queryLimits } from '../limits/queries.ts';
import { isObject } from '../resources/declaration/is-object.ts';
import type { ManagedBy } from '../resources/declaration/managed-by.ts';
import { escalationPolicy } from '../resources/escalation-policy.ts';
import { Batches } from './batches.ts';
import type { Effect } from './effects/change-effects.ts';
import { memoized } from './memoized.ts';
import { readPagedTogether } from './paged-together.ts';
import { PlannedBefore, type PlannedChange } from './planned-before.ts';
import type { PlannedRecord } from './planning/planned-record.ts';
import { type UnreachableStep, UnreachableSteps } from './unreachable-steps.ts';

export type Preview = {
  /** In whole sentences for people. */
  readonly effects: readonly Effect[];
  /** The whole answer, for what counts and sorts effects. */
  readonly answer: Fields;
  /** Why the effects are not known. */
  readonly unknown?: string;
};

export type Previews = {
  /** What is asked later is told of it, if that may matter. What waits for its plan is dropped. */
  remember(change: PlannedChange): void;
  of(change: PlannedChange): Promise<Preview>;
  /** The steps of a policy that stays as it is which reach nobody because of other changes. */
  unreachableOf(policyId: string): readonly Effect[];
};

/** The server computes few at once: those that wait there would use up their time. */
const REQUESTS_AT_ONCE_MAX = 2;
/** A plan does not wait longer for the previews of all its records. */
const RUN_MS_MAX = 30_000;

const nothing: Preview = { effects: [], answer: {} };

type PreviewsOptions = {
  /** What any request of the provider may take. */
  readonly budget: Budget;
  readonly managedBy: ManagedBy;
  readonly now?: () => number;
};

export function createPreviews(client: Client, options: PreviewsOptions): Previews {
  const { now = () => performance.now() } = options;
  const budget = {
    retriesMax: Math.min(options.budget.retriesMax, briefly.retriesMax),
    totalMs: Math.min(options.budget.totalMs, RUN_MS_MAX),
  };
  const bounded: Client = { ...client, send: (request) => timed({ ...request, budget }) };
  const readOnce = memoized(() => readPagedTogether(bounded));
  const plannedBefore = new PlannedBefore();
  const unreachable = new UnreachableSteps(options.managedBy);
  const batches = new Batches(previewAll, {
    size: () => (isOlder ? 1 : queryLimits.previewsAtOnce),
    atOnce: REQUESTS_AT_ONCE_MAX,
  });
  /** The server knows POST /preview alone. */
  let isOlder = false;
  let ended: Preview | undefined;
  const forbidden = new Map<string, Preview>();
  const changedPolicies = new Set<string>();
  let underWay = 0;
  let begun = 0;
  let waitedMs = 0;

  /** The time counts once, however many requests are under way. */
  async function timed(request: Request): Promise<Answer> {
    if (underWay === 0) begun = now();
    underWay += 1;
    const answer = await client.send(request);
    underWay -= 1;
    waitedMs += now() - begun;
    begun = now();
    return answer;
  }

  /** What is the same for every record is not asked again. */
  function failed(failure: Failure, kind: string): Preview {
    if (failure.type === 'aborted') return nothing;
    const why = { ...nothing, unknown: failureText(failure) };
    if (failure.type !== 'refused') ended = why;
    else if (failure.status >= 500 || [401, 429].includes(failure.status)) ended = why;
    // A responder may preview overrides alone.
    else if (failure.status === 403) forbidden.set(kind, why);
    // What else is wrong with it, its apply tells.
    else if (!tooMuch.includes(failure.code)) return nothing;
    return why;
  }

  /** The others of the run that matter to it. */
  async function relatedTo(change: PlannedChange): Promise<Result<readonly PlannedRecord[]>> {
    const saved = plannedBefore.hasOthersLike(change) ? await readOnce() : noneTogether;
    if (!saved.ok) return saved;
    const related = plannedBefore.relatedTo(change, saved.value);
    return { ok: true, value: related.slice(-queryLimits.previewPlanned) };
  }

  async function previewAll(changes: readonly PlannedChange[]): Promise<readonly Preview[]> {
    if (ended === undefined && waitedMs > RUN_MS_MAX) ended = { ...nothing, unknown: tooLong };
    const known = await Promise.all(changes.map(knownOf));
    const answers = (await sendAll(known.filter((one) => 'kind' in one))).values();
    return known.map((one) => ('kind' in one ? previewOf(one, answers.next().value) : one));
  }

  /** What is to be sent; or a preview without it. */
  async function knownOf(change: PlannedChange): Promise<PreviewBody | Preview> {
    const { planned } = change;
    const known = ended ?? forbidden.get(planned.kind);
    if (known !== undefined) return known;
    const related = await relatedTo(change);
    if (!related.ok) return failed(related.failure, planned.kind);
    return { ...planned, planned: related.value };
  }

  async function sendAll(bodies: readonly PreviewBody[]): Promise<readonly Answer[]> {
    if (bodies.length > 1 && !isOlder) {
      const answer = await bounded.send({
        ...preview,
        path: '/previews',
        body: { previews: bodies },
      });
      if (answer.ok) return answersIn(answer.body['data']);
      const { failure } = answer;
      isOlder = failure.type === 'unknown_route';
      const isTooLarge = failure.type === 'refused' && failure.code === 'too_large';
      if (!isOlder && !isTooLarge) return bodies.map(() => answer);
    }
    const answers: Answer[] = [];
    for (const body of bodies) {
      const answer = await bounded.send({ ...preview, body });
      if (!answer.ok && answer.failure.type !== 'refused') return bodies.map(() => answer);
      answers.push(answer);
    }
    return answers;
  }

  /** To the changes of one request, in their order. */
  function answersIn(data: unknown): readonly Answer[] {
    const answers = Array.isArray(data) ? data.filter(isObject) : [];
    return answers.map((body) => {
      const status = Number(body['status']);
      return answerIn({ status, body }, client.address) ?? notPager(client, 'no preview');
    });
  }

  function previewOf(body: PreviewBody, answer: Answer | undefined): Preview {
    const { kind } = body;
    if (answer !== undefined && !answer.ok) {
      // It would be wrong with every record after this one too.
      plannedBefore.forget(wrongIn(answer.failure, body));
      return failed(answer.failure, kind);
    }
    const read = previewIn(answer?.body['data']);
    if (read === undefined) return failed(notPager(client, 'no preview').failure, kind);
    const sent = new Set([body, ...body.planned].map(({ record }) => record['id']));
    // The preview of a policy that was planned meanwhile knows of this change, and tells its steps.
    const steps = read.steps.filter(
      ({ policyId: id }) => id === null || sent.has(id) || !changedPolicies.has(id),
    );
    const messages = unreachable.ofSchedule(steps);
    return { ...read, effects: [...read.effects, ...messages.map(unreachableStep)] };
  }

  return {
    remember(change) {
      plannedBefore.remember(change);
      const { kind, record } = change.planned;
      const { id } = record;
      // What it does itself, its own preview tells.
      if (kind !== escalationPolicy.name || typeof id !== 'string') return;
      changedPolicies.add(id);
      unreachable.ofPolicy(id);
    },
    unreachableOf: (policyId) => unreachable.ofPolicy(policyId).map(unreachableStep),
    of: (change) => batches.add(change),
  };
}

type PreviewBody = PlannedRecord & { readonly planned: readonly PlannedRecord[] };

const preview = { method: 'POST', path: '/preview', isRead: true } as const;

const noneTogether = { ok: true, value: new Map() } as const;

const tooLong = `The plan waited ${RUN_MS_MAX / 1_000} seconds for previews of other records.`;

/** Refusals that no apply has. */
const tooMuch = ['too_large', 'too_much_work'];

function wrongIn(failure: Failure, { planned: others, ...planned }: PreviewBody) {
  if (failure.type !== 'refused' || tooMuch.includes(failure.code)) return [];
  const wrong = others.filter((_other, index) =>
    failure.issues.some(({ path }) => path.startsWith(`planned[${index}]`)),
  );
  return (wrong.length > 0 ? wrong : [planned]).map(({ record }) => record['id']);
}

const unreachableStep = (message: string): Effect => ({ code: 'step_reaches_nobody', message });

type Answered = Preview & {
  /** Of policies that use the schedule. */
  readonly steps: readonly UnreachableStep[];
};

/** Undefined: it is none. */
function previewIn(answer: unknown): Answered | undefined {
  const warnings = isObject(answer) ? answer['warnings'] : undefined;
  if (!isObject(answer) || !Array.isArray(warnings)) return undefined;
  const listed = answer['unreachable_steps'];
  const steps = Array.isArray(listed) ? listed.filter(isObject).flatMap(stepOf) : [];
  const messages = new Set(steps.map(({ message }) => message));
  const effects = warnings
    .filter(isObject)
    .map(({ code, message }) => ({ code: String(code), message: String(message) }))
    .filter(({ message }) => !messages.has(message));
  return { effects, answer, steps };
}

/** Nothing of a server of 0.1.0, whose warnings are all there is. */
function stepOf({ message, escalation_policy: policy }: Fields): UnreachableStep[] {
  if (typeof message !== 'string' || !isObject(policy)) return [];
  const { id, managed_by } = policy;
  const managedBy = isObject(managed_by) ? (managed_by as ManagedBy) : null;
  return [{ policyId: typeof id === 'string' ? id : null, managedBy, message }];
}
