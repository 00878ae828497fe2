import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNotice } from './kinds/incident.ts';
import { sampleShiftNotice } from './kinds/shift.ts';
import { plainSlackPostOf, slackPostOf } from './slack-post.ts';

const at = Temporal.Instant.from('2026-11-21T03:12:40Z');
const title = 'INC-42 Disk full on &lt;db-1&gt;';

for (const [what, fields, text] of [
  ['a page, what has happened', {}, `Incident triggered: ${title}`],
  [
    'a page with a mention, that first',
    { mention: '@here' },
    `<!here> Incident triggered: ${title}`,
  ],
  [
    'what was acknowledged, by whom',
    { taken: { action: 'Acknowledged', by: 'Ada', via: 'phone', at }, timezone: 'Europe/Paris' },
    `Acknowledged by Ada (phone), 04:12: ${title}`,
  ],
  [
    'what was resolved, by whom, without a mention of theirs',
    { mention: '@here', taken: { action: 'Resolved', by: '<!channel> *Bo*', at } },
    `<!here> Resolved by &lt;!channel&gt; \u200b*\u200bBo\u200b*\u200b, 03:12 UTC: ${title}`,
  ],
] as const)
  test(`notifications and screen readers are told of ${what}`, () => {
    const notice = sampleNotice(fields);
    const plain = plainSlackPostOf(notice, () => 'x');
    assert.deepEqual([slackPostOf(notice).text, plain.text], [text, text]);
  });

test('what is no incident has nobody who acted', () => {
  assert.match(slackPostOf(sampleShiftNotice()).text, /^[^:]+: /);
});

test('a post shows times on the clock of each reader', () => {
  const taken = { action: 'Acknowledged', by: 'Ada', at };
  const { blocks } = slackPostOf(sampleNotice({ taken, timezone: 'Europe/Paris' }));
  const shown = JSON.stringify(blocks);
  assert.ok(shown.includes('Acknowledged by Ada, <!date^1795230760^{time}|04:12>'), shown);
  const opened = '<!date^1795240193^{date_num} {time_secs}|2026-11-21 06:49:53 Europe/Paris>';
  assert.ok(shown.includes(`Opened: ${opened}`), shown);
});
