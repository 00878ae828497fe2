import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Shares } from './shares.ts';

const of = (organization_id: string, channel = 'slack') => ({ organization_id, channel });

/** Begins as many as there is room for, one after the other; answers how many. */
function fill(shares: Shares, organization: string, channel = 'slack'): number {
  for (let count = 0; ; count += 1) {
    const { organizations, channels, calls } = shares.rooms();
    const room = Math.min(
      organizations.of.get(organization) ?? organizations.each,
      channels.of.get(channel) ?? channels.each,
      channel === 'webhook' ? (calls.of.get(organization) ?? calls.each) : 512,
    );
    if (room <= 0) return count;
    shares.begin(of(organization, channel));
  }
}

test('an organisation has no more than it leaves for the others, and so do those after it', () => {
  const shares = new Shares(512);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => fill(shares, name)),
    [256, 128, 0, 0],
  );
  assert.deepEqual(
    ['c', 'd'].map((name) => fill(shares, name, 'msteams')),
    [64, 32],
  );
  assert.equal(shares.used, 480);
});

test('the calls of an organisation leave room for its pages', () => {
  const shares = new Shares(512);
  assert.equal(fill(shares, 'a', 'webhook'), 192);
  assert.equal(fill(shares, 'a', 'slack'), 64);
});

test('a way out that hangs for everybody leaves room for the others', () => {
  const shares = new Shares(512);
  for (let count = 0; count < 384; count += 1) shares.begin(of(`organization ${count}`));
  assert.equal(fill(shares, 'a', 'slack'), 0);
  assert.equal(fill(shares, 'a', 'msteams'), 64);
  assert.equal(fill(shares, 'b', 'email'), 32);
});

test('no more mails are handed over at once than leave in time', () => {
  const shares = new Shares(512);
  for (let count = 0; count < 127; count += 1) shares.begin(of(`organization ${count}`, 'email'));
  assert.equal(fill(shares, 'a', 'email'), 1);
});

test('what has ended makes room again', () => {
  const shares = new Shares(8);
  assert.equal(fill(shares, 'a'), 4);
  shares.end(of('a'));
  assert.equal(shares.rooms().organizations.of.get('a'), 1);
  for (let count = 0; count < 3; count += 1) shares.end(of('a'));
  assert.deepEqual([shares.used, shares.rooms().organizations.of.size], [0, 0]);
});
