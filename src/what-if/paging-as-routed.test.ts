// What a preview says of whom events page is what the engine then does with them, and nothing else
// changes: random organizations, random changes, and every event that their rules tell apart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { posted } from '../../test/http-event.ts';
import { noFaults as faults } from '../../test/no-faults.ts';
import {
  type Change,
  changeOf,
  configurationOf,
  now,
  randomOf,
  titles,
  type World,
  worldOf,
} from '../../test/random-routing.ts';
import type { Configuration, Playbook } from '../incidents/configuration.ts';
import type { ConditionGroups } from '../resources/condition.ts';
import { compiledOf } from '../rules/match-rule.ts';
import { messageOf, type PageChange, pageChanges } from './paging-changes.ts';
import { simulate } from './simulate.ts';

type Pages = { readonly first: readonly string[]; readonly later: readonly string[] };

/** Whom the engine pages about one event, until nobody is left to page. */
async function pagesOf(
  configuration: Configuration,
  integrationId: string,
  title: string,
): Promise<Pages> {
  const ledgerOptions = { configurations: new Map([['org', configuration]]), faults };
  const event = {
    ...posted,
    organization_id: 'org',
    id: 'event',
    integration_id: integrationId,
    received_at: now,
    body: new Uint8Array(),
    mapping_revision: null,
    mail: null,
    path: '',
    content_type: '',
  };
  const alerts = [{ action: 'trigger', dedup_key: 'key', title } as const];
  const story = await simulate({
    ledgerOptions,
    past: { incidents: [], notices: [] },
    at: now,
    arrival: { event, alerts },
    acknowledgeAfterMinutes: null,
    until: 'exhausted',
  });
  const pages = story.notices.filter(
    ({ kind, reason }) => ['page', 'assigned', 'responder_added'].includes(kind) && reason === null,
  );
  const first = bare(pages.filter(({ at }) => at.equals(now)));
  return { first, later: bare(pages).filter((name) => !first.includes(name)) };
}

const bare = (names: readonly { readonly name: string }[]) =>
  [...new Set(names.map(({ name }) => name.replace(/ \(.*\)$/, '')))].sort();

const asPages = ({ first, later }: PageChange['before']): Pages => {
  const names = bare(first);
  return { first: names, later: bare(later).filter((name) => !names.includes(name)) };
};

test('an event pages whom its preview says, before and after a change, and no others change', async () => {
  let matched = 0;
  let silent = 0;
  const run = async (seed: number) => {
    const random = randomOf(seed);
    const world = worldOf(random);
    const { about: changed, ruleId, sides, saved, isOnCall } = changeOf(random, world);
    const configuration = configurationOf(world);
    const changes = pageChanges(sides?.paging ?? null);
    const after = configurationOf(saved);
    for (const { integration_id: id } of world.integrations.slice(0, 3))
      for (const title of titles) {
        const [was, is] = [
          await pagesOf(configuration, id, title),
          await pagesOf(after, id, title),
        ];
        const own = changes.filter((one) => one.integrations.some((each) => each.id === id));
        const isChanged = JSON.stringify(was) !== JSON.stringify(is);
        const messages = own.map(messageOf);
        const about = JSON.stringify(
          { seed, id, title, was, is, changed, messages, world },
          null,
          1,
        );
        const others = countOthers(ruleId, { id, title }, saved);
        // Steps that page by a schedule are told with the gap of the schedule.
        if (isOnCall && own.length === 0) continue;
        if (isChanged && others < 2) assert.ok(own.length > 0, `nothing is reported: ${about}`);
        const isReported = (one: EventsOf) => changes.some(({ about: of }) => of.includes(one));
        const examined = sides?.paging?.events.flatMap((one) =>
          isReported(one) ? [one] : [one, ...(one.among ?? [])],
        );
        const met = examined?.filter((one) => isMet(one, { id, title }, [world, saved]));
        for (const one of met ?? []) {
          const reported = own.find(({ about: of }) => of.includes(one));
          const [before, later] = reported
            ? [asPages(reported.before), asPages(reported.after)]
            : [was, was];
          assert.deepEqual([was, is], [before, reported ? later : is], about);
          if (reported === undefined) assert.deepEqual(is, was, about);
          if (reported) matched += 1;
          else silent += 1;
        }
      }
  };
  await fc.assert(fc.asyncProperty(fc.integer(), run), { numRuns: 100, endOnFailure: true });
  assert.ok(matched > 50 && silent > 25, `${matched} matched, ${silent} silent`);
});

type Event = { readonly id: string; readonly title: string };
type EventsOf = NonNullable<NonNullable<Change['sides']>['paging']>['events'][number];

const factsOf = ({ id, title }: Event, { integrations }: World) => ({
  title,
  details: null,
  priority: null,
  severity: null,
  alertsTotal: 1,
  integrationId: id,
  repeatCount: 0,
  repeatedAt: [],
  suppressedCount: 0,
  suppressedAt: [],
  now,
  serviceId: integrations.find((one) => one.integration_id === id)?.service.id ?? '',
  isSuppressed: false,
});

const isAlways = (groups: ConditionGroups = []): boolean =>
  groups.some(({ conditions }) => conditions[0]?.type === 'allIncidents');

const holds = ({ id, name, condition_groups }: Playbook, event: Event, world: World): boolean =>
  condition_groups !== undefined &&
  compiledOf({ id, name, condition_groups, actions: [] }).matches(factsOf(event, world));

/** How many rules and playbooks the event meets by conditions, beside the one that changes. */
function countOthers(own: string, event: Event, world: World): number {
  const rules = world.rules.filter(
    ({ rule }) =>
      !isAlways(rule.condition_groups) &&
      rule.id !== own &&
      compiledOf(rule).matches(factsOf(event, world)),
  );
  const playbooks = world.playbooks.filter(
    (one) => one.id !== own && !isAlways(one.condition_groups) && holds(one, event, world),
  );
  return rules.length + playbooks.length;
}

/** Whether the event meets these rules and playbooks, and no others, on both sides. */
function isMet(one: EventsOf, event: Event, worlds: readonly World[]): boolean {
  if (one.integration.id !== event.id) return false;
  return worlds.every((world, side) => {
    const met = side === 0 ? one.before : one.after;
    const matched = world.rules.filter(({ rule }) =>
      compiledOf(rule).matches(factsOf(event, world)),
    );
    const ids = new Set(met.rules.map((rule) => rule.id));
    const areRules = matched.length === ids.size && matched.every(({ rule }) => ids.has(rule.id));
    const arePlaybooks = world.playbooks.every(
      (each) =>
        each.condition_groups === undefined ||
        isAlways(each.condition_groups) ||
        holds(each, event, world) === met.playbookIds.includes(each.id),
    );
    return areRules && arePlaybooks;
  });
}
