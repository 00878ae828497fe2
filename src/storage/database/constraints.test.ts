import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { eventSources } from '../../alerts/alert.ts';
import { noticeStates } from '../../engine/ports/sending.ts';
import { blames, receiptStates } from '../../engine/sending/receipt.ts';
import { alertStates, statuses } from '../../incidents/incident.ts';
import { connectionStates } from '../../resources/connections/connection.ts';
import { storedRequestStates } from '../../resources/cover-request.ts';
import { roles } from '../../resources/roles.ts';
import { verdicts } from '../../resources/verdicts.ts';
import { shiftEventTypes } from '../../shifts/advance.ts';
import { bodyEncodings } from '../ledger/events.ts';
import { linkedBy } from '../people/chat-accounts.ts';
import { linkPurposes } from '../people/password-links.ts';

const noted = connectionStates.filter((state) => state !== 'unchecked');

const declared = [
  ...[roles, eventSources, bodyEncodings, statuses, noticeStates, shiftEventTypes],
  ...[linkPurposes, receiptStates, blames, linkedBy, verdicts, alertStates],
  storedRequestStates,
  // Of connections and of built-in channels; one that is not noted yet is unchecked.
  ...[noted, noted],
];

test('each list of values that the schema checks is one that the code declares', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const constraints = await database.sql<{ definition: string }[]>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace`;
  const checked = constraints.flatMap(({ definition }) => {
    const values = [...definition.matchAll(/'([^']*)'::text/g)].map(([, value = '']) => value);
    return /= ANY \(ARRAY\[/.test(definition) ? [values] : [];
  });
  assert.deepEqual(sorted(checked), sorted(declared));
});

const sorted = (lists: readonly (readonly string[])[]) =>
  lists.map((values) => values.toSorted().join(' ')).sort();
