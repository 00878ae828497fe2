// From an event to its message in Telegram, and from a press there to the message that shows it. The
// fake of Telegram answers from memory, and holds each request to the published contract.
import { setImmediate as turn } from 'node:timers/promises';
import { startFakeTelegram } from '../test/vendors/telegram.ts';
import { newTitles } from './events.ts';
import { quantile } from './load.ts';
import { type Report, times } from './report.ts';
import { type Bench, connectTo, hookFor, startBench } from './world.ts';

const chat = '4711';
const pages = 50;
const secondsMax = 30;

export async function measureTelegram(report: Report): Promise<void> {
  await using telegram = await startFakeTelegram();
  const more = { PAGER_VENDOR_URLS: `telegram=${telegram.url}` };
  await using bench = await startBench({ more });
  const secrets = { bot_token: telegram.token };
  await bench.api('POST /channel-connections', { name: 'Bot', vendor: 'telegram', secrets });
  await telegram.polled();
  telegram.start(chat);
  const steps = [{ targets: [{ via: 'telegram', user_id: await linkOwner(bench) }] }];
  const path = await hookFor(bench, '', { steps });
  const title = newTitles(0);
  const sent: number[] = [];
  const edited: number[] = [];
  for (let page = 0; page < pages; page += 1) {
    const name = title();
    const messageOf = () => telegram.messages.find(({ text }) => text.includes(name));
    const begins = performance.now();
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ title: `${name}.` });
    await fetch(`http://127.0.0.1:${bench.port}${path}`, { method: 'POST', headers, body });
    const message = await once(messageOf);
    const pressed = performance.now();
    sent.push(pressed - begins);
    telegram.press(message.messageId, 'Acknowledge');
    await once(() => message.edits > 0 || undefined);
    edited.push(performance.now() - pressed);
  }
  report('event sent to its message in Telegram', quantilesOf(sent), 'one after the other');
  report('press of Acknowledge to the message that shows it', quantilesOf(edited));
}

/** As if they had sent the code of a link. */
async function linkOwner(bench: Bench): Promise<string> {
  const { data } = await bench.api('GET /users');
  const [{ id }] = data as [{ id: string }];
  const sql = connectTo(bench);
  await sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'0'.repeat(24)}, id, 'telegram', ${chat}, now(), now()
    from users where id = ${id}`;
  await sql.end();
  return id;
}

async function once<T>(read: () => T | undefined): Promise<T> {
  const ends = performance.now() + secondsMax * 1_000;
  for (;;) {
    const value = read();
    if (value !== undefined) return value;
    if (performance.now() > ends) throw new Error('Telegram was not called in time');
    await turn();
  }
}

function quantilesOf(measured: readonly number[]): string {
  const sorted = measured.toSorted((one, other) => one - other);
  return times({ p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) });
}
