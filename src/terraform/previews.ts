// What the API says that a plan does: asked record by record, as Terraform plans, with what the same
// run planned before. Nothing is remembered but for that: it never changes a plan.
import { Gate } from '../admission/gate.ts';
import { type Answer, type Failure, failureText } from '../client/answer.ts';
import type { Client, Request } from '../client/client.ts';
import { notPager } from '../client/pages.ts';
import type { Budget } from '../client/retry.ts';
import { queryLimits } from '../limits/queries.ts';
import { isObject } from '../resources/declaration/validate.ts';
import { oncallSchedule } from '../resources/oncall-schedule.ts';
import type { PlannedRecord } from './planning/planned-record.ts';
import type { Value } from './protocol/value.ts';

export type Preview = {
  /** Whole sentences for people. */
  readonly warnings: readonly string[];
  /** Why there are none from now on; said once. */
  readonly ended?: string;
};

export type Previews = {
  /** What is asked later is told of it, if that may matter. */
  remember(change: PlannedChange): void;
  of(change: PlannedChange): Promise<Preview>;
};

export type PlannedChange = {
  readonly planned: PlannedRecord;
  /** What it was; it may have named others. */
  readonly prior: Value;
};

/** The server computes few at once: those that wait there would use up their time. */
const AT_ONCE_MAX = 4;
/** A plan does not wait longer for one record. */
const PREVIEW_MS_MAX = 5_000;
/** Nor longer for all records of a run. */
const RUN_MS_MAX = 20_000;

const nothing: Preview = { warnings: [] };

type PreviewsOptions = {
  /** What any request of the provider may take. */
  readonly budget: Budget;
  readonly now?: () => number;
};

export function createPreviews(client: Client, options: PreviewsOptions): Previews {
  const { now = () => performance.now() } = options;
  const budget = { retriesMax: 0, totalMs: Math.min(options.budget.totalMs, PREVIEW_MS_MAX) };
  const existing = new Map<unknown, Remembered>();
  const gate = new Gate(AT_ONCE_MAX);
  let isEnded = false;
  let underWay = 0;
  let begun = 0;
  let waitedMs = 0;

  function end(why: string): Preview {
    if (isEnded) return nothing;
    isEnded = true;
    return { warnings: [], ended: why };
  }

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

  async function send(change: PlannedChange): Promise<Preview> {
    if (isEnded) return nothing;
    if (waitedMs > RUN_MS_MAX) return end(tooLong);
    const { planned } = change;
    const others = [...existing.values()]
      .filter(relatedTo(rememberedOf(change)))
      .map((one) => one.planned)
      .slice(-queryLimits.previewPlanned);
    const request = { method: 'POST', path: '/preview', isRead: true, budget } as const;
    const answer = await timed({ ...request, body: { ...planned, planned: others } });
    if (!answer.ok) {
      if (!isOfOne(answer.failure)) return end(failureText(answer.failure));
      // It would be wrong with every record after this one too.
      for (const { record } of wrongIn(answer.failure, planned, others))
        existing.delete(record['id']);
      return nothing;
    }
    const warnings = messagesOf(answer.body['data']);
    if (warnings === undefined) return end(failureText(notPager(client, 'no preview').failure));
    return { warnings };
  }

  return {
    remember(change) {
      const { id } = change.planned.record;
      // What is new has no id, by which others could name it.
      if (id !== undefined) existing.set(id, rememberedOf(change));
    },
    of: (change) => gate.pass(() => send(change)),
  };
}

type Remembered = {
  readonly planned: PlannedRecord;
  /** With all ids that it names, or named. */
  readonly text: string;
};

const rememberedOf = ({ planned, prior }: PlannedChange): Remembered => ({
  planned,
  text: JSON.stringify([planned.record, prior]),
});

/** Those that name it, or that it names; and schedules, because a step may page by several. */
const relatedTo =
  ({ planned: { kind, record }, text }: Remembered) =>
  (other: Remembered): boolean => {
    const [own, id] = [record['id'], String(other.planned.record['id'])];
    if (own === id) return false;
    if (text.includes(id)) return true;
    const areSchedules = [kind, other.planned.kind].every((one) => one === oncallSchedule.name);
    return own !== undefined && (areSchedules || other.text.includes(String(own)));
  };

const tooLong = `The plan has waited ${RUN_MS_MAX / 1_000} seconds for those of other records.`;

/** Whether the next record may be answered. What is wrong with this one, its apply tells. */
function isOfOne(failure: Failure): boolean {
  if (failure.type !== 'refused') return failure.type === 'aborted';
  return failure.status < 500 && ![401, 403, 429].includes(failure.status);
}

function wrongIn(failure: Failure, planned: PlannedRecord, others: readonly PlannedRecord[]) {
  const issues = failure.type === 'refused' ? failure.issues : [];
  const wrong = others.filter((_other, index) =>
    issues.some(({ path }) => path.startsWith(`planned[${index}]`)),
  );
  return wrong.length > 0 ? wrong : [planned];
}

function messagesOf(preview: unknown): readonly string[] | undefined {
  const warnings = isObject(preview) ? preview['warnings'] : undefined;
  if (!Array.isArray(warnings)) return undefined;
  return warnings.filter(isObject).map(({ message }) => String(message));
}
