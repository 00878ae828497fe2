// A fake of each vendor that pages, calls, writes or posts, and a server that is connected to all of them.
import assert from 'node:assert/strict';
import { systemClock } from '../../src/engine/clock.ts';
import type { Sql } from '../../src/storage/database/database.ts';
import { startFakeDiscord } from '../vendors/discord.ts';
import { startFakeTeams } from '../vendors/msteams.ts';
import { startFakeNtfy } from '../vendors/ntfy.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { startFakeWhatsAppCloud } from '../vendors/whatsapp-cloud.ts';
import type { Api } from './api-client.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo, type Settings } from './server-process.ts';

const appSecret = '0123456789abcdef0123456789abcdef';
const verifyToken = 'our-own-verify-token';

type Options = {
  /** Of the limits and windows of the vendors that have them. */
  readonly now?: () => Temporal.Instant;
  /** How long the mail server keeps whoever sends waiting. */
  readonly mailMilliseconds?: number;
};

export type EveryVendor = Awaited<ReturnType<typeof startEveryVendor>>;

export async function startEveryVendor({
  now = systemClock.now,
  mailMilliseconds = 0,
}: Options = {}) {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer(0, mailMilliseconds));
  const twilio = stack.use(await startFakeTwilio());
  const telegram = stack.use(await startFakeTelegram());
  const whatsapp = stack.use(await startFakeWhatsAppCloud(now));
  const ntfy = stack.use(await startFakeNtfy(now));
  const slack = stack.use(await startFakeSlack());
  const msteams = stack.use(await startFakeTeams(now));
  const discord = stack.use(await startFakeDiscord({ now }));
  const urls = {
    twilio: twilio.url,
    telegram: telegram.url,
    'whatsapp-cloud': whatsapp.url,
    ntfy: ntfy.url,
    slack: slack.url,
    msteams: msteams.url,
    discord: discord.url,
  };
  const all = stack.move();
  return {
    mail,
    twilio,
    telegram,
    whatsapp,
    ntfy,
    slack,
    msteams,
    discord,
    urls,
    /** Creates a connection to each, and tells each vendor where the server is. */
    async connect(api: Api, url: string): Promise<void> {
      const connect = (vendor: string, fields: object = {}) =>
        api.create('channel-connections', { name: vendor, vendor, ...fields });
      await connect('ntfy');
      await connect('telegram', { secrets: { bot_token: telegram.token } });
      await connect('slack', { secrets: { bot_token: slack.botToken, app_token: slack.appToken } });
      await connect('discord', {
        settings: { application_id: discord.applicationId, public_key: discord.publicKey },
        secrets: { bot_token: discord.botToken },
      });
      const teams = await connect('msteams', {
        settings: { app_id: msteams.appId, tenant_id: msteams.tenantId },
        secrets: { client_secret: msteams.clientSecret },
      });
      msteams.endpoint = `${url}/callbacks/msteams/${teams.id}`;
      const { id } = await connect('twilio', {
        secrets: { auth_token: twilio.authToken },
        settings: {
          account_sid: twilio.account.sid,
          from_phone: twilio.number,
          from_sms: twilio.number,
          allowed_prefixes: ['+49'],
          calls_per_second: 10,
          messages_per_second: 10,
        },
      });
      twilio.setMessageWebhook(`${url}/callbacks/sms/${id}`);
      const { phone_number_id, business_account_id, access_token } = whatsapp.account;
      const meta = await connect('whatsapp-cloud', {
        settings: {
          phone_number_id,
          business_account_id,
          template: 'pager_page',
          notice_template: 'pager_notice',
          language: 'en',
          allowed_prefixes: ['+49'],
        },
        secrets: { access_token, app_secret: appSecret, verify_token: verifyToken },
      });
      const callbacks = `${url}/callbacks/whatsapp/${meta.id}`;
      assert.equal(await whatsapp.subscribe(callbacks, verifyToken, appSecret), 200);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Where a server that is to be connected finds them. */
export const settingsFor = ({ mail, urls }: EveryVendor): Settings => ({
  ...mailTo(mail),
  PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
  PAGER_VENDOR_URLS: Object.entries(urls)
    .map(([vendor, url]) => `${vendor}=${url}`)
    .join(),
});

export type Contact = {
  readonly userId: string;
  readonly channel: string;
  readonly address: string;
};

/** A contact that its person has verified. */
export async function addContact(sql: Sql, { userId, channel, address }: Contact): Promise<void> {
  await sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, substr(md5(${channel} || id), 1, 24), id, ${channel}, ${address}, now(), now()
    from users where id = ${userId}`;
}
