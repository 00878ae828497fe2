// The listener for mail: what comes for an integration goes the way of all events.
import {
  type MailListener,
  type MailListenerOptions,
  openMailListener,
} from '../api/mail/listener.ts';
import { createMailReader } from '../api/mail/reader.ts';
import { listenOn } from '../cannot-start.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';

export async function startMailListener(
  world: ServerContext,
  { intake, refusals, workers, metrics }: Engine,
): Promise<MailListener> {
  const { config, log, recognise, recogniseFrom } = world;
  const { host, port, domain } = config.mailListener;
  const readMail = createMailReader({ pool: workers.mail, log });
  const options: MailListenerOptions = {
    listen: { host, port },
    domain,
    log,
    certificate: config.mailListener.certificate,
    refused: () => metrics.connectionRefused('mail'),
    async noteRefused(token, status, reason) {
      const recognised = await recognise(token);
      if (!recognised) return;
      await refusals.note({ ...recognised, source: 'mail', status, reason, isLost: false });
    },
    async find(token, address) {
      const result = await recogniseFrom(token, address);
      if (result === 'too_many') return 'busy';
      return result === null ? 'unknown' : 'known';
    },
    async enter(token, bytes) {
      const recognised = await recognise(token);
      if (!recognised) return 'gone';
      return intake.enter(recognised.integrationId, bytes) ?? 'busy';
    },
    async read(raw, token) {
      const { organizationId = '', integrationId = '' } = (await recognise(token)) ?? {};
      return readMail(raw, { organizationId, caller: integrationId });
    },
    async receive({ token, raw, mail: read, ours }, place) {
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
