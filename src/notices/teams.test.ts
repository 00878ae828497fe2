import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNotice } from './kinds/incident.ts';
import { teamsMessageOf } from './teams.ts';

const cardOf = (notice: ReturnType<typeof sampleNotice>) => {
  const [attachment] = teamsMessageOf(notice).attachments;
  assert.ok(attachment);
  return attachment.content;
};

test('a page is a card with what happened, the details, why, and links to act on', () => {
  const card = cardOf(sampleNotice());
  const lines = card.body.map((element) =>
    element.type === 'TextBlock' ? element.text : element.inlines.map((run) => run.text).join(''),
  );
  assert.deepEqual(lines, [
    'Incident triggered',
    'INC-42 Disk full on <db-1>',
    'Service Payments   Status triggered   Priority P1   Severity SEV1   ' +
      'Opened 2026-11-21 05:49:53 UTC',
    '/var is at 98 %',
    'mount: "/dev/sda1" & co',
    'step 1 of policy Payments · Acme & Sons',
  ]);
  assert.deepEqual(
    card.actions.map(({ title, url }) => `${title} ${url}`),
    [
      'Acknowledge https://pager.example.com/a/k1?do=acknowledge',
      'Resolve https://pager.example.com/a/k1?do=resolve',
      'Open incident https://pager.example.com/incidents/42',
      'Graph https://grafana.example.com/d/1?x=1&y=2',
    ],
  );
});

test('a sign-in address is mentioned, other words are only shown', () => {
  const person = cardOf(sampleNotice({ mention: '@ada@example.com' }));
  assert.deepEqual(person.msteams.entities, [
    {
      type: 'mention',
      text: '<at>ada@example.com</at>',
      mentioned: { id: 'ada@example.com', name: 'ada@example.com' },
    },
  ]);
  assert.deepEqual(person.body[0], {
    type: 'TextBlock',
    text: '<at>ada@example.com</at>',
    wrap: true,
  });
  const channel = cardOf(sampleNotice({ mention: '@ops' }));
  assert.deepEqual(channel.msteams.entities, []);
  assert.deepEqual(channel.body[0], {
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: '@ops' }],
  });
});

test('words from outside never stand where Teams reads markup', () => {
  const words = '[x](https://evil.example) <at>all</at>';
  const notice = sampleNotice({ why: words }, { title: words, details: words, service: words });
  assert.ok(cardOf(notice).body.every((element) => element.type === 'RichTextBlock'));
});

test('details of many lines end with an ellipsis', () => {
  const details = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');
  const last = cardOf(sampleNotice({}, { details })).body.at(-2);
  assert.ok(last?.type === 'RichTextBlock');
  assert.equal(last.inlines[0]?.text, '…');
});
