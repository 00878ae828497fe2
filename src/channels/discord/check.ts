// Whether a bot can do what it is for. What the app itself has to have, such as its command, is set here.
import { callbackAddress } from '../../replies/callback.ts';
import type { Checked, CheckResult, Connection } from '../vendor.ts';
import { inNoServer } from './channel.ts';
import type { DiscordClient } from './client.ts';
import { discordFaultOf } from './failure.ts';
import type { DiscordApplication } from './objects.ts';

export async function checkDiscord(
  client: DiscordClient,
  { id, settings }: Pick<Connection, 'id' | 'settings'>,
  callbackUrl: string | null,
): Promise<Checked> {
  const application = await client.application();
  if (!application.ok) {
    const message = discordFaultOf(application.failure).reason;
    return { checks: [{ name: 'credentials', ok: false, message }], account: null };
  }
  const app = application.result;
  const mismatch = mismatchOf(app, settings);
  if (mismatch !== null)
    return { checks: [{ name: 'credentials', ok: false, message: mismatch }], account: app.name };
  const url = callbackUrl && callbackAddress(callbackUrl, 'discord', id);
  const checks = [
    {
      name: 'credentials',
      ok: true,
      message: `Discord accepts the bot token of the app ${app.name}.`,
    },
    await serverCheck(client),
    await commandCheck(client, app),
    await interactionsCheck(client, app, { url, connectionId: id }),
  ];
  return { checks, account: app.name };
}

function mismatchOf(app: DiscordApplication, settings: Connection['settings']): string | null {
  if (app.id !== settings['application_id'])
    return `The bot token belongs to the application ${app.id}: check application_id and bot_token of the connection.`;
  return app.publicKey === settings['public_key']
    ? null
    : 'The public key belongs to another app: copy it from “General Information”.';
}

async function serverCheck(client: DiscordClient): Promise<CheckResult> {
  const guilds = await client.guilds('0', 200);
  if (!guilds.ok) return failed('servers', guilds.failure);
  const names = guilds.result.map(({ name }) => name);
  if (names.length === 0) return { name: 'servers', ok: false, message: `Discord: ${inNoServer}` };
  const [first = '', ...others] = names;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return { name: 'servers', ok: true, message: `The bot is in ${first}${more}.` };
}

/** Adds the command, or what is new of it. */
async function commandCheck(client: DiscordClient, app: DiscordApplication): Promise<CheckResult> {
  const known = await client.hasCommand(app.id);
  if (!known.ok) return failed('command', known.failure);
  const put = known.result ? known : await client.putCommand(app.id);
  if (!put.ok) return failed('command', put.failure);
  return { name: 'command', ok: true, message: 'The command /pager is set up.' };
}

type Wanted = { readonly url: string | null; readonly connectionId: string };

/** Discord sends what people do either to an address or over the gateway, as the app has it. */
async function interactionsCheck(
  client: DiscordClient,
  { interactionsUrl }: DiscordApplication,
  { url, connectionId }: Wanted,
): Promise<CheckResult> {
  const name = 'interactions';
  const message =
    url === null
      ? 'Discord sends people’s actions over the gateway.'
      : `Discord sends people’s actions to ${url}.`;
  if (interactionsUrl === url) return { name, ok: true, message };
  const isOurs = interactionsUrl?.endsWith(callbackAddress('', 'discord', connectionId)) ?? true;
  if (!isOurs)
    return {
      name,
      ok: false,
      message: `Discord sends people’s actions to ${interactionsUrl}: remove this Interactions Endpoint URL under “General Information”, then test again.`,
    };
  const set = await client.setInteractionsUrl(url);
  if (set.ok) return { name, ok: true, message };
  const { reason } = discordFaultOf(set.failure);
  return {
    name,
    ok: false,
    message: `${reason}. Discord could not call ${url}: check that PAGER_PUBLIC_URL is right and can be reached from the internet.`,
  };
}

const failed = (name: string, failure: Parameters<typeof discordFaultOf>[0]): CheckResult => ({
  name,
  ok: false,
  message: discordFaultOf(failure).reason,
});
