import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened } from '../../test/incident-life.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { PastEntry } from './actions-without-effect.ts';
import { refusedEntry, type Unentitled, whyRefused } from './refused-attempt.ts';

const { incident } = opened();
const stranger = (account: string): PastEntry => ({ type: 'refused', actor: null, account });
const viewer = { person: { id: 'vera', name: 'Vera' }, why: whyRefused('viewer') };
const eve = (name: string) => ({ account: 'eve', name });
const unknown = (name: string) =>
  `An unknown person in Slack, ${name}, tried to resolve and was refused`;
const veraElsewhere: PastEntry = {
  type: 'refused',
  account: null,
  actor: { type: 'user', id: 'vera', name: 'Vera', via: 'sms' },
};
const many = (count: number) => Array.from({ length: count }, (_, index) => stranger(`${index}`));

const cases: readonly {
  readonly title: string;
  readonly who: Unentitled;
  readonly past?: readonly PastEntry[];
  readonly text: string | null;
}[] = [
  {
    title: 'who may not act is named, and why',
    who: viewer,
    text: 'Vera tried to resolve in Slack and was refused: a viewer cannot act on incidents',
  },
  {
    title: 'who is not active is named, and why',
    who: { ...viewer, why: whyRefused(null) },
    text: 'Vera tried to resolve in Slack and was refused: their account in Pager is not active',
  },
  { title: 'nobody is named twice, from wherever', who: viewer, past: [veraElsewhere], text: null },
  {
    title: 'strangers leave room for those who are known',
    who: viewer,
    past: many(incidentsLimits.strangersNoted),
    text: 'Vera tried to resolve in Slack and was refused: a viewer cannot act on incidents',
  },
  { title: 'who is unknown has the name of the vendor', who: eve('eve'), text: unknown('eve') },
  {
    title: 'an account is noted once, whatever its name',
    who: eve('Bo'),
    past: [stranger('eve')],
    text: null,
  },
  {
    title: 'the last stranger for whom there is room is noted',
    who: eve('eve'),
    past: many(incidentsLimits.strangersNoted - 1),
    text: unknown('eve'),
  },
  {
    title: 'the next one is not',
    who: eve('eve'),
    past: many(incidentsLimits.strangersNoted),
    text: null,
  },
  {
    title: 'a name is neither markup nor a mention',
    who: eve('<!channel> *Eve* [x](http://a) @here &amp; #1'),
    text: unknown('!channel Eve x http: a here amp; 1'),
  },
  {
    title: 'a name is one line without what turns its direction',
    who: eve('Eve\n\u202ebo\u0000\ud800'),
    text: unknown('Eve bo \ufffd'),
  },
  { title: 'a long name is cut', who: eve('é'.repeat(500)), text: unknown(`${'é'.repeat(59)}…`) },
  { title: 'a name may be nothing', who: eve(' \u200b '), text: unknown('without a name') },
];
for (const { title, who, past = [], text } of cases)
  test(title, () => {
    const entry = refusedEntry(incident, past, { deed: 'resolve', via: 'slack', who });
    assert.equal(entry?.text ?? null, text);
    if (entry) assert.equal(entry.type, 'refused');
  });

test('while it has so many such entries, a timeline gets no more', () => {
  const past = Array.from({ length: incidentsLimits.refusedNoted }, () => veraElsewhere);
  const who = { person: { id: 'lin', name: 'Lin' }, why: 'no' };
  assert.equal(refusedEntry(incident, past, { deed: 'resolve', via: 'slack', who }), null);
});
