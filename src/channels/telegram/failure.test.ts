import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TelegramFailure } from './client.ts';
import { type TelegramFault, telegramFaultOf } from './failure.ts';

type Refusal = Extract<TelegramFailure, { type: 'refused' }>;

const refused = (code: number, description: string, more: Partial<Refusal> = {}): Refusal => ({
  type: 'refused',
  status: code,
  error_code: code,
  description,
  ...more,
});

const cases: readonly (readonly [TelegramFailure, Omit<TelegramFault, 'reason'>])[] = [
  [
    refused(403, 'Forbidden: bot was blocked by the user'),
    { blame: 'contact', contactState: 'blocked', maybeExecuted: false },
  ],
  [
    refused(403, 'Forbidden: user is deactivated'),
    { blame: 'contact', contactState: 'gone', maybeExecuted: false },
  ],
  [
    refused(403, "Forbidden: bot can't initiate conversation with a user"),
    { blame: 'contact', contactState: 'gone', maybeExecuted: false },
  ],
  // The next contact is tried, and this one keeps its state.
  [refused(403, 'Forbidden: something new'), { blame: 'contact', maybeExecuted: false }],
  [
    refused(400, 'Bad Request: chat not found'),
    { blame: 'contact', contactState: 'gone', maybeExecuted: false },
  ],
  [
    refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: '-1001',
    }),
    { blame: 'contact', moved_to: '-1001', maybeExecuted: false },
  ],
  [
    refused(400, `Bad Request: can't parse entities: Unsupported start tag "x" at byte offset 1`),
    { blame: 'message', maybeExecuted: false },
  ],
  [refused(400, 'Bad Request: message is too long'), { blame: 'message', maybeExecuted: false }],
  [refused(400, 'Bad Request: BUTTON_DATA_INVALID'), { blame: 'message', maybeExecuted: false }],
  [refused(400, 'Bad Request: message to edit not found'), { blame: 'gone', maybeExecuted: false }],
  [
    refused(
      400,
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
    ),
    { blame: 'gone', maybeExecuted: false },
  ],
  [refused(401, 'Unauthorized'), { blame: 'connection', maybeExecuted: false }],
  [refused(404, 'Not Found'), { blame: 'connection', maybeExecuted: false }],
  [
    refused(409, 'Conflict: terminated by other getUpdates request'),
    { blame: 'connection', maybeExecuted: false },
  ],
  [
    refused(429, 'Too Many Requests: retry after 7', { retry_after: 7 }),
    { blame: 'later', retryAfterSeconds: 7, maybeExecuted: false },
  ],
  [
    refused(429, 'Too Many Requests: retry after 86400', { retry_after: 86_400 }),
    { blame: 'later', retryAfterSeconds: 3_600, maybeExecuted: false },
  ],
  [refused(500, 'Internal Server Error'), { blame: 'later', maybeExecuted: true, isOutage: true }],
  [refused(400, 'Bad Request: something new'), { blame: 'unlisted', maybeExecuted: false }],
  [refused(402, 'Payment Required'), { blame: 'unlisted', maybeExecuted: false }],
  [refused(408, 'Request Timeout'), { blame: 'later', maybeExecuted: false }],
  [refused(418, "I'm a teapot"), { blame: 'unlisted', maybeExecuted: false }],
  [
    { type: 'no_answer', reason: 'timed out connecting', maybeExecuted: false },
    { blame: 'later', maybeExecuted: false, isOutage: true },
  ],
  [
    { type: 'no_answer', reason: 'timed out waiting for the answer', maybeExecuted: true },
    { blame: 'later', maybeExecuted: true, isOutage: true },
  ],
];

for (const [failure, expected] of cases) {
  const name = failure.type === 'refused' ? failure.description : failure.reason;
  test(`"${name}" is a fault of: ${expected.blame}`, () => {
    const { reason, ...fault } = telegramFaultOf(failure);
    assert.deepEqual(fault, expected);
    assert.ok(reason.startsWith('Telegram: ') && reason.includes(name), reason);
  });
}

for (const [code, description, words] of [
  [429, 'Too Many Requests: retry after 7', 'too many requests at once'],
  [502, 'Bad Gateway', 'the service failed'],
  [400, 'Bad Request: something new', 'the request was rejected'],
] as const)
  test(`a ${code} reads: ${words}`, () => {
    const { reason } = telegramFaultOf(refused(code, description));
    assert.equal(reason, `Telegram: ${words} (${code}: ${description})`);
  });

test('a fault of the connection names the setting to change', () => {
  for (const [code, description] of [
    [401, 'Unauthorized'],
    [409, "Conflict: can't use getUpdates method while webhook is active"],
    [409, 'Conflict: terminated by other getUpdates request'],
  ] as const)
    assert.match(telegramFaultOf(refused(code, description)).reason, /set bot_token to/);
});
