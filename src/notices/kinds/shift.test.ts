import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { discordMessageOf } from '../discord.ts';
import { emailOf } from '../email.ts';
import { type Notice, wordsOf } from '../notice.ts';
import { slackMessageOf } from '../slack.ts';
import { teamsMessageOf } from '../teams.ts';
import { sampleNotice } from './incident.ts';
import { type ShiftNotice, sampleShiftNotice } from './shift.ts';
import { sampleUsageNotice } from './usage.ts';

const at = (text: string) => Temporal.Instant.from(text);
const change: ShiftNotice = sampleShiftNotice(
  { kind: 'shift_change', why: 'An edit moved your shifts' },
  {
    shift: null,
    other: null,
    changes: [
      { type: 'lost', start: at('2026-11-22T08:00:00Z'), end: at('2026-11-23T08:00:00Z') },
      { type: 'gained', start: at('2026-11-24T08:00:00Z'), end: at('2026-11-25T08:00:30Z') },
      { type: 'lost', start: at('2027-01-20T08:00:00Z'), end: null },
    ],
  },
);
const mailOf = (notice: Notice) =>
  emailOf(notice, { from: 'Pager <pager@example.com>', domain: 'example.com' });

describe('what happened is said to the member, and to others by name', () => {
  const rows = [
    { kind: 'shift_start', isPersonal: true, lead: 'You are on call now' },
    { kind: 'shift_start', isPersonal: false, lead: 'Ada Lovelace is on call now' },
    { kind: 'shift_end', isPersonal: true, lead: 'Your shift has ended' },
    { kind: 'shift_end', isPersonal: false, lead: 'Ada Lovelace’s shift has ended' },
    { kind: 'shift_change', isPersonal: true, lead: 'Your shifts have changed' },
  ] as const;
  for (const { kind, isPersonal, lead } of rows)
    test(lead, () => assert.equal(wordsOf(sampleShiftNotice({ kind, isPersonal })).lead, lead));
});

test('who was taken off call reads so first, and who is on call now', () => {
  const off = { ...change, story: { ...change.story, taken_off: true, other: 'Lin Yutang' } };
  const { lead, facts } = wordsOf(off);
  assert.equal(lead, 'You are no longer on call');
  assert.deepEqual(facts, [{ name: 'On call now', value: 'Lin Yutang' }]);
  assert.deepEqual(wordsOf(change).facts, []);
});

describe('times are on the clocks of the schedule and of the reader', () => {
  const until = (timezone: string, end: string, reader?: string) => {
    const { story } = sampleShiftNotice();
    assert.ok(story.shift);
    const schedule = { ...story.schedule, timezone };
    const shift = { ...story.shift, end: at(end) };
    const own = reader === undefined ? {} : { timezone: reader };
    return wordsOf(sampleShiftNotice(own, { schedule, shift })).facts[1]?.value;
  };
  const rows = [
    {
      name: 'with the zone and, if it is another, the other day',
      zone: 'Asia/Kathmandu',
      end: '2026-11-28T18:30:00Z',
      written: 'Sun 2026-11-29 00:15 Asia/Kathmandu (Sat 2026-11-28 18:30 UTC)',
    },
    {
      name: 'where the clock shows the same as in UTC, too',
      zone: 'Europe/London',
      end: '2026-11-28T08:00:00Z',
      written: 'Sat 2026-11-28 08:00 Europe/London (Sat 2026-11-28 08:00 UTC)',
    },
    {
      name: 'but once for a schedule in UTC',
      zone: 'Etc/UTC',
      end: '2026-11-28T08:00:00Z',
      written: 'Sat 2026-11-28 08:00 UTC',
    },
    {
      name: 'to the second where a shift was cut by an edit',
      zone: 'Etc/UTC',
      end: '2026-11-28T08:00:07.5Z',
      written: 'Sat 2026-11-28 08:00:07 UTC',
    },
  ];
  for (const { name, zone, end, written } of rows)
    test(name, () => assert.equal(until(zone, end), written));
  test('and once for a reader in the zone of the schedule', () => {
    const [zone, end] = ['Europe/London', '2026-11-28T08:00:00Z'];
    assert.equal(until(zone, end, zone), 'Sat 2026-11-28 08:00 Europe/London');
    assert.equal(
      until(zone, end, 'Asia/Kathmandu'),
      'Sat 2026-11-28 08:00 Europe/London (Sat 2026-11-28 13:45 Asia/Kathmandu)',
    );
    const { story } = sampleShiftNotice();
    const notice = sampleShiftNotice({ timezone: 'Asia/Kathmandu' }, story);
    assert.match(wordsOf(notice).until ?? '', /13:45$/);
  });
});

test('the mail of a start says since when, until when, who was before, why, and leads on', () => {
  const mail = mailOf(sampleShiftNotice());
  assert.equal(mail.subject, 'You are on call now: Payments <primary>');
  assert.equal(
    mail.text,
    `You are on call now
Payments <primary>

From: Sat 2026-11-21 09:00 Europe/Berlin (Sat 2026-11-21 08:00 UTC)
Until: Sat 2026-11-28 09:00 Europe/Berlin (Sat 2026-11-28 08:00 UTC)
Taken over from: Lin Yutang

Open schedule: https://pager.example.com/on-calls/65f0000000000000000000c1

-- 
Sent by Pager for Acme & Sons. You get this because: Your shift notification settings.
`,
  );
  assert.match(mail.html, /<h1[^>]*>Payments &lt;primary&gt;<\/h1>/);
});

