import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Formatted, readTelegramHtml } from '../../test/vendors/telegram-html.ts';
import { sampleAccountNotice } from './kinds/account.ts';
import { sampleCodeNotice } from './kinds/code.ts';
import { sampleFailingChannelNotice } from './kinds/failing-channel.ts';
import { sampleFailingConnectionNotice } from './kinds/failing-connection.ts';
import { sampleFailingWebhookNotice } from './kinds/failing-webhook.ts';
import { type IncidentNotice, sampleNotice } from './kinds/incident.ts';
import { sampleLostContactNotice } from './kinds/lost-contact.ts';
import { sampleShiftNotice } from './kinds/shift.ts';
import { sampleUsageNotice } from './kinds/usage.ts';
import { plainTelegramMessageOf, type TelegramMessage, telegramMessageOf } from './telegram.ts';

const handleFor = (verb: string) => `handle-${verb}`;

test('a page is formatted, and its buttons carry handles', () => {
  const notice = sampleNotice({}, { next: 'Step 2 in 5 min' });
  assert.deepEqual(telegramMessageOf(notice, handleFor), {
    text: `<b>Incident triggered</b>
<a href="https://pager.example.com/incidents/42"><b>INC-42 Disk full on &lt;db-1&gt;</b></a>
Service: Payments
Status: triggered
Priority: P1
Severity: SEV1
Opened: 2026-11-21 05:49:53 UTC
Next: Step 2 in 5 min
<pre>/var is at 98 %
mount: &quot;/dev/sda1&quot; &amp; co</pre>
<a href="https://pager.example.com/incidents/42">Open incident</a>
<a href="https://grafana.example.com/d/1?x=1&amp;y=2">Graph</a>
step 1 of policy Payments  ·  Acme &amp; Sons`,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    reply_markup: {
      inline_keyboard: [
        [
          { text: 'Acknowledge', callback_data: 'handle-acknowledge' },
          { text: 'Resolve', callback_data: 'handle-resolve' },
        ],
        [{ text: 'Escalate', callback_data: 'handle-escalate' }],
      ],
    },
  });
});

test('without handles a message has links instead of buttons', () => {
  const { text, reply_markup } = telegramMessageOf(sampleNotice());
  assert.equal(reply_markup, undefined);
  assert.ok(
    text.includes(
      '<a href="https://pager.example.com/a/k1?do=acknowledge">Acknowledge</a>  ·  ' +
        '<a href="https://pager.example.com/a/k1?do=resolve">Resolve</a>  ·  ' +
        '<a href="https://pager.example.com/incidents/42">Open incident</a>',
    ),
    text,
  );
});

const buttonsOf = ({ reply_markup }: TelegramMessage) =>
  reply_markup?.inline_keyboard.flat().map(({ text }) => text);

for (const [status, change, buttons] of [
  ['triggered', {}, ['Acknowledge', 'Resolve', 'Escalate']],
  ['acknowledged', {}, ['Resolve']],
  ['resolved', {}, undefined],
  ['triggered', { readOnlyRole: 'viewer' }, undefined],
] as const satisfies readonly [string, Partial<IncidentNotice>, readonly string[] | undefined][]) {
  const reader = 'readOnlyRole' in change ? change.readOnlyRole : 'responder';
  test(`a ${reader} has for a ${status} incident the buttons: ${buttons ?? 'none'}`, () => {
    assert.deepEqual(
      buttonsOf(telegramMessageOf(sampleNotice(change, { status }), handleFor)),
      buttons,
    );
  });
}

const taken = {
  action: 'Acknowledged',
  by: 'Ada <b>@ada (phone)',
  at: Temporal.Instant.from('2026-11-21T02:12:59Z'),
};

test('an edit has what was done on top, in the reader’s zone, and the buttons of now', () => {
  const notice = sampleNotice({ timezone: 'Europe/Berlin' }, { status: 'acknowledged' });
  const edit = telegramMessageOf({ ...notice, taken }, handleFor);
  const top = '<b>Acknowledged by Ada &lt;b&gt;@\u200bada (phone), 03:12</b>\n\n';
  assert.equal(edit.text, top + telegramMessageOf(notice, handleFor).text);
  assert.deepEqual(buttonsOf(edit), ['Resolve']);
});

test('without a zone of the reader the time of what was done is in UTC', () => {
  const { text } = telegramMessageOf(sampleNotice({ taken }, { status: 'resolved' }));
  assert.match(text, /^<b>Acknowledged by .*, 02:12 UTC<\/b>/);
});

test('the plain form has the same words and buttons', () => {
  const notice = sampleNotice({ taken });
  const formatted = telegramMessageOf(notice, handleFor);
  const plain = plainTelegramMessageOf(notice, handleFor);
  assert.equal(plain.parse_mode, undefined);
  const whole = (text: string) => text.replaceAll('\u200b', '');
  assert.equal(whole(plain.text), whole(read(formatted.text).text));
  assert.deepEqual(plain.reply_markup, formatted.reply_markup);
});

test('what an alert says is neither markup nor mention nor command', () => {
  const words = '</pre></b></a><a href="https://evil.example">x</a> @ada &lt; /resolve 42';
  const notice = sampleNotice(
    { why: words, organization: { id: 'o1', name: words } },
    {
      title: words,
      details: words,
      service: words,
      next: words,
      url: 'not a link',
      links: [{ href: 'https://grafana.example.com/', text: words }],
    },
  );
  const { text, entities } = read(telegramMessageOf(notice, handleFor).text);
  assert.equal(text.replaceAll('\u200b', '').split(words.slice(0, 60)).length, 8, text);
  assert.deepEqual(
    entities.map(({ type, url }) => url ?? type),
    ['bold', 'bold', 'pre', 'https://grafana.example.com/'],
  );
});

for (const notice of [
  sampleShiftNotice(),
  sampleUsageNotice(),
  sampleFailingConnectionNotice(),
  sampleFailingChannelNotice(),
  sampleFailingWebhookNotice(),
  sampleLostContactNotice(),
  sampleCodeNotice(),
  sampleAccountNotice(),
])
  test(`a notice about ${notice.about} has a form without buttons`, () => {
    const message = telegramMessageOf(notice, handleFor);
    assert.equal(message.reply_markup, undefined);
    assert.ok(read(message.text).text.includes('Acme & Sons'));
    const facts = { ...notice, organization: { ...notice.organization, name: 'Other' } };
    assert.notEqual(telegramMessageOf(facts, handleFor).text, message.text);
  });

test('the code that proves a contact stands in its message', () => {
  assert.ok(telegramMessageOf(sampleCodeNotice()).text.includes('Code: 042137'));
});

function read(html: string): Formatted {
  const formatted = readTelegramHtml(html);
  assert.ok(typeof formatted !== 'string', String(formatted));
  return formatted;
}
