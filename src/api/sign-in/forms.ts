// What the pages of signing in share: forms and JSON go to the same routes.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Clock } from '../../engine/clock.ts';
import type { Ids } from '../../engine/ids.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import type { Sql } from '../../storage/database/database.ts';
import type { Secrets } from '../../storage/sealed/secrets.ts';
import { htmlPage, type PageContent } from '../pages/page.ts';
import type { AccountMails } from './account-mails.ts';
import type { KnownBrowsers } from './attempts/known-browsers.ts';
import type { SignInSteps } from './second-factor/sign-in-step.ts';
import type { Accounts } from './sessions/accounts.ts';
import type { SameOrigin } from './sessions/same-origin.ts';

export type SignInParts = {
  readonly sql: Sql;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'digest' | 'open'>;
  readonly accounts: Accounts;
  readonly sameOrigin: SameOrigin;
  readonly browsers: KnownBrowsers;
  readonly steps: SignInSteps;
  readonly mails: AccountMails;
  readonly publicUrl: string;
  /** Where `/` leads; null: the dashboard is not built. */
  readonly home: string | null;
  /** Of the dashboard that is handed out; null: it was not built. */
  readonly build: string | null;
};

export const readFields = (schema: TSchema, body: unknown) =>
  readObject(schema, body, { ignored: ['csrf_token'] });

export const isForm = ({ headers }: FastifyRequest) =>
  (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');

export const isFromBrowser = ({ headers }: FastifyRequest) =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

export const bake = (reply: FastifyReply, cookies: readonly string[]) =>
  cookies.length > 0 ? reply.header('set-cookie', cookies) : reply;

export const show = (reply: FastifyReply, status: number, page: PageContent) =>
  htmlPage(reply.code(status), page);
