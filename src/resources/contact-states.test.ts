import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noContact } from './contact-states.ts';

const since = Temporal.Instant.from('2026-11-27T12:00:00.5Z');

test('who has no contact on a channel any more has lost it for a reason', () => {
  assert.equal(noContact('sms', undefined), 'no verified sms contact');
  assert.equal(
    noContact('sms', { state: 'opted_out', since }),
    'no verified sms contact: someone sent STOP by SMS (since 2026-11-27T12:00:00Z)',
  );
  assert.equal(
    noContact('phone', { state: 'invalid', since }),
    'no verified phone contact: its vendor reports that the number does not exist (since 2026-11-27T12:00:00Z)',
  );
  assert.match(
    noContact('email', { state: 'invalid', since }),
    /: its mail server reports that the address does not exist/,
  );
  assert.match(noContact('telegram', { state: 'gone', since }), /: this chat no longer exists/);
});
