import { sendingLimits } from '../../limits/sending.ts';
import { fit, lineOf } from '../../notices/words/wording.ts';
import { itemsOf, membersOf, parsedJson } from '../json.ts';
import type { VendorAnswer, VendorHttp, VendorRequest } from '../vendor-http.ts';
import type { CloudConnection } from './connection.ts';

const MESSAGE_LENGTH_STORED = 200;
const VERSION = 'v23.0';

export const whatsAppCloudUrl = 'https://graph.facebook.com';

export type CloudFailure =
  /** An error of the Graph API, also in an answer with status 200. */
  | {
      readonly type: 'refused';
      readonly status: number;
      /** 0: it names none. */
      readonly code: number;
      readonly message: string;
      readonly isTransient: boolean;
    }
  /** No answer, or one that is not of the API. */
  | { readonly type: 'no_answer'; readonly reason: string; readonly maybeExecuted: boolean };

export type CloudResult<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly failure: CloudFailure };

/** A number that messages come from. */
export type CloudNumber = { readonly display: string; readonly name: string };

export type CloudTemplate = {
  readonly language: string;
  readonly status: string;
  readonly category: string;
  /** How many variables its body has. */
  readonly variables: number;
  /** The types of its buttons. */
  readonly buttons: readonly string[];
};

/** Besides its recipient, as the API has it. */
export type CloudContent = Readonly<Record<string, unknown>> & { readonly type: string };

/** What Pager uses of the Graph API. Nothing throws. */
export type CloudClient = {
  /** `handle`: what its receipts carry. The id of the message. */
  send(to: string, content: CloudContent, handle?: string): Promise<CloudResult<string>>;
  number(): Promise<CloudResult<CloudNumber>>;
  templates(name: string): Promise<CloudResult<readonly CloudTemplate[]>>;
};

type Way = { readonly baseUrl: string; readonly http: VendorHttp };
type Account = Pick<CloudConnection, 'settings' | 'secrets'>;
type Read<Result> = (answer: unknown) => Result | undefined;

export function clientOf({ baseUrl, http }: Way, { settings, secrets }: Account): CloudClient {
  const { phone_number_id, business_account_id } = settings;
  const { access_token: token } = secrets;

  async function call<Result>(
    path: string,
    read: Read<Result>,
    how: Partial<VendorRequest> = {},
  ): Promise<CloudResult<Result>> {
    const answer = await http.request({
      url: `${baseUrl}/${VERSION}/${path}`,
      method: 'GET',
      ...how,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(how.body !== undefined && { 'content-type': 'application/json' }),
      },
    });
    return resultOf(answer, read, token);
  }

  return {
    send: (to, content, handle) =>
      call(`${phone_number_id}/messages`, messageIdOf, {
        method: 'POST',
        withinMs: sendingLimits.numberSendTime,
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to,
          ...content,
          ...(handle !== undefined && { biz_opaque_callback_data: handle }),
        }),
      }),
    number: () => call(`${phone_number_id}?fields=display_phone_number,verified_name`, numberOf),
    templates(name) {
      const query = new URLSearchParams({
        name,
        fields: 'name,language,status,category,components',
        limit: '50',
      });
      return call(`${business_account_id}/message_templates?${query}`, templatesNamed(name));
    },
  };
}

function resultOf<Result>(
  answer: VendorAnswer,
  read: Read<Result>,
  token: string,
): CloudResult<Result> {
  if (!answer.answered) {
    const { reason, maybeExecuted } = answer;
    return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted } };
  }
  const { status, body } = answer;
  const parsed = parsedJson(body);
  const { code, message, is_transient, error_data } = membersOf(membersOf(parsed)['error']);
  if (typeof code === 'number' || status === 429) {
    const { details } = membersOf(error_data);
    const words = [details, message].find((one) => typeof one === 'string') as string | undefined;
    return {
      ok: false,
      failure: {
        type: 'refused',
        status,
        code: typeof code === 'number' ? code : 0,
        message: fit(withoutPrivate(lineOf(words ?? ''), token), MESSAGE_LENGTH_STORED),
        isTransient: is_transient === true,
      },
    };
  }
  const result = status >= 200 && status < 300 ? read(parsed) : undefined;
  if (result !== undefined) return { ok: true, result };
  const reason = `answered ${status} in a form that is not the Graph API’s`;
  return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted: true } };
}

/** Answers may repeat the number, which not everybody may see who sees the timeline. */
const withoutPrivate = (message: string, token: string): string =>
  (token === '' ? message : message.replaceAll(token, '…')).replace(/\+?\d{3,}(?=\d{4})/g, '…');

const messageIdOf: Read<string> = (answer) => {
  const { messages } = membersOf(answer);
  const { id } = membersOf(Array.isArray(messages) ? messages[0] : undefined);
  return typeof id === 'string' && id !== '' ? id : undefined;
};

const numberOf: Read<CloudNumber> = (answer) => {
  const { display_phone_number: display, verified_name: name } = membersOf(answer);
  if (typeof display !== 'string' || !/\d/.test(display)) return undefined;
  return { display: lineOf(display), name: typeof name === 'string' ? lineOf(name) : '' };
};

/** Meta also lists those whose name only contains it. */
const templatesNamed =
  (name: string): Read<readonly CloudTemplate[]> =>
  (answer) => {
    const { data } = membersOf(answer);
    if (!Array.isArray(data)) return undefined;
    return data.flatMap((one) => (membersOf(one)['name'] === name ? templateOf(one) : []));
  };

function templateOf(listed: unknown): CloudTemplate {
  const { language, status, category, components } = membersOf(listed);
  const parts = itemsOf(components).map(membersOf);
  const part = (type: string) => parts.find((one) => one['type'] === type);
  const body = part('BODY')?.['text'];
  const buttons = part('BUTTONS')?.['buttons'];
  return {
    language: String(language),
    status: String(status),
    category: String(category),
    variables: typeof body === 'string' ? new Set(body.match(/\{\{\d+\}\}/g)).size : 0,
    buttons: itemsOf(buttons).map((one) => String(membersOf(one)['type'])),
  };
}
