// What has to hold of the problems of every tool, whichever way its messages come: through reading,
// matching and deciding, with the timers of the incidents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { gatewayPrefixes } from '../../../test/gateway-prefixes.ts';
import { later } from '../../../test/incident-life.ts';
import { mailPairs } from '../../../test/mail-pairs.ts';
import { type Message, SimulatedIntegration } from '../../../test/simulated-integration.ts';
import '../../../test/seed.ts';
import { alertsIn, type Pair, pairs } from '../../../test/tool-samples.ts';
import type { AlertEvent } from '../../alerts/alert.ts';
import { integrationTypes } from '../../alerts/index.ts';

const slugs = integrationTypes.map(({ slug }) => slug);
const anySlug = fc.constantFrom(...slugs);
const anyPrefix = fc.oneof(fc.constant(''), fc.constantFrom(...gatewayPrefixes));
const anyPair = fc.constantFrom(...mailPairs);

const mail = (subject: string, headers: Readonly<Record<string, string>> = {}): Message => ({
  mail: { subject, from: 'monitor@example.test', text: '', headers },
});
const behind = (prefix: string, line: string) => (prefix === '' ? line : `${prefix} ${line}`);

/** A line of text by a way in that takes one. */
const ways: Readonly<Record<string, (line: string) => Message>> = {
  mail,
  title: (title) => ({ json: { title } }),
  text: (text) => ({ text }),
};

describe('of two problems that a tool reports in lines of text', () => {
  const anyTwo = fc
    .tuple(anyPair, anyPair, fc.array(anyPrefix, { minLength: 5, maxLength: 5 }))
    .filter(([one, other]) => one !== other);

  async function livesThrough(
    integration: SimulatedIntegration,
    send: (line: string) => Message,
    [one, other, prefixes]: typeof anyTwo extends fc.Arbitrary<infer Two> ? Two : never,
  ) {
    const lines = [one.begins, other.begins, one.begins, other.ends, one.ends];
    const open: number[] = [];
    for (const [index, line] of lines.entries()) {
      await integration.receives(send(behind(prefixes[index] ?? '', line)));
      open.push(integration.open.length);
    }
    assert.deepEqual(open, [1, 2, 2, 1, 0], JSON.stringify(lines));
    // The end of the second left the first.
    assert.deepEqual(new Set(integration.paged), new Set([1, 2]));
  }

  test('each has its incident, and the end of one ends exactly it: by mail to any type', () =>
    fc.assert(
      fc.asyncProperty(anySlug, anyTwo, (slug, two) =>
        livesThrough(new SimulatedIntegration({ slug }), mail, two),
      ),
      { numRuns: 300 },
    ));

  test('the same by each way in, without what mails go through', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.values(ways)), anyTwo, (way, [one, other]) =>
        livesThrough(new SimulatedIntegration(), way, [one, other, []]),
      ),
      { numRuns: 200 },
    ));
});

describe('of the samples of every tool', () => {
  const keysOf = ({ firing, resolved }: Pair) => ({
    begun: new Set(ofAction(alertsIn(firing), 'trigger')),
    ended: new Set(ofAction(alertsIn(resolved), 'resolve')),
  });
  const ofAction = (alerts: readonly AlertEvent[], action: AlertEvent['action']) =>
    alerts.filter((one) => one.action === action).map(({ dedup_key }) => dedup_key);

  const sent = async (integration: SimulatedIntegration, sample: Pair['firing']) => {
    await integration.at(
      (integration.now.epochMilliseconds - later(0).epochMilliseconds) / 60_000 + 0.1,
    );
    return integration.decides({ alerts: alertsIn(sample) });
  };

  test('the same problem twice is one incident, and its end ends it', async () => {
    assert.ok(pairs.length >= 60);
    for (const pair of pairs) {
      const { begun, ended } = keysOf(pair);
      if (begun.isDisjointFrom(ended)) continue;
      const integration = new SimulatedIntegration({ slug: pair.firing.type.slug });
      await sent(integration, pair.firing);
      const { length } = integration.open;
      await sent(integration, pair.firing);
      assert.equal(integration.open.length, length, pair.firing.file);
      await sent(integration, pair.resolved);
      assert.equal(integration.open.length, begun.difference(ended).size, pair.resolved.file);
    }
  });

  test('the end of one ends nothing of another', async () => {
    let tried = 0;
    for (const one of pairs)
      for (const other of pairs) {
        const isOfTool = one.firing.type.slug === other.firing.type.slug;
        if (one === other || !isOfTool || one.firing.problem === other.firing.problem) continue;
        const { ended } = keysOf(one);
        const { begun } = keysOf(other);
        const integration = new SimulatedIntegration({ slug: one.firing.type.slug });
        await sent(integration, one.firing);
        await sent(integration, other.firing);
        await sent(integration, one.resolved);
        const open = new Set(
          integration.incidents
            .filter(({ status }) => status !== 'resolved')
            .map((it) => it.dedup_key),
        );
        assert.ok(begun.isSubsetOf(open), `${one.resolved.file} ended ${other.firing.file}`);
        assert.ok(ended.isDisjointFrom(open), one.resolved.file);
        tried += 1;
      }
    assert.ok(tried > 20, `${tried}`);
  });
});

