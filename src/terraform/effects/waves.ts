// Terraform shows every warning with its record, and asks for one record after the other, several at
// once. To report the effects of all of them in one warning, the answer for the record that came
// last is held back until no more calls arrive (docs/decisions/0108-one-report-of-a-plan.md).
import { type ChangeEffects, losesCoverage } from './change-effects.ts';

/** Terraform goes on within milliseconds; on a busy machine it may take longer. */
const QUIET_MS = 300;
/** An apply that goes on only later would repeat the report of its plan. */
const UNCERTAIN_MS = 1_000;
/** So many reports of one record in a row: Terraform plans one after the other, and waiting gathers nothing. */
const LONE_MAX = 3;

/** Calls `then` after a time, unless it is cancelled. */
export type Delay = (ms: number, then: () => void) => () => void;

type Report<Answer> = (changes: readonly ChangeEffects[]) => readonly Answer[];

type Planned = {
  readonly isChange: boolean;
  /** Terraform calls again for this record, and what depends on it waits for that. */
  readonly isReplaced: boolean;
};

export class Waves<Answer> {
  readonly #report: Report<Answer>;
  readonly #delay: Delay;
  /** Terraform repeats each plan in the apply, in another process. */
  #walk: 'unknown' | 'plan' | 'apply' = 'unknown';
  #isStopped = false;
  #collected: ChangeEffects[] = [];
  #release: ((answer: readonly Answer[]) => void) | null = null;
  #cancel: () => void = () => undefined;
  #underWay = 0;
  /** The changes that were answered: an apply goes on with them at once. */
  #answered = 0;
  #lone = 0;

  constructor(report: Report<Answer>, delay: Delay) {
    this.#report = report;
    this.#delay = delay;
  }

  get isApply(): boolean {
    return this.#walk === 'apply';
  }

  /** A call that only a plan has. */
  plans(): void {
    if (this.#walk === 'unknown') this.#walk = 'plan';
  }

  /** A call that only an apply has: its plan reported everything. */
  applies(): void {
    this.#walk = 'apply';
    this.#drop();
  }

  /** After a Ctrl-C. */
  stop(): void {
    this.#isStopped = true;
    this.#drop();
  }

  /** A call of Terraform: as long as one is under way, more may follow. */
  async during<Result>(work: () => Result): Promise<Awaited<Result>> {
    this.#cancel();
    if (this.#underWay > 0 || this.#release !== null) this.#lone = 0;
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#awaitQuiet();
    }
  }

  /** What the plan of a record is answered with, now or when no more calls arrive. */
  async reportOf(effects: ChangeEffects | null, planned: Planned): Promise<readonly Answer[]> {
    if (this.isApply || this.#isStopped) return [];
    if (effects !== null) this.#collected.push(effects);
    const answer = this.#isHolder(effects, planned) ? await this.#hold() : [];
    if (planned.isChange) this.#answered += 1;
    return answer;
  }

  #isHolder(effects: ChangeEffects | null, { isReplaced }: Planned): boolean {
    if (this.#collected.length === 0) return false;
    return this.#release === null || (effects !== null && !isReplaced);
  }

  #drop(): void {
    this.#collected = [];
    this.#answerHeld([]);
  }

  async #hold(): Promise<readonly Answer[]> {
    if (this.#lone >= LONE_MAX && this.#underWay === 1) return this.#take();
    // What depends on the one before goes on.
    this.#answerHeld([]);
    this.#underWay -= 1;
    const answer = await new Promise<readonly Answer[]>((resolve) => {
      this.#release = resolve;
      this.#awaitQuiet();
    });
    this.#underWay += 1;
    return answer;
  }

  #awaitQuiet(): void {
    this.#cancel();
    if (this.#release === null || this.#underWay > 0) return;
    // Of one record alone, nothing more is to be learned.
    const isUncertain = this.#walk === 'unknown' && this.#answered > 0;
    const ms = isUncertain ? UNCERTAIN_MS : QUIET_MS;
    this.#cancel = this.#delay(ms, () => this.#answerHeld(this.#take()));
  }

  #answerHeld(answer: readonly Answer[]): void {
    const release = this.#release;
    this.#release = null;
    release?.(answer);
  }

  #take(): readonly Answer[] {
    const changes = this.#collected;
    this.#collected = [];
    this.#lone = changes.length === 1 ? this.#lone + 1 : 0;
    if (this.#walk === 'unknown' && this.#answered > 0) this.#walk = 'plan';
    if (this.#walk === 'plan') return this.#report(changes);
    // In case that it turns out to be a plan.
    this.#collected = changes.filter((change) => !isReportedTwice(change));
    return this.#report(changes.filter(isReportedTwice));
  }
}

/**
 * The only change so far, with nothing read before it: a plan that reads nothing, or an apply. To
 * report it twice is better than never, but for what changes nobody's cover.
 */
const isReportedTwice = (change: ChangeEffects): boolean =>
  change.isCreation || losesCoverage(change);
