import { reasonAgainstNumber } from '../../resources/phone-prefixes.ts';
import type { Checked, CheckResult, VendorWay } from '../vendor.ts';
import { type TemplateForm, templateOfNotices, templateOfPages } from '../whatsapp.ts';
import { type CloudTemplate, clientOf } from './client.ts';
import type { CloudConnection } from './connection.ts';
import { templateContent } from './content.ts';
import { cloudFaultOf } from './failure.ts';

type Way = Pick<VendorWay, 'baseUrl' | 'http' | 'callbackUrl'>;

/** Whether the token reads the number, whether the templates are as Pager fills them in, and with an address, whether Meta takes a message to it. */
export async function checkWhatsAppCloud(
  way: Way,
  connection: Pick<CloudConnection, 'settings' | 'secrets'>,
  to: { readonly address: string } | null,
): Promise<Checked> {
  const client = clientOf(way, connection);
  const number = await client.number();
  if (!number.ok) {
    const message = cloudFaultOf(number.failure).reason;
    return { checks: [{ name: 'credentials', ok: false, message }], account: null };
  }
  const { display, name } = number.result;
  const credentials = {
    name: 'credentials',
    ok: true,
    message: `Meta accepts the access token for the number ${display}${name && ` (${name})`}.`,
  };
  const { template, notice_template } = connection.settings;
  const templates = [
    await templateCheck(way, connection, { name: template, ...templateOfPages }),
    ...(notice_template === undefined
      ? []
      : [await templateCheck(way, connection, { name: notice_template, ...templateOfNotices })]),
  ];
  const checks = [credentials, ...templates, ...callbackCheck(way)];
  const isUsable = templates.every(({ ok }) => ok);
  if (to !== null && isUsable) checks.push(await sendCheck(way, connection, to.address));
  return { checks, account: isUsable ? `+${display.replace(/\D/g, '')}` : null };
}

async function templateCheck(
  way: Way,
  connection: Pick<CloudConnection, 'settings' | 'secrets'>,
  { name, ...form }: TemplateForm & { readonly name: string },
): Promise<CheckResult> {
  const listed = await clientOf(way, connection).templates(name);
  const result = (ok: boolean, message: string) => ({ name: `template ${name}`, ok, message });
  if (!listed.ok) return result(false, cloudFaultOf(listed.failure).reason);
  const { language } = connection.settings;
  const template = listed.result.find((one) => one.language === language);
  if (template === undefined) {
    const others = listed.result.map((one) => one.language).join(', ');
    const where =
      others === '' ? 'The account has no such template' : `It exists only in ${others}`;
    return result(
      false,
      `${where}: create it in the language ${language}, or change the settings.`,
    );
  }
  const wrong = problemOf(template, form);
  if (wrong !== null) return result(false, wrong);
  const isUtility = template.category === 'UTILITY';
  return result(
    true,
    isUtility
      ? 'It is approved.'
      : `It is approved as ${template.category.toLowerCase()}. Meta limits and bills these templates differently: create it again as utility.`,
  );
}

function problemOf(
  { status, variables, buttons }: CloudTemplate,
  form: TemplateForm,
): string | null {
  if (status !== 'APPROVED')
    return `Meta has not approved it: its status is ${status.toLowerCase()}. See WhatsApp Manager.`;
  const isRight =
    variables === form.variables &&
    buttons.length === form.buttons.length &&
    buttons.every((type) => type === 'QUICK_REPLY');
  if (isRight) return null;
  return `It has ${variables} variables and ${buttons.length} buttons. It needs ${form.variables} variables and ${form.buttons.length} quick-reply buttons.`;
}

/** It is no fault of the account: contacts that are linked still get pages. */
const callbackCheck = ({ callbackUrl }: Way): readonly CheckResult[] =>
  callbackUrl !== null
    ? []
    : [
        {
          name: 'callbacks',
          ok: false,
          message:
            'Meta cannot call Pager: PAGER_PUBLIC_URL is not a public https address. Nobody can link their WhatsApp, and replies and receipts do not arrive.',
        },
      ];

async function sendCheck(
  way: Way,
  connection: Pick<CloudConnection, 'settings' | 'secrets'>,
  address: string,
): Promise<CheckResult> {
  const name = 'message';
  const against = reasonAgainstNumber(address, connection.settings.allowed_prefixes);
  if (against !== null) return { name, ok: false, message: `The number ${against}.` };
  const content = templateContent(
    {
      template: 'page',
      variables: ['TEST', 'Pager', 'This is a test message. Pages arrive here like this.'],
      handles: ['test', 'test'],
    },
    connection.settings,
  );
  if (content === null) throw new Error('every connection has a template for pages');
  const sent = await clientOf(way, connection).send(address, content);
  const message = sent.ok
    ? 'Meta accepted a message to the number.'
    : cloudFaultOf(sent.failure).reason;
  return { name, ok: sent.ok, message };
}
