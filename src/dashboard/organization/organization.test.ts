import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFields } from '../../../test/any-fields.ts';
import { patchOf } from '../../client/patch.ts';
import { problemsOf } from '../form/check.ts';
import { bodyOf, type Draft, draftOf } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { changesOf, settings, zoneToOffer } from './organization.ts';

const fields = fieldsOf(settings);
const nameOf = (_: string, id: string) => `name of ${id}`;

test('every valid organization is shown and saved unchanged', () =>
  fc.assert(
    fc.property(anyFields(settings, { outbound_webhook: ['a'.repeat(24)] }), (valid) => {
      const record = JSON.parse(JSON.stringify(valid)) as Draft;
      const draft = draftOf(fields, record);
      assert.deepEqual(bodyOf(fields, draft), record);
      assert.deepEqual(problemsOf(settings, draft), []);
      assert.deepEqual(patchOf(bodyOf(fields, draft), bodyOf(fields, draft)), {});
      assert.deepEqual(changesOf(fields, { before: draft, after: draft }, nameOf), []);
    }),
    { numRuns: 60 },
  ));

test('a name and a time zone are needed', () =>
  assert.deepEqual(
    problemsOf(settings, {}).map(({ path }) => path),
    ['name', 'timezone'],
  ));

const before = { name: 'Acme', timezone: 'Etc/UTC', language: 'en' };
for (const { title, after, changes } of [
  {
    title: 'a text',
    after: { ...before, name: 'Acme 2' },
    changes: [['name', 'Acme', 'Acme 2']],
  },
  {
    title: 'a number that was not set',
    after: { ...before, monthly_alert_limit: 500 },
    changes: [['monthly_alert_limit', '', '500']],
  },
  {
    title: 'a field of a group',
    after: { ...before, retention: { events_days: 30 } },
    changes: [['retention.events_days', '', '30 days']],
  },
  {
    title: 'channels, with their addresses hidden, and webhooks by their names',
    after: {
      ...before,
      shift_notifications: {
        slack: [{ channel_id: 'C1' }],
        discord: [{ webhook_url: 'https://discord.test/secret' }],
        outbound_webhook_ids: ['w1'],
      },
    },
    changes: [
      ['shift_notifications.slack', '', 'Chat channel: C1'],
      ['shift_notifications.discord', '', 'Webhook URL: ••••••'],
      ['shift_notifications.outbound_webhook_ids', '', 'name of w1'],
    ],
  },
])
  test(`what changes lists ${title}`, () =>
    assert.deepEqual(
      changesOf(fields, { before, after }, nameOf).map((one) => [one.name, one.before, one.after]),
      changes,
    ));

for (const [chosen, own, offered] of [
  ['Etc/UTC', 'Europe/Berlin', 'Europe/Berlin'],
  ['UTC', 'Europe/Berlin', 'Europe/Berlin'],
  ['Etc/UTC', 'UTC', undefined],
  ['America/Lima', 'Europe/Berlin', undefined],
] as const)
  test(`with ${chosen} chosen, a browser in ${own} offers ${offered ?? 'nothing'}`, () =>
    assert.equal(zoneToOffer(chosen, own), offered));
