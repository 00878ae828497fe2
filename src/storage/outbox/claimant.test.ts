import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { type Delivery, startShiftDelivery } from '../../../test/shift-delivery.ts';
import { buildShiftIntent } from '../../../test/shift-intent.ts';
import { skipped } from '../../../test/skipped.ts';
import { silentLog } from '../../engine/log.ts';
import type { AttemptResult } from '../../engine/ports/sending.ts';
import type { Claimed } from '../../engine/sending/claimed.ts';
import { openClaimant } from './claimant.ts';

const skip =
  process.platform !== 'linux' && skipped('claims that are named', 'only Linux tells its boot');
const leaseUntil = later(60);

async function createDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'pager-claimant-'));
  const remove = () => rm(path, { recursive: true, force: true });
  return { path, [Symbol.asyncDispose]: remove };
}

const open = ({ sql }: Delivery, dataDir: string, now = noon) =>
  openClaimant({ sql, dataDir, log: silentLog, now });

/** Claims all that is due. */
function claim(
  { ledger }: Delivery,
  options: { readonly claimant: string | null; readonly now?: Temporal.Instant },
): Promise<readonly Claimed[]> {
  const request = { now: noon, leaseUntil, limit: 9, busy: [], perRecipient: 9, ...options };
  return ledger.transact((tx) => tx.claim(request, () => null));
}

const triedAgainAt = (claimed: Claimed, wakeAt: Temporal.Instant): AttemptResult => ({
  claimed,
  wakeAt,
  finishedAt: noon,
  state: 'pending',
  reason: 'busy',
  answer: null,
  status: null,
  entry: null,
});

const seedNotices = (delivery: Delivery, ...keys: readonly string[]) =>
  delivery.insert(keys.map((key) => buildShiftIntent('shift_change', { key, address: key })));

/** When each notice is due, by its key. */
async function due({ sql }: Delivery): Promise<Record<string, string>> {
  const rows = await sql<{ key: string; wake_at: Temporal.Instant }[]>`
    select key, wake_at from outbox`;
  return Object.fromEntries(rows.map(({ key, wake_at }) => [key, `${wake_at}`]));
}

type Case = (delivery: Delivery, dataDir: string) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'what the dead of a directory were sending is due at once, and nothing else'(
    delivery,
    dataDir,
  ) {
    const dead = await open(delivery, dataDir);
    await seedNotices(delivery, 'answered', 'retaken', 'under way');
    const mine = await claim(delivery, { claimant: dead.name });
    const answered = mine.find(({ key }) => key === 'answered');
    assert.ok(answered);
    await delivery.ledger.transact((tx) => tx.finish([triedAgainAt(answered, later(5))]));
    await delivery.sql`update outbox set wake_at = ${noon} where key = 'retaken'`;
    await seedNotices(delivery, 'of another');
    await claim(delivery, { claimant: 'another' });
    await seedNotices(delivery, 'of nobody');
    await claim(delivery, { claimant: null });
    dead[Symbol.dispose]();
    using _next = await open(delivery, dataDir, later(1));
    assert.deepEqual(await due(delivery), {
      answered: `${later(5)}`,
      'under way': `${later(1)}`,
      retaken: `${leaseUntil}`,
      'of another': `${leaseUntil}`,
      'of nobody': `${leaseUntil}`,
    });
  },

  async 'while another server of the directory lives, leases stand'(delivery, dataDir) {
    const dead = await open(delivery, dataDir);
    using living = await open(delivery, dataDir);
    await seedNotices(delivery, 'page');
    await claim(delivery, { claimant: dead.name });
    dead[Symbol.dispose]();
    using next = await open(delivery, dataDir, later(1));
    assert.deepEqual([dead.name, next.name], [living.name, living.name]);
    assert.deepEqual(await due(delivery), { page: `${leaseUntil}` });
  },

  async 'the servers of a copied directory have another name'(delivery, dataDir) {
    using original = await open(delivery, dataDir);
    await using copy = await createDirectory();
    await cp(dataDir, copy.path, { recursive: true });
    using copied = await open(delivery, copy.path);
    assert.ok(original.name !== null && copied.name !== null);
    assert.notEqual(copied.name, original.name);
  },
};

for (const server of await databases())
  describe(server.name, { skip }, () => {
    for (const [title, run] of Object.entries(suite))
      test(title, async () => {
        await using delivery = await startShiftDelivery(server);
        await using directory = await createDirectory();
        await run(delivery, directory.path);
      });
  });

test('a directory that takes no lock is no reason not to start', async () => {
  const [server] = await databases();
  assert.ok(server);
  await using delivery = await startShiftDelivery(server);
  using claimant = await open(delivery, join(tmpdir(), 'pager-claimant-is-not-there'));
  assert.equal(claimant.name, null);
});
