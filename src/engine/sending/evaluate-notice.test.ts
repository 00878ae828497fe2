import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Life, later, noon } from '../../../test/incident-life.ts';
import { buildShiftIntent } from '../../../test/shift-intent.ts';
import type { ShiftNoticeKind } from '../../shifts/notice.ts';
import type { Claimed, ClaimedCall, ClaimedIncidentNotice } from './claimed.ts';
import { evaluateNotice } from './evaluate-notice.ts';

const claimed = {
  organization_id: 'org',
  key: 'key',
  channel: 'email',
  recipient_key: 'email ada',
  address: 'ada@example.test',
  recipient: 'Ada',
  mention: null,
  why: 'Step 1',
  user_id: 'ada',
  attempt: 1,
  earlier: [],
  tried: [],
  created_at: noon,
  organizationName: 'Example',
  timezone: 'Etc/UTC',
  language: 'en' as const,
};
const page: ClaimedIncidentNotice = {
  ...claimed,
  about: 'incident',
  kind: 'page',
  cycle: 0,
  step: 0,
  incident: new Life().incident,
  serviceName: 'Shop',
  role: null,
};
const storyOf = (kind: ShiftNoticeKind) => buildShiftIntent(kind, { shiftEnd: later(60) }).story;
const shift = (kind: ShiftNoticeKind): Claimed => ({
  ...claimed,
  about: 'shift',
  kind,
  story: storyOf(kind),
});
const call = (kind: ClaimedCall['kind'], fields: Partial<ClaimedCall> = {}): ClaimedCall => {
  const named = { id: 'n'.repeat(24), name: 'Shop' };
  const names = { team: named, service: named, integration: named, responders: [] };
  const subject = { incident: new Life().incident, ...names };
  return {
    ...claimed,
    about: 'call',
    kind,
    delivery_id: 'd'.repeat(24),
    recipient: 'Status page',
    webhook: hook,
    content: null,
    original: null,
    event:
      kind === 'webhook'
        ? { type: 'incident', occasion: 'incident_triggered', subject }
        : { type: 'shift', kind, story: storyOf(kind) },
    ...fields,
  };
};
const hook: ClaimedCall['webhook'] = {
  method: 'POST',
  contentType: 'json',
  headers: {},
  secrets: [],
  archived: false,
};
const archived = { webhook: { ...hook, archived: true } };
const limit = 'the monthly alert limit is reached';

type Row = {
  readonly title: string;
  readonly notice: Claimed;
  readonly at?: number;
  readonly limitReached?: boolean;
  readonly hardAlertLimit?: boolean;
  readonly because: string | null;
};
const rows: readonly Row[] = [
  {
    title: 'a start goes out while its shift runs',
    notice: shift('shift_start'),
    at: 59,
    because: null,
  },
  {
    title: 'a start whose shift is over does not',
    notice: shift('shift_start'),
    at: 60,
    because: 'the shift is over',
  },
  { title: 'an end goes out after it', notice: shift('shift_end'), at: 60, because: null },
  { title: 'a change goes out at any time', notice: shift('shift_change'), at: 60, because: null },
  { title: 'an active webhook is called of a shift', notice: call('shift_end'), because: null },
  {
    title: 'an archived one is not',
    notice: call('shift_end', archived),
    because: 'the webhook is archived',
  },
  {
    title: 'nor of an incident',
    notice: call('webhook', archived),
    because: 'the webhook is archived',
  },
  {
    title: 'a webhook is not called of the start of a shift that is over',
    notice: call('shift_start'),
    at: 60,
    because: 'the shift is over',
  },
  {
    title: 'unless somebody requested it again',
    notice: call('shift_start', { original: 'key' }),
    at: 60,
    because: null,
  },
  {
    title: 'a webhook is called of an incident whatever the limit',
    notice: call('webhook'),
    limitReached: true,
    hardAlertLimit: true,
    because: null,
  },
  {
    title: 'beyond the limit nobody is told of shifts',
    notice: shift('shift_end'),
    limitReached: true,
    because: limit,
  },
  { title: 'but pages go on', notice: page, limitReached: true, because: null },
  {
    title: 'unless the operator stops them too',
    notice: page,
    limitReached: true,
    hardAlertLimit: true,
    because: limit,
  },
  {
    title: 'within the limit that stops nothing',
    notice: page,
    hardAlertLimit: true,
    because: null,
  },
];
for (const { title, notice, at = 0, limitReached = false, hardAlertLimit = false, because } of rows)
  test(title, () => {
    const result = evaluateNotice(notice, { now: later(at), limitReached, hardAlertLimit });
    assert.equal(result && 'reason' in result ? result.reason : null, because);
  });

test('a page that the limit stops is on the timeline, a notice of a shift is not', () => {
  const conditions = { now: noon, limitReached: true, hardAlertLimit: true };
  const [stopped, dropped] = [page, shift('shift_end')].map((one) =>
    evaluateNotice(one, conditions),
  );
  assert.ok(stopped && 'entry' in stopped && dropped && 'entry' in dropped);
  assert.equal(stopped.entry?.text, `The page to Ada by e-mail was not sent: ${limit}`);
  assert.equal(dropped.entry, null);
});

test('a call of an archived webhook is on the timeline by the webhook’s name', () => {
  const conditions = { now: noon, limitReached: false, hardAlertLimit: false };
  const result = evaluateNotice(call('webhook', archived), conditions);
  assert.ok(result && 'entry' in result);
  assert.equal(
    result.entry?.text,
    'The webhook Status page was not called: the webhook is archived',
  );
});
