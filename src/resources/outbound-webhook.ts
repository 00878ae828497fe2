import { choice, description, mapOf, name, optional, secret, text } from './declaration/field.ts';
import { MASK } from './declaration/references-and-secrets.ts';
import { type Problem, resource } from './declaration/resource.ts';

const reserved = /^(host|connection|transfer-encoding|content-.*|webhook-.*)$/i;
const headerName = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$";
// Node refuses other characters when the request is sent, which is too late.
const headerValue = `^(?:[\\x09\\x20-\\x7e\\x80-\\xff]*|${MASK})$`;

export const outboundWebhook = resource({
  name: 'outbound_webhook',
  table: 'outbound_webhooks',
  route: 'outbound-webhooks',
  doc: 'An HTTP endpoint that Pager calls with incident or shift details.',
  fields: {
    name: name('The name of the webhook, shown wherever you choose a webhook.'),
    url: secret({
      doc: 'The address to call, such as https://example.com/hook.',
      min: 1,
      max: 2_048,
      format: 'uri',
      writeOnly: true,
    }),
    method: optional(
      choice(['GET', 'POST', 'PUT'], {
        doc: 'The HTTP method. Only POST sends the incident.',
        default: 'GET',
        terraform: {
          values: ['GET', 'POST'],
          others: 'PUT is for shift notifications. Set it in the dashboard or with the API',
        },
      }),
    ),
    content_type: optional(
      choice(['json', 'url-encoded'], {
        doc: 'The format of the incident in the body.',
        default: 'json',
      }),
    ),
    headers: optional(
      mapOf(
        text({
          doc: 'The value of the header.',
          max: 8_192,
          pattern: headerValue,
          example: 'a header: text without line breaks',
          masked: true,
        }),
        {
          doc: 'HTTP headers by name, such as Authorization. They are sent with incidents, never with shift notifications, and are stored in plain text. Viewers and responders see only the names. Names must be unique, ignoring case. Pager sets Host, Connection, Transfer-Encoding and names that begin with Content- or Webhook- itself.',
          max: 100,
          names: { pattern: headerName, message: 'is not a valid header name' },
        },
      ),
    ),
    description: description('webhook'),
  },
  check({ headers = {} }): Problem[] {
    const names = Object.keys(headers).map((header) => header.toLowerCase());
    return Object.entries(headers).flatMap(([header, value], index) => {
      const path = `headers[${JSON.stringify(header)}]`;
      if (names.indexOf(header.toLowerCase()) < index)
        return [{ path, message: 'is listed twice, ignoring case' }];
      if (value === MASK) return [{ path, message: 'is masked: send the actual value' }];
      return reserved.test(header) ? [{ path, message: 'is set by Pager' }] : [];
    });
  },
});
