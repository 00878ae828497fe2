// The listener for mail: what comes for an integration goes the way of all events, and what comes back of a
// page goes to those who answer it.
import { mailOfHeaders } from '../api/mail/headers.ts';
import {
  type MailListener,
  type MailListenerOptions,
  openMailListener,
  tokenForm,
} from '../api/mail/listener.ts';
import { createMailReader } from '../api/mail/reader.ts';
import { listenOn } from '../cannot-start.ts';
import { mailAddressForm } from '../replies/mail-handles.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';
import { openMailReturns } from './mail-returns.ts';

export async function startMailListener(
  world: ServerContext,
  engine: Engine,
): Promise<MailListener> {
  const { intake, refusals, workers, metrics } = engine;
  const { config, log, recognise, recogniseFrom } = world;
  const returns = openMailReturns(world, engine);
  const isReturn = (token: string) => mailAddressForm.test(token);
  const { host, port, domain } = config.mailListener;
  const readMail = createMailReader({ pool: workers.mail, log });
  const options: MailListenerOptions = {
    listen: { host, port },
    domain,
    forms: [tokenForm, mailAddressForm],
    log,
    certificate: config.mailListener.certificate,
    refused: () => metrics.connectionRefused('mail'),
    async noteRefused(token, status, reason) {
      const recognised = await recognise(token);
      if (!recognised) return;
      await refusals.note({ ...recognised, source: 'mail', status, reason, isLost: false });
    },
    async find(token, address) {
      if (isReturn(token)) return (await returns.find(token)) ? 'known' : 'unknown';
      const result = await recogniseFrom(token, address);
      if (result === 'too_many') return 'busy';
      return result === null ? 'unknown' : 'known';
    },
    async enter(token, bytes) {
      if (isReturn(token)) return returns.enter(token, bytes);
      const recognised = await recognise(token);
      if (!recognised) return 'gone';
      return intake.enter(recognised.integrationId, bytes) ?? 'busy';
    },
    async read(raw, tokens) {
      const token = tokens.find((one) => !isReturn(one));
      // Those who answer replies read more than that themselves.
      if (token === undefined) return mailOfHeaders(raw, '');
      const { organizationId = '', integrationId = '' } = (await recognise(token)) ?? {};
      return readMail(raw, { organizationId, caller: integrationId });
    },
    async receive(received, place) {
      const { token, raw, mail: read, ours } = received;
      if (isReturn(token)) return returns.receive(received);
      const recognised = await recognise(token);
      if (!recognised) return 'gone';
      if (ours) {
        log.info(
          { integration_id: recognised.integrationId },
          'an e-mail that Pager sent was dropped',
        );
        return 'stored';
      }
      const mail = { source: 'mail', path: '', contentType: 'message/rfc822', body: raw } as const;
      const accepted = await intake.receive({ ...recognised, ...mail, mail: read }, place);
      if (accepted.type === 'full') return 'busy';
      return accepted.type === 'archived' ? 'gone' : 'stored';
    },
  };
  const listener = await listenOn({ setting: 'PAGER_EMAIL_LISTEN', host, port }, () =>
    openMailListener(options),
  );
  metrics.mailCertificateExpires(listener.certificateExpiresAt);
  return listener;
}