test('the mail of a change lists what was gained and what was lost', () => {
  assert.equal(
    mailOf(change).text,
    `Your shifts have changed
Payments <primary>

Open schedule: https://pager.example.com/on-calls/65f0000000000000000000c1

Removed: Sun 2026-11-22 09:00 to Mon 2026-11-23 09:00 Europe/Berlin ` +
      `(Sun 2026-11-22 08:00 to Mon 2026-11-23 08:00 UTC)
Added: Tue 2026-11-24 09:00 to Wed 2026-11-25 09:00:30 Europe/Berlin ` +
      `(Tue 2026-11-24 08:00 to Wed 2026-11-25 08:00:30 UTC)
Removed: starting Wed 2027-01-20 09:00 Europe/Berlin (Wed 2027-01-20 08:00 UTC)

-- 
Sent by Pager for Acme & Sons. You get this because: An edit moved your shifts.
`,
  );
});

test('mails of one schedule are one thread, and belong to no incident', () => {
  const [start, end] = [
    mailOf(sampleShiftNotice()),
    mailOf(sampleShiftNotice({ kind: 'shift_end', key: 'another' })),
  ];
  const thread = '<oncall-65f0000000000000000000c1@example.com>';
  for (const { headers } of [start, end]) {
    assert.equal(headers['References'], thread);
    assert.equal(headers['X-Pager-Incident'], undefined);
    assert.notEqual(headers['X-Pager-Notice'], undefined);
  }
  assert.notEqual(start.messageId, end.messageId);
});

const toTeam = { isPersonal: false, why: 'Shift notifications of the organization' } as const;

test('Slack is told of an end in one section, a link and why', () => {
  const text = (words: string) => ({ type: 'mrkdwn', text: words, verbatim: true });
  const notice = sampleShiftNotice({ ...toTeam, kind: 'shift_end', mention: '@here' });
  assert.deepEqual(slackMessageOf(notice), {
    text: '<!here> Ada Lovelace’s shift has ended: Payments &lt;primary&gt;',
    blocks: [
      {
        type: 'section',
        text: text(
          `<!here> *Ada Lovelace’s shift has ended*
*<https://pager.example.com/on-calls/65f0000000000000000000c1|Payments &lt;primary&gt;>*
From: Sat 2026-11-21 09:00 Europe/Berlin (Sat 2026-11-21 08:00 UTC)  ·  ` +
            'Until: Sat 2026-11-28 09:00 Europe/Berlin (Sat 2026-11-28 08:00 UTC)  ·  ' +
            'Handed over to: Lin Yutang',
        ),
      },
      {
        type: 'section',
        text: text('<https://pager.example.com/on-calls/65f0000000000000000000c1|Open schedule>'),
      },
      {
        type: 'context',
        elements: [text('Shift notifications of the organization  ·  Acme &amp; Sons')],
      },
    ],
  });
});

test('Teams is told of a start on a card', () => {
  const [attachment] = teamsMessageOf(sampleShiftNotice(toTeam)).attachments;
  const lines = attachment?.content.body.map((element) =>
    element.type === 'TextBlock' ? element.text : element.inlines.map((run) => run.text).join(''),
  );
  assert.deepEqual(lines, [
    'Ada Lovelace is on call now',
    'Payments <primary>',
    'From Sat 2026-11-21 09:00 Europe/Berlin (Sat 2026-11-21 08:00 UTC)   ' +
      'Until Sat 2026-11-28 09:00 Europe/Berlin (Sat 2026-11-28 08:00 UTC)   ' +
      'Taken over from Lin Yutang',
    'Shift notifications of the organization · Acme & Sons',
  ]);
  assert.deepEqual(
    attachment?.content.actions.map(({ title, url }) => `${title} ${url}`),
    ['Open schedule https://pager.example.com/on-calls/65f0000000000000000000c1'],
  );
});

test('Discord is told of a start in an embed of that time', () => {
  const { content, embeds } = discordMessageOf(sampleShiftNotice(toTeam));
  assert.equal(content, 'Ada Lovelace is on call now: Payments \\<primary\\>');
  const [embed] = embeds;
  assert.equal(embed?.title, 'Payments \\<primary\\>');
  assert.equal(embed.timestamp, '2026-11-21T08:00:00Z');
  assert.deepEqual(
    embed.fields.map(({ name }) => name),
    ['From', 'Until', 'Taken over from', 'Actions'],
  );
});

test('no name of a person or a schedule can ping', () => {
  const words = '<!channel> <@U1> @everyone <@&8>';
  const notice = sampleShiftNotice(toTeam, {
    schedule: { id: 's1', name: words, timezone: 'Etc/UTC' },
    user: { id: 'u1', first_name: words, last_name: '', email: '' },
    other: words,
  });
  assert.doesNotMatch(JSON.stringify(slackMessageOf(notice)), /<!|<@/);
  const { allowed_mentions, content } = discordMessageOf(notice);
  assert.deepEqual(allowed_mentions, { parse: [], users: [], roles: [] });
  assert.doesNotMatch(content, /@everyone|<@[!&]?\d/);
});

test('admins read how much of the limit is used, and what follows', () => {
  assert.equal(
    mailOf(sampleUsageNotice(80)).subject,
    '80% of the monthly alert limit is used: Acme & Sons',
  );
  const { subject, text } = mailOf(sampleUsageNotice(100));
  assert.equal(subject, 'The monthly alert limit has been reached: Acme & Sons');
  assert.match(text, /Month: 2026-11\nLimit: 1000 notifications\n/);
  assert.match(
    text,
    /people and chat channels are not notified about shifts\. Incidents still page people/,
  );
});

test('an incident keeps its number before its title where a shift has none', () => {
  assert.equal(wordsOf(sampleNotice()).label, 'INC-42');
  assert.equal(wordsOf(sampleShiftNotice()).label, '');
});
