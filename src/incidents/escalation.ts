import { incidentsLimits } from '../limits/incidents.ts';
import { byChannel } from '../resources/channels.ts';
import { textOf } from '../resources/declaration/field.ts';
import type { Step } from '../resources/escalation-policy.ts';
import { counted } from '../resources/plural.ts';
import type { Configuration, DecisionContext, Policy } from './configuration.ts';
import {
  type Entry,
  type Escalation,
  entry,
  type Incident,
  type Intent,
  isMuted,
  minutesAfter,
  newCycle,
  type Outcome,
  reachesSomebody,
  waveOf,
  withEscalation,
} from './incident.ts';
import { nameList, notifyAdmins, targetDetails } from './notify.ts';
import { destinationOf, type Reach, reach, routeOf, shownName } from './target-recipients.ts';

/** A step that runs later than this has an entry that says so: the engine was away. */
const lateSeconds = 60;

/** Starts again at step 1, at once; repeats start afresh unless this is one of them. */
export function startCycle(
  incident: Incident,
  configuration: Configuration,
  now: Temporal.Instant,
  repeatsLeft: number = incidentsLimits.repeats,
): Outcome {
  const restarted = withEscalation(incident, {
    cycle: incident.escalation.cycle + 1,
    nextStep: 0,
    repeatsLeft,
    pagedInCycle: false,
    stepAt: now,
    ...newCycle,
  });
  return isMuted(restarted) ? hold(restarted) : runStepsFrom(restarted, configuration, now);
}

/** Runs the next step now, or holds it while the incident is muted. */
export function runStep(
  incident: Incident,
  configuration: Configuration,
  now: Temporal.Instant,
): Outcome {
  if (isMuted(incident)) return hold(incident);
  const { nextStep, repeatsLeft } = incident.escalation;
  return nextStep < incident.steps.length
    ? runStepsFrom(incident, configuration, now)
    : startCycle(incident, configuration, now, repeatsLeft - 1);
}

function hold(incident: Incident): Outcome {
  const waiting = withEscalation(incident, { stepAt: null, stepRemainingMs: 0, takenBy: null });
  return { incident: waiting, intents: [], entries: [], allClear: false };
}

/** A policy whose steps cannot be read has none: then its round ends at once. */
function runStepsFrom(
  incident: Incident,
  configuration: Configuration,
  now: Temporal.Instant,
): Outcome {
  const entries: Entry[] = lateEntries(incident, now);
  const written: Intent[] = [];
  const faults: Reach[] = [];
  for (let index = incident.escalation.nextStep; index < incident.steps.length; index += 1) {
    const step = incident.steps[index] as Step;
    const reached = reachAll(step, configuration, now);
    const intents = pages(incident, index, reached);
    entries.push(stepEntry(incident, index, reached));
    faults.push(...reached.filter((one) => !one.reached && one.isFault));
    if (!intents.some(reachesSomebody)) {
      written.push(...intents);
      continue;
    }
    const next = afterStep(incident, index, now);
    const outcome = {
      incident: next,
      entries,
      allClear: false,
      intents: [...written, ...intents],
    };
    return faults.length > 0 ? andNotifyAdmins(outcome, faults, configuration) : outcome;
  }
  const end = endOfCycle(incident, entries, { configuration, now });
  const ended = { ...end, intents: [...written, ...end.intents] };
  // Admins are notified of a cycle that paged nobody anyway.
  const isKnown = faults.length === 0 || !ended.incident.escalation.pagedInCycle;
  return isKnown ? ended : andNotifyAdmins(ended, faults, configuration);
}

/** The step paged others. Admins are notified of the targets that could not be read. */
function andNotifyAdmins(
  outcome: Outcome,
  faults: readonly Reach[],
  configuration: Configuration,
): Outcome {
  const { cycle, nextStep } = outcome.incident.escalation;
  const names = nameList(faults.map(shownName));
  const why = `Others were paged, but not ${names}: their stored records cannot be read; you are an admin of the team`;
  const once = `unreadable/${cycle}/${nextStep}`;
  const notice = { kind: 'not_all_paged', rank: 0, why, once } as const;
  const { intents, entries } = notifyAdmins(outcome.incident, configuration, notice);
  return {
    ...outcome,
    intents: [...outcome.intents, ...intents],
    entries: [...outcome.entries, ...entries],
  };
}

function lateEntries(incident: Incident, now: Temporal.Instant): Entry[] {
  const { stepAt } = incident.escalation;
  const late = stepAt === null ? 0 : now.epochMilliseconds - stepAt.epochMilliseconds;
  if (late < lateSeconds * 1_000) return [];
  const text = `This step runs ${counted(Math.round(late / 1_000), 'second')} late because Pager was down or too busy. The next waits start now`;
  return [entry(incident, 'step_late', text)];
}