describe('of messages that come late, twice and out of order', () => {
  /** What the tool saw: the problem began and ended so often, one after the other. */
  const anyCourse = fc.record({
    spans: fc.array(fc.tuple(fc.integer({ min: 3, max: 30 }), fc.integer({ min: 3, max: 30 })), {
      minLength: 1,
      maxLength: 3,
    }),
    isOver: fc.boolean(),
  });

  type Event = { readonly action: 'firing' | 'resolved'; readonly at: number };
  const eventsOf = ({ spans, isOver }: { spans: [number, number][]; isOver: boolean }) => {
    let at = 0;
    const events = spans.flatMap(([length, pause]): Event[] => {
      const [from, to] = [at, at + length];
      at = to + pause;
      return [
        { action: 'firing', at: from },
        { action: 'resolved', at: to },
      ];
    });
    return isOver ? events : events.slice(0, -1);
  };

  const group = ({ action, at }: Event, reporter: string): Message => ({
    json: {
      version: '4',
      status: action,
      externalURL: reporter,
      alerts: [
        {
          status: action,
          fingerprint: 'aa11',
          labels: { alertname: 'Disk' },
          startsAt: later(at).toString(),
          endsAt: action === 'resolved' ? later(at).toString() : '0001-01-01T00:00:00Z',
        },
      ],
    },
  });

  test('groups: what burns stays open and pages, what is over does not page again', () =>
    fc.assert(
      fc.asyncProperty(
        anyCourse,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 4 })), { maxLength: 8 }),
        async (course, copies) => {
          const integration = new SimulatedIntegration({ slug: 'alertmanager' });
          const events = eventsOf(course);
          for (const event of events) {
            await integration.at(event.at + 0.5);
            await integration.receives(group(event, 'http://a'));
          }
          const last = events.at(-1);
          assert.ok(last);
          const burns = last.action === 'firing';
          const paged = integration.paged.length;
          // The other member of the pair sends old states, each followed by its end within minutes.
          let now = last.at + 1;
          const copied = new Set<Event>();
          for (const [index, wait] of copies) {
            const old = events[index % events.length];
            const end = events[(index % events.length) + 1];
            // The six minutes count once for each start.
            if (old?.action !== 'firing' || end === undefined || copied.has(old)) continue;
            copied.add(old);
            await integration.at(now);
            await integration.receives(group(old, 'http://b'));
            // Dropped it never is.
            assert.equal(integration.open.length, 1);
            now += wait;
            await integration.at(now);
            await integration.receives(group(end, 'http://b'));
            now += 0.5;
            // What burns is not ended by what is older.
            assert.equal(integration.open.length, burns ? 1 : 0);
          }
          await integration.at(now + 10);
          assert.equal(integration.open.length, burns ? 1 : 0);
          if (!burns) assert.equal(integration.paged.length, paged);
          else assert.ok(integration.paged.length > 0);
        },
      ),
      { numRuns: 150 },
    ));

  test('groups: a firing is never dropped for its age: it pages within seven minutes', () =>
    fc.assert(
      fc.asyncProperty(anyCourse, fc.nat(), async (course, index) => {
        const integration = new SimulatedIntegration({ slug: 'alertmanager' });
        const events = eventsOf(course);
        for (const event of events) {
          await integration.at(event.at + 0.5);
          await integration.receives(group(event, 'http://a'));
        }
        const firings = events.filter(({ action }) => action === 'firing');
        const old = firings[index % firings.length];
        assert.ok(old);
        const at = (events.at(-1)?.at ?? 0) + 1;
        await integration.at(at);
        await integration.receives(group(old, 'http://b'));
        await integration.at(at + 7);
        assert.equal(integration.open.length, 1);
        const [open] = integration.incidents.filter(({ status }) => status !== 'resolved');
        assert.ok(integration.paged.includes(open?.number ?? 0));
      }),
      { numRuns: 150 },
    ));

  /** As a relay delivers it: written then, and taken by the first server at once. */
  const written = ({ action, at }: Event) => {
    const date = new Date(later(at).epochMilliseconds).toUTCString();
    const received = `from monitor by relay.example.test; ${date}`;
    return mail(`${action === 'firing' ? 'PROBLEM' : 'OK'}: db-1`, { date, received });
  };

  test('mails: a relay delivers all of them in any order, and what is open is what burns', () =>
    fc.assert(
      fc.asyncProperty(anyCourse, fc.array(fc.nat(), { maxLength: 12 }), async (course, order) => {
        const integration = new SimulatedIntegration({ slug: 'email' });
        const events = eventsOf(course);
        const last = events.at(-1);
        assert.ok(last);
        const left = [...events];
        await integration.at(last.at + 10);
        const delivered: Event[] = [];
        for (let turn = 0; left.length > 0; turn += 1) {
          const [next] = left.splice((order[turn] ?? 0) % left.length, 1);
          if (next === undefined) break;
          await integration.receives(written(next));
          delivered.push(next);
          // What burns is not ended by what is older, once it has come.
          if (last.action === 'firing' && delivered.includes(last))
            assert.equal(integration.open.length, 1, JSON.stringify(delivered));
        }
        assert.equal(
          integration.open.length,
          last.action === 'firing' ? 1 : 0,
          JSON.stringify(delivered),
        );
        const before = integration.paged.length;
        // The relay delivers them again.
        for (const event of events) await integration.receives(written(event));
        assert.equal(integration.open.length, last.action === 'firing' ? 1 : 0);
        if (last.action === 'resolved') assert.equal(integration.paged.length, before);
      }),
      { numRuns: 200 },
    ));
});
