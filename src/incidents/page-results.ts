// What follows for an incident from the results of its pages. A step of which no page was taken counts
// as failed for what comes next, while its pages are tried again; a page that is taken after all takes
// the incident back to its step.

import { incidentsLimits } from '../limits/incidents.ts';
import { counted } from '../resources/plural.ts';
import type { DecisionContext } from './configuration.ts';
import { timerAfter } from './escalation.ts';
import {
  entry,
  type Incident,
  isDue,
  isMuted,
  isSooner,
  type Outcome,
  only,
  takenByOf,
  withEscalation,
} from './incident.ts';
import { withdrawnFor } from './notice-cancellation.ts';
import { notifyAdmins } from './notify.ts';

/** A page of a step of the current cycle. */
export type RoundPage = {
  readonly key: string;
  readonly step: number;
  readonly wave: number;
  /** `taken`: it was sent, or a vendor has it; `open`: it is tried again; `over`: neither. */
  readonly state: 'open' | 'taken' | 'over';
  /** It was taken already before its last attempt ended, such as the second call after a first. */
  readonly wasTaken: boolean;
  /** The result of an attempt is known. */
  readonly isTried: boolean;
  /** It waits for the end of a call in which its person hears of other incidents. */
  readonly isOnPhone: boolean;
};

/** By the stored state of a page. `isWithVendor`: by its last attempt that has ended. */
export function pageStateOf(state: string, isWithVendor: boolean): RoundPage['state'] {
  if (state === 'sent') return 'taken';
  if (state !== 'pending') return 'over';
  return isWithVendor ? 'taken' : 'open';
}

/** One whose result was recorded just now. */
export type EndedAttempt = Pick<RoundPage, 'key' | 'step'> & {
  readonly beganAt: Temporal.Instant;
  readonly isTaken: boolean;
};

type Results = DecisionContext & {
  /** Those of the cycle, as they are now. */
  readonly pages: readonly RoundPage[];
  readonly attempts: readonly EndedAttempt[];
};

/** When attempts of pages have ended. */
export function followPages(incident: Incident, results: Results): Outcome {
  if (incident.status !== 'triggered') return only(incident);
  const { attempts, now } = results;
  const round = wanted(incident, results.pages);
  const takenStep = takenAfterAll(incident, round, attempts);
  if (takenStep !== null) return goBack(incident, takenStep, now);
  const own = ofLastStep(incident, round);
  if (own.length === 0) return only(incident);
  if (own.some(isTaken)) return only(awaitingNothing(incident));
  if (!own.some(isOpen)) return failStep(incident, { ...results, round, because: 'failed' });
  const failed = attempts.filter((one) => !one.isTaken && own.some(({ key }) => key === one.key));
  const awaiting = failed.reduce(awaitedFrom, incident);
  // The previous release forgets this timer when another one is due.
  const isOver = isDue(takenByOf(awaiting), now);
  return isOver ? awaitTaken(awaiting, results.pages, results) : only(awaiting);
}

/** When the time is over in which a page of the last step must be taken. */
export function awaitTaken(
  incident: Incident,
  pages: readonly RoundPage[],
  deciding: DecisionContext,
): Outcome {
  const round = wanted(incident, pages);
  const own = ofLastStep(incident, round);
  if (own.some(isTaken)) return only(awaitingNothing(incident));
  const { now } = deciding;
  const within = (seconds: number) =>
    only(withEscalation(incident, { takenBy: now.add({ seconds }) }));
  if (isLate(incident, now)) return within(incidentsLimits.stepTaken);
  const isTried = own.some((page) => page.isTried);
  if (!isTried && own.some(({ isOnPhone }) => isOnPhone)) return within(onPhoneSeconds);
  const open = isTried ? 'untaken' : 'untried';
  return failStep(incident, { ...deciding, round, because: own.some(isOpen) ? open : 'failed' });
}

/** Pager was down or too busy: its pages may be tried before others are paged. */
function isLate({ escalation: { takenBy } }: Incident, now: Temporal.Instant): boolean {
  return takenBy ? isDue(takenBy.add({ seconds: lateSeconds }), now) : false;
}
const lateSeconds = 60;

/** How soon it is seen whether a call has ended. */
const onPhoneSeconds = 30;

/** Whether no page of the cycle was taken, and some are tried again. */
export function isStillTried(incident: Incident, pages: readonly RoundPage[]): boolean {
  const round = wanted(incident, pages);
  return !round.some(isTaken) && round.some(isOpen);
}

/** As if a page of the last step had been taken. */
export const awaitingNothing = (incident: Incident): Incident =>
  incident.escalation.takenBy ? withEscalation(incident, { takenBy: null }) : incident;

const isTaken = ({ state }: RoundPage) => state === 'taken';
const isOpen = ({ state }: RoundPage) => state === 'open';

const wanted = ({ escalation }: Incident, pages: readonly RoundPage[]) =>
  pages.filter((page) => withdrawnFor({ kind: 'page', ...page }, escalation) === null);

/** Of the last step that paged anybody. */
function ofLastStep({ escalation }: Incident, round: readonly RoundPage[]): readonly RoundPage[] {
  const run = round.filter(({ step }) => step < escalation.nextStep);
  const last = Math.max(...run.map(({ step }) => step));
  return run.filter(({ step }) => step === last);
}

