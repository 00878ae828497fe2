// Whether the content templates of a connection are as Pager fills them in, and approved by WhatsApp.
import type { CheckResult } from '../vendor.ts';
import { type TemplateForm, templateOfNotices, templateOfPages } from '../whatsapp.ts';
import type { TwilioClient, TwilioContent } from './client.ts';
import type { TwilioConnection } from './connection.ts';
import { twilioFaultOf } from './failure.ts';

export async function contentChecks(
  client: TwilioClient,
  { settings: { content_sid, notice_content_sid } }: Pick<TwilioConnection, 'settings'>,
): Promise<readonly CheckResult[]> {
  const checks: CheckResult[] = [];
  for (const [name, sid, form] of [
    ['content_sid', content_sid, templateOfPages],
    ['notice_content_sid', notice_content_sid, templateOfNotices],
  ] as const)
    if (sid !== undefined) checks.push({ name, ...(await contentCheck(client, sid, form)) });
  return checks;
}

type Result = Omit<CheckResult, 'name'>;
const wrong = (message: string): Result => ({ ok: false, message });

async function contentCheck(
  client: TwilioClient,
  sid: string,
  form: TemplateForm,
): Promise<Result> {
  const content = await client.content(sid);
  if (!content.ok) return wrong(twilioFaultOf(content.failure).reason);
  const problem = problemOf(content.result, form);
  if (problem !== null) return wrong(problem);
  const approval = await client.approval(sid);
  if (!approval.ok) return wrong(twilioFaultOf(approval.failure).reason);
  const { status, category, reason } = approval.result;
  if (status !== 'approved')
    return wrong(
      `WhatsApp has not approved the content template: its status is ${status || 'unsubmitted'}${reason && ` (${reason})`}. See the Twilio console.`,
    );
  const isUtility = category.toUpperCase() === 'UTILITY';
  return {
    ok: true,
    message: isUtility
      ? 'The content template is approved.'
      : `The content template is approved as ${category.toLowerCase()}. WhatsApp limits and bills these templates differently: create it again as utility.`,
  };
}

function problemOf({ variables, buttons }: TwilioContent, form: TemplateForm): string | null {
  const written = (buttons ?? []).map((one) => one.toLowerCase());
  const isRight =
    buttons !== null && variables === form.variables && `${written}` === `${form.buttons}`;
  if (isRight) return null;
  const needed =
    form.buttons.length === 0
      ? 'no buttons'
      : `the quick-reply buttons with the IDs ${form.buttons.join(' and ')}, in this order`;
  return `The content template needs ${form.variables} variables in its body, and ${needed}.`;
}
