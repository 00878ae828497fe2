// What comes back of pages by e-mail: replies of people, and bounces of mail servers.
import { Room, type Slot } from '../admission/room.ts';
import { createLimiter } from '../api/http/limiter.ts';
import type { MailListenerOptions, MailOutcome, ReceivedMail } from '../api/mail/listener.ts';
import { mailLimits } from '../limits/mail.ts';
import { answerNotice } from '../notices/kinds/answer.ts';
import { handleBounce } from '../replies/mail-bounce.ts';
import { type MailPurpose, readMailAddress } from '../replies/mail-handles.ts';
import { handleReply, type MailAnswer, type WrittenMail } from '../replies/mail-reply.ts';
import { isAutomatic } from '../replies/mail-text.ts';
import { nameOrEmail } from '../resources/person-name.ts';
import { type MailedPage, mailedPage } from '../storage/incidents/mailed-pages.ts';
import { sealedOrganization } from '../storage/people/organization.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';
import { inboundPartsOf } from './inbound-parts.ts';

type MailReturns = {
  readonly find: (token: string) => Promise<boolean>;
  readonly enter: MailListenerOptions['enter'];
  /** It is handled when this resolves, so that it can be accepted. */
  readonly receive: (mail: ReceivedMail) => Promise<MailOutcome>;
};

type Returned = { readonly purpose: MailPurpose; readonly page: MailedPage };

const AN_HOUR = 3_600;
const unreadable = { refused: 'This e-mail could not be read' } as const;

export function openMailReturns(world: ServerContext, engine: Engine): MailReturns {
  const { clock, config, log, pools, secrets } = world;
  const { workers, email } = engine;
  const parts = inboundPartsOf(world, engine);
  const room = new Room({ slots: mailLimits.replies, bytes: mailLimits.repliesMemory });
  const replies = createLimiter({ clock, tries: mailLimits.repliesAnHour, seconds: AN_HOUR });
  const answers = createLimiter({ clock, tries: mailLimits.answersAnHour, seconds: AN_HOUR });
  const ours = `${config.publicUrl}/act/`;

  async function returnedIn(token: string): Promise<Returned | null> {
    const addressed = readMailAddress(token, secrets.digest);
    if (addressed === null) return null;
    const page = await mailedPage(pools.engine, addressed.handle);
    return page && { purpose: addressed.purpose, page };
  }

  // Whoever got one page can name its address as often as they like, and each look-up takes a connection.
  const organizations = new Map<string, string>();
  async function organizationOf(token: string): Promise<string | null> {
    const known = organizations.get(token);
    if (known !== undefined) return known;
    const returned = await returnedIn(token);
    if (returned === null) return null;
    if (organizations.size >= mailLimits.returnsKnown) organizations.clear();
    const { organization_id } = returned.page.attempt;
    organizations.set(token, organization_id);
    return organization_id;
  }

  async function enter(token: string, bytes: number): Promise<Slot | 'busy' | 'gone'> {
    const organizationId = await organizationOf(token);
    if (organizationId === null) return 'gone';
    return room.enter(organizationId, bytes) ?? 'busy';
  }

  async function takeReply(
    page: MailedPage,
    { sender, raw, mail: { headers } }: ReceivedMail,
  ): Promise<MailOutcome> {
    if (isAutomatic({ sender, headers })) {
      log.info({ incident: page.incidentId }, 'an automatic reply to a page was ignored');
      return 'stored';
    }
    const { organization_id: organizationId } = page.attempt;
    const caller = `${organizationId} ${page.userId}`;
    if (replies.take(caller) > 0) return 'busy';
    const ran = await workers.mail.run({ organizationId, caller }, 'readReply', { raw, ours });
    if ('refused' in ran) return isTransient(ran.refused) ? 'busy' : unreadable;
    if (ran.value === null) return unreadable;
    const result = await handleReply(parts, page, ran.value);
    if ('refused' in result) return result;
    const { answer } = result;
    if (answer !== null && answers.take(caller) === 0)
      void send(page, ran.value, answer).catch(parts.failed);
    return 'stored';
  }

  async function takeBounce(page: MailedPage, { raw }: ReceivedMail): Promise<MailOutcome> {
    // What came of it is recorded only now: then the bounce is sent again.
    if (page.isUnderWay) return 'busy';
    const { organization_id: organizationId } = page.attempt;
    const requester = { organizationId, caller: `${organizationId} bounces` };
    const ran = await workers.mail.run(requester, 'readBounce', raw);
    if ('refused' in ran) return isTransient(ran.refused) ? 'busy' : unreadable;
    // Programs also send absence notices there.
    if (ran.value === null)
      log.info(
        { incident: page.incidentId },
        'an e-mail to a bounce address that is not a delivery report was ignored',
      );
    else await handleBounce(parts, page, ran.value);
    return 'stored';
  }

  async function send(
    { attempt, address }: MailedPage,
    { headers }: WrittenMail,
    { person, incident, text }: MailAnswer,
  ): Promise<void> {
    const { id, name } = await sealedOrganization(pools.engine, attempt.organization_id);
    const notice = answerNotice({
      organization: { id, name },
      recipient: nameOrEmail(person),
      answer: {
        incident: { id: incident.id, number: incident.number },
        text,
        url: `${config.publicUrl}/incidents/${incident.number}`,
        inReplyTo: headers['message-id'] ?? null,
      },
      now: clock.now(),
    });
    const { outcome } = await email.send(notice, address);
    if (outcome !== 'delivered')
      log.warn({ incident: incident.id }, 'the answer to a reply by e-mail could not be sent');
  }

  return {
    find: async (token) => (await organizationOf(token)) !== null,
    enter,
    async receive(received) {
      const returned = await returnedIn(received.token);
      if (returned === null) return 'gone';
      const take = returned.purpose === 'reply' ? takeReply : takeBounce;
      return take(returned.page, received);
    },
  };
}

/** Of a mail that may be read another time. */
const isTransient = (refused: string): boolean =>
  refused === 'busy' || refused === 'caller_busy' || refused === 'gone';
