import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discordMessageOf } from './discord.ts';
import { sampleNotice } from './kinds/incident.ts';

test('a page is a line for the lock screen and an embed for the channel', () => {
  assert.deepEqual(discordMessageOf(sampleNotice({ mention: '<@&77>' })), {
    content: '<@&77> Incident triggered: INC-42 Disk full on \\<db-1\\>',
    embeds: [
      {
        title: 'INC-42 Disk full on \\<db-1\\>',
        url: 'https://pager.example.com/incidents/42',
        description: '```\n/var is at 98 %\nmount: "/dev/sda1" & co\n```',
        color: 0xd92d20,
        fields: [
          { name: 'Service', value: 'Payments', inline: true },
          { name: 'Status', value: 'triggered', inline: true },
          { name: 'Priority', value: 'P1', inline: true },
          { name: 'Severity', value: 'SEV1', inline: true },
          { name: 'Opened', value: '2026-11-21 05:49:53 UTC', inline: true },
          {
            name: 'Actions',
            value:
              '[Acknowledge](https://pager.example.com/a/k1?do=acknowledge) · ' +
              '[Resolve](https://pager.example.com/a/k1?do=resolve) · ' +
              '[Open incident](https://pager.example.com/incidents/42)',
            inline: false,
          },
          {
            name: 'Links',
            value: '[Graph](https://grafana.example.com/d/1?x=1&y=2)',
            inline: false,
          },
        ],
        footer: { text: 'step 1 of policy Payments · Acme & Sons' },
        timestamp: '2026-11-21T05:49:53.123Z',
      },
    ],
    allowed_mentions: { parse: [], users: [], roles: ['77'] },
  });
});

for (const { mention, allowed } of [
  { mention: undefined, allowed: { parse: [], users: [], roles: [] } },
  { mention: '@here', allowed: { parse: ['everyone'], users: [], roles: [] } },
  { mention: '<@123> <@!45>', allowed: { parse: [], users: ['123', '45'], roles: [] } },
  { mention: '<@&6> @everyone', allowed: { parse: ['everyone'], users: [], roles: ['6'] } },
  { mention: 'ops', allowed: { parse: [], users: [], roles: [] } },
]) {
  test(`the mention ${mention ?? 'of nobody'} alone may ping`, () => {
    const notice = sampleNotice(mention ? { mention } : {}, { title: '@everyone <@9> <@&8>' });
    const { allowed_mentions, content } = discordMessageOf(notice);
    assert.deepEqual(allowed_mentions, allowed);
    const [, afterMention = ''] = content.split('Incident triggered');
    assert.doesNotMatch(afterMention, /@everyone|<@[!&]?\d/);
  });
}