/** From the first attempt on there is less time than before it. */
function awaitedFrom(incident: Incident, { beganAt }: EndedAttempt): Incident {
  const { pagedInCycle, takenBy = null, takenByRemainingMs = null } = incident.escalation;
  // The next step is about to run, or the admins are paged.
  if (!pagedInCycle) return incident;
  if (isMuted(incident)) {
    const left = Math.min(takenByRemainingMs ?? Infinity, incidentsLimits.stepTaken * 1_000);
    return withEscalation(incident, { takenByRemainingMs: left });
  }
  const by = beganAt.add({ seconds: incidentsLimits.stepTaken });
  return takenBy === null || isSooner(by, takenBy)
    ? withEscalation(incident, { takenBy: by })
    : incident;
}

type Failure = DecisionContext & {
  readonly round: readonly RoundPage[];
  readonly because: 'failed' | 'untaken' | 'untried';
};

function failStep(incident: Incident, failure: Failure): Outcome {
  const { nextStep } = incident.escalation;
  if (nextStep < incident.steps.length) return runNextAtOnce(incident, failure);
  return failure.round.some(isTaken)
    ? only(awaitingNothing(incident))
    : failRound(incident, failure);
}

/** Makes the timer of the next step due now, or at the end of the mute. */
function runNextAtOnce(incident: Incident, { round, because, now }: Failure): Outcome {
  const { escalation } = incident;
  const { nextStep, cycle, stepAt, stepRemainingMs } = escalation;
  const isHeld = isMuted(incident);
  const pagedInCycle = round.some(isTaken);
  const isKnown = isHeld ? stepRemainingMs === 0 : isDue(stepAt, now);
  if (isKnown && pagedInCycle === escalation.pagedInCycle) return only(awaitingNothing(incident));
  const timer = isHeld ? { stepRemainingMs: 0 } : { stepAt: now };
  const awaited = { takenBy: null, takenByRemainingMs: null };
  const due = withEscalation(incident, { pagedInCycle, ...timer, ...awaited });
  const what = causes[because](`step ${nextStep} of ${incident.steps.length}`);
  const next = `step ${nextStep + 1} runs ${isHeld ? 'when the mute ends' : 'now'}`;
  const details = { cycle, step: nextStep - 1 };
  return only(
    { ...due, updated_at: now },
    entry(incident, 'step_failed', `${what}: ${next}`, { details }),
  );
}

const minutes = incidentsLimits.stepTried / 60;

const causes: Readonly<Record<Failure['because'], (step: string) => string>> = {
  failed: (step) => `Every page of ${step} failed`,
  untaken: (step) =>
    `No page of ${step} could be sent within ${counted(incidentsLimits.stepTaken, 'second')} of its first attempt`,
  untried: (step) => `No page of ${step} could be attempted within ${counted(minutes, 'minute')}`,
};

/** No step is left, and no page of the cycle was taken: as for a cycle that paged nobody. */
function failRound(incident: Incident, { round, configuration, now }: Failure): Outcome {
  const { policyName, pagedInCycle } = incident.escalation;
  // The admins are paged already.
  if (!pagedInCycle) return only(awaitingNothing(incident));
  const awaited = { takenBy: null, takenByRemainingMs: null };
  const unpaged = withEscalation(incident, { pagedInCycle: false, ...awaited });
  const what = round.some(isOpen)
    ? `No page of the policy ${policyName} could be sent so far, and Pager keeps trying`
    : `No page of the policy ${policyName} arrived`;
  const why = `${what}; you are an admin of the team`;
  const notified = notifyAdmins(unpaged, configuration, { kind: 'nobody_paged', rank: 0, why });
  return { ...notified, incident: { ...unpaged, updated_at: now }, allClear: false };
}

/**
 * The step to which the incident goes back, as the first of its pages was taken just now and no page of
 * a later step was before; null: to none. A page that is taken once more, such as a second call, is no
 * news: the later steps have run because their time had come.
 */
function takenAfterAll(
  { escalation }: Incident,
  round: readonly RoundPage[],
  attempts: readonly EndedAttempt[],
): number | null {
  const { nextStep, pagedInCycle, requestedStep = 0 } = escalation;
  const news = new Set(attempts.filter((one) => one.isTaken).map(({ key }) => key));
  const taken = round.filter(isTaken);
  const isNew = ({ key, wasTaken }: RoundPage) => news.has(key) && !wasTaken;
  const step = Math.max(...taken.filter(isNew).map((page) => page.step));
  const isKnown = taken.some((page) => page.step >= step && !isNew(page));
  if (step < requestedStep || isKnown) return null;
  return step < nextStep - 1 || !pagedInCycle ? step : null;
}

/** Later steps run again in their turn, counted from now. */
function goBack(incident: Incident, step: number, now: Temporal.Instant): Outcome {
  const { cycle, nextStep, wentBackTo = [] } = incident.escalation;
  const at = timerAfter(incident, step, now);
  const left = at && at.epochMilliseconds - now.epochMilliseconds;
  const timer = isMuted(incident) ? { stepRemainingMs: left } : { stepAt: at };
  const back = withEscalation(incident, {
    nextStep: step + 1,
    pagedInCycle: true,
    wentBackTo: [...wentBackTo, step],
    takenBy: null,
    takenByRemainingMs: null,
    ...timer,
  });
  const text = `A page of step ${step + 1} of ${incident.steps.length} was sent after all: ${withdrawal(step, nextStep)}`;
  const details = { cycle, step, next_step: nextStep };
  return only({ ...back, updated_at: now }, entry(incident, 'step_taken', text, { details }));
}

/** Of the steps that have run after it, counted from 1. */
function withdrawal(step: number, lastRun: number): string {
  const first = step + 2;
  if (lastRun < first) return 'the policy continues from there';
  return lastRun === first
    ? `step ${first} is withdrawn and will run again when it is due`
    : `steps ${first} to ${lastRun} are withdrawn and will run again when they are due`;
}