/** One page per person and channel, and per chat address. */
function reachAll(step: Step, configuration: Configuration, now: Temporal.Instant): Reach[] {
  const seen = new Set<string>();
  return step.targets.flatMap((target): Reach[] => {
    const one = reach(target, configuration, now);
    if (!one.reached) return [one];
    const who = `${one.channel} ${one.personId ?? textOf(one.address)}`;
    if (seen.has(who)) return [];
    seen.add(who);
    return [one];
  });
}

function pages(incident: Incident, index: number, reached: readonly Reach[]): Intent[] {
  const { cycle, policyName } = incident.escalation;
  const wave = waveOf(incident.escalation);
  return reached.flatMap((one, position) => {
    const destination = destinationOf(one);
    if (destination === null) return [];
    const who = one.personId ?? `t${position}`;
    const route = routeOf(one);
    const intent: Intent = {
      key: `${incident.id}/${cycle}/${index}/${one.channel}/${who}${wave > 0 ? `/${wave}` : ''}`,
      incident_id: incident.id,
      kind: 'page',
      channel: one.channel,
      ...destination,
      user_id: one.personId,
      recipient: one.name,
      ...(route !== undefined && { route }),
      why: `Step ${index + 1} of ${incident.steps.length} of the policy ${policyName}`,
      cycle,
      step: index,
      ...(wave > 0 && { wave }),
      rank: cycle === 0 && index === 0 ? 0 : 1,
    };
    return [intent];
  });
}

function stepEntry(incident: Incident, index: number, reached: readonly Reach[]): Entry {
  const paged = reached.filter((one) => one.reached);
  const skipped = reached.filter((one) => !one.reached);
  const step = `Step ${index + 1} of ${incident.steps.length}`;
  const text = [
    paged.length > 0
      ? `${step} pages ${nameList(paged.map((one) => `${shownName(one)} ${byChannel(one.channel)}`))}`
      : `${step} can page nobody`,
    skipped.length > 0 &&
      `skipped ${nameList(skipped.map((one) => `${shownName(one)} ${byChannel(one.channel)}: ${one.reason}`))}`,
  ].filter(Boolean);
  const details = {
    cycle: incident.escalation.cycle,
    step: index,
    paged: paged.map(targetDetails),
    skipped: skipped.map((one) => ({ ...targetDetails(one), reason: one.reason })),
  };
  return entry(incident, paged.length > 0 ? 'step_ran' : 'step_skipped', text.join('; '), {
    details,
  });
}

function afterStep(incident: Incident, index: number, now: Temporal.Instant): Incident {
  return withEscalation(incident, {
    nextStep: index + 1,
    pagedInCycle: true,
    stepAt: timerAfter(incident, index, now),
    takenBy: takenBy(now),
    steppedAt: now,
  });
}

/** By when a page of a step that runs now must be taken, if none is tried before. */
export const takenBy = (now: Temporal.Instant): Temporal.Instant =>
  now.add({ seconds: incidentsLimits.stepTried });

/** Of the next step, or of the repeat. Waits count from the moment a step ran. */
export function timerAfter(
  { steps, escalation }: Incident,
  index: number,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const isLast = index === steps.length - 1;
  const wait = steps[index]?.escalate_after_minutes ?? 0;
  return isLast ? repeatAt(escalation, now) : minutesAfter(now, wait);
}

export const repeatAt = (escalation: Escalation, now: Temporal.Instant) =>
  escalation.repeats && escalation.repeatsLeft > 0
    ? minutesAfter(now, incidentsLimits.repeatPause)
    : null;

/** Never silence: a cycle that paged nobody pages the team's admins. */
function endOfCycle(
  incident: Incident,
  entries: readonly Entry[],
  deciding: DecisionContext,
): Outcome {
  const { escalation } = incident;
  const ended = withEscalation(incident, {
    nextStep: incident.steps.length,
    stepAt: repeatAt(escalation, deciding.now),
  });
  if (escalation.pagedInCycle) return { incident: ended, intents: [], entries, allClear: false };
  const why = `Nobody in the policy ${escalation.policyName} could be paged; you are an admin of the team`;
  const notified = notifyAdmins(ended, deciding.configuration, {
    kind: 'nobody_paged',
    rank: 0,
    why,
  });
  return {
    incident: ended,
    intents: notified.intents,
    entries: [...entries, ...notified.entries],
    allClear: false,
  };
}

/** An archived policy still pages; the timeline has an entry for that. */
export function archivedPolicyEntries(incident: Incident, policy: Policy): Entry[] {
  const text = `The policy ${policy.name} is archived, so its last steps are used`;
  return policy.archived ? [entry(incident, 'archived_policy', text)] : [];
}
