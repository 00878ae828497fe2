import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNotice } from './kinds/incident.ts';
import { slackMessageOf } from './slack.ts';

const text = (words: string) => ({ type: 'mrkdwn', text: words, verbatim: true });

test('a page is a text for the lock screen and blocks for the channel', () => {
  assert.deepEqual(slackMessageOf(sampleNotice({ mention: '@here' })), {
    text: '<!here> Incident triggered: INC-42 Disk full on &lt;db-1&gt;',
    blocks: [
      {
        type: 'section',
        text: text(
          `<!here> *Incident triggered*
*<https://pager.example.com/incidents/42|INC-42 Disk full on &lt;db-1&gt;>*
Service: Payments  ·  Status: triggered  ·  Priority: P1  ·  Severity: SEV1  ·  ` +
            'Opened: <!date^1795240193^{date_num} {time_secs}|2026-11-21 05:49:53 UTC>',
        ),
      },
      {
        type: 'section',
        text: text('```\n/var is at 98 %\nmount: "/dev/sda1" &amp; co\n```'),
      },
      {
        type: 'section',
        text: text(
          '<https://pager.example.com/a/k1?do=acknowledge|Acknowledge>  ·  ' +
            '<https://pager.example.com/a/k1?do=resolve|Resolve>  ·  ' +
            '<https://pager.example.com/incidents/42|Open incident>',
        ),
      },
      {
        type: 'section',
        text: text('<https://grafana.example.com/d/1?x=1&amp;y=2|Graph>'),
      },
      {
        type: 'context',
        elements: [text('step 1 of policy Payments  ·  Acme &amp; Sons')],
      },
    ],
  });
});

for (const [mention, written] of [
  ['@channel', '<!channel>'],
  ['here', '<!here>'],
  ['@everyone', '<!everyone>'],
  ['<@U012AB3CD>', '<@U012AB3CD>'],
  ['<!subteam^S012>', '<!subteam^S012>'],
  ['@here <@U1>', '<!here> <@U1>'],
  ['@payments', '@payments'],
  ['<https://evil.example|x>', '&lt;https://evil.example|x&gt;'],
] as const) {
  test(`the mention ${mention} is written ${written}`, () => {
    const { text: words } = slackMessageOf(sampleNotice({ mention }));
    assert.ok(words.startsWith(`${written} Incident triggered`), words);
  });
}

test('nothing in an alert can ping or end the block it stands in', () => {
  const words = '<!channel> <@U1> ``` *x*';
  const notice = sampleNotice({ why: words }, { title: words, details: words, service: words });
  const { text: fallback, blocks } = slackMessageOf(notice);
  assert.doesNotMatch(JSON.stringify([fallback, blocks]), /<!(?!date\^)|<@/);
  const [, details] = blocks;
  assert.deepEqual(details, {
    type: 'section',
    text: text("```\n&lt;!channel&gt; &lt;@U1&gt; ''' *x*\n```"),
  });
});
