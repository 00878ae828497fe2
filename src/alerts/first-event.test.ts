import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { posted } from '../../test/http-event.ts';
import { at, known, startListener } from '../../test/mail-client.ts';
import { ownSamples } from '../../test/samples/own-samples.ts';
import { withAddresses } from '../resources/guide-addresses.ts';
import { integrationTypes } from './index.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T02:59:20Z'),
  integrationName: 'Samples',
};

/** What the guide shows to send a first event by hand: it begins with curl. */
const commands = integrationTypes.flatMap(({ slug, guide }) =>
  (guide.snippets ?? [])
    .map(({ text }) => text.replace(/^# .*\n/, ''))
    .filter((text) => text.startsWith('curl '))
    .map((text) => ({ slug, text })),
);

test('every guide shows one command that sends a first event', () => {
  const slugs = integrationTypes.map(({ slug }) => slug);
  assert.deepEqual(
    commands.map(({ slug }) => slug),
    slugs,
  );
});

test('what the commands send, as a shell runs them, opens one incident in the format of the tool', async () => {
  const received = new Map<string, { contentType: string; body: Buffer }>();
  await using server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    const slug = url.split('/')[2] ?? '';
    received.set(slug, { contentType: headers['content-type'] ?? '', body: await bodyOf(request) });
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const script = commands.filter(isPosted).map(({ slug, text }) =>
    withAddresses(text, {
      url: `http://127.0.0.1:${port}/hooks/${slug}/push-events`,
      email: 'a@example.com',
    }).replace(/^curl /, 'curl -sS '),
  );
  await promisify(execFile)('sh', ['-euc', script.join('\n')]);

  for (const type of integrationTypes.filter(isPosted)) {
    const { slug } = type;
    const request = received.get(slug);
    assert.ok(request, slug);
    const reading = type.read({ ...posted, path: '/push-events', headers: {}, ...request }, about);
    assert.ok('alerts' in reading, slug);
    assert.deepEqual(
      reading.alerts.map(({ action }) => action),
      ['trigger'],
      slug,
    );
    const titles = ownSamples[slug]?.sent.flatMap(({ reads }) => reads.map(([, , title]) => title));
    const [alert] = reading.alerts;
    const isShownByHand = ['webhook', 'cloudevents'].includes(slug);
    assert.ok(isShownByHand || titles?.includes(alert?.title ?? ''), `${slug}: ${alert?.title}`);
  }
});

test('the command for e-mail, as a shell runs it, opens one incident with its subject', async () => {
  await using listener = await startListener();
  const { text } = commands.find(({ slug }) => slug === 'email') ?? assert.fail();
  const addressed = withAddresses(text, { url: '', email: at(known) });
  const script = addressed.replace('smtp://localhost', `-sS smtp://127.0.0.1:${listener.port}`);
  await promisify(execFile)('sh', ['-euc', script]);
  const [received = assert.fail()] = listener.received;
  const { subject, text: body, from } = received.mail;
  assert.deepEqual(
    [received.token, subject, body.trim(), from],
    [known, 'Disk full on db-1', 'The disk is 98 % full.', 'you@example.com'],
  );
});

const isPosted = ({ slug }: { readonly slug: string }) => slug !== 'email';

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await request.toArray());
}
