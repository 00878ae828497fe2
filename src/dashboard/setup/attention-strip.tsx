import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../shell/lazy-part.ts';
import { addMailServer, sameTeam } from '../shell/pages.ts';
import { channelName } from '../ui/channel.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Moment } from '../ui/moment.tsx';
import type { Attention, Fact, Integration } from './attention.ts';
import { words } from './words.ts';

const { attention } = words;

/** Few need it, and the list does not wait for it. */
const ChangeType = lazyPart(() => import('./change-type.tsx'), 'ChangeType');

const line = 'flex items-start gap-2.5 px-3 py-2 md:items-center';

/** Facts above the list that somebody should know or can mend; nothing where there are none. */
export function AttentionStrip({ attention: { data, gaps_unknown } }: { attention: Attention }) {
  if (data.length === 0 && !gaps_unknown) return null;
  return (
    <ul
      aria-label={attention.label}
      className="mx-3 mb-2 divide-y divide-line rounded-lg border border-line bg-surface md:mx-4"
    >
      {data.map((fact) => (
        <li key={keyOf(fact)} className={line}>
          <FactShown fact={fact} />
        </li>
      ))}
      {gaps_unknown && (
        <li className={line}>
          <LineText
            icon="triangle-alert"
            fix={
              <Link to="/on-calls" {...fixes}>
                {attention.fix.schedules}
              </Link>
            }
          >
            {attention.gapsUnknown}
          </LineText>
        </li>
      )}
    </ul>
  );
}

/** Its type, and the id of what it is about; of clocks, which have none, their text. */
const keyOf = (fact: Fact) => {
  const { type, ...about } = fact;
  const name = 'channel' in about ? about.channel : type === 'clock' && fact.reason;
  return [type, name, ...Object.values(about).map(idOf)].join(' ');
};

const idOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : '';

function FactShown({ fact }: { fact: Fact }) {
  switch (fact.type) {
    case 'nobody_reached':
      return (
        <LineText
          fix={
            <Link to="/incidents/$number" params={{ number: `${fact.incident}` }} {...fixes}>
              {attention.fix.incident}
            </Link>
          }
        >
          {attention.notReached(fact.incidents, fact.incident)}
        </LineText>
      );
    case 'you_unreachable':
      return (
        <LineText
          fix={
            <Link to="/me" {...fixes}>
              {attention.fix.me}
            </Link>
          }
        >
          {attention.unreachable} <Reason text={fact.reason} />
        </LineText>
      );
    case 'your_shift':
      return (
        <LineText icon="radio">
          {attention.shift(fact.schedule.name)} {attention.until} <Moment at={fact.end} />
        </LineText>
      );
    case 'mail':
    case 'clock':
      return (
        <LineText
          fix={
            fact.type === 'mail' && (
              <Link to="/settings/channels" hash={addMailServer} {...fixes}>
                {attention.fix.mail}
              </Link>
            )
          }
        >
          {'since' in fact && fact.since && <Moment at={fact.since} />} {fact.reason}
        </LineText>
      );
    case 'quota':
      return (
        <LineText
          isBad={fact.used >= fact.limit}
          fix={
            <Link to="/settings/quota" {...fixes}>
              {attention.fix.quota}
            </Link>
          }
        >
          {attention.quota(fact.used, fact.limit)}
        </LineText>
      );
    case 'person_unreachable':
      return (
        <LineText
          fix={
            <Link to="/users/$id" params={{ id: fact.user.id }} {...fixes}>
              {attention.fix.person}
            </Link>
          }
        >
          {attention.person(fact.user.name, fact.schedule.name)} <Reason text={fact.reason} />
        </LineText>
      );
    case 'gap':
      return (
        <LineText
          fix={
            <Link to="/on-calls/$id" params={{ id: fact.schedule.id }} {...fixes}>
              {attention.fix.schedule}
            </Link>
          }
        >
          {attention.gap(fact.schedule.name)} <Moment at={fact.start} />
          {fact.end === null ? (
            attention.noEnd
          ) : (
            <>
              {' '}
              {attention.until} <Moment at={fact.end} />
            </>
          )}
          {fact.more > 0 && `, ${attention.moreGaps(fact.more)}`}
        </LineText>
      );
    case 'channel_failing':
      return (
        <LineText
          fix={
            <Link to="/settings/channels" {...fixes}>
              {attention.fix.channels}
            </Link>
          }
        >
          {attention.failing(channelName(fact.channel))} <Moment at={fact.since} />:{' '}
          <Reason text={fact.reason} />
        </LineText>
      );
    case 'connection_failing':
      return (
        <LineText
          fix={
            <Link to="/settings/channels/$id" params={{ id: fact.connection.id }} {...fixes}>
              {attention.fix.connection}
            </Link>
          }
        >
          {attention.failing(fact.connection.name)} <Moment at={fact.since} />.{' '}
          <Reason text={fact.reason} />
        </LineText>
      );
    case 'webhook_failing':
      return (
        <LineText
          fix={
            <Link
              to="/outbound-webhooks/$id"
              params={{ id: fact.webhook.id }}
              search={(before) => ({ ...sameTeam(before), tab: 'deliveries' })}
              className={fixLink}
            >
              {attention.fix.webhook}
            </Link>
          }
        >
          {attention.webhook(fact.webhook.name)} <Moment at={fact.since} />.
        </LineText>
      );
    case 'integration_dropping':
      return (
        <LineText fix={<IntegrationLink of={fact.integration} />}>
          {attention.dropping(fact.integration.name, fact.reason)}
        </LineText>
      );
    case 'integration_misread':
      return (
        <LineText
          icon="triangle-alert"
          fix={
            <Suspense>
              <ChangeType fact={fact} />
            </Suspense>
          }
        >
          {attention.misread(fact.integration.name, fact.likely_type.name)}
        </LineText>
      );
    case 'integration_omitted_alerts':
    case 'integration_two_senders':
    case 'integration_unmatched_end':
    case 'integration_sender_clock':
      return (
        <LineText icon="triangle-alert" fix={<IntegrationLink of={fact.integration} />}>
          {fact.integration.name}: {fact.reason}
        </LineText>
      );
    case 'integration_cut':
    case 'integration_silent':
      return (
        <LineText icon="triangle-alert" fix={<IntegrationLink of={fact.integration} />}>
          {attention[fact.type](fact.integration.name)} <Moment at={fact.since} />.
        </LineText>
      );
  }
}

const fixLink = 'shrink-0 font-medium text-iris underline-offset-2 hover:underline';
const fixes = { search: sameTeam, className: fixLink } as const;

/** Its log says what came, and why that came to nothing. */
const IntegrationLink = ({ of: { id } }: { of: Integration }) => (
  <Link
    to="/integrations/$id"
    params={{ id }}
    search={(before) => ({ ...sameTeam(before), tab: 'events' as const })}
    className={fixLink}
  >
    {attention.fix.integration}
  </Link>
);

const Reason = ({ text }: { text: string }) => <span className="text-ink2">{text}</span>;

type LineTextProps = {
  icon?: IconName;
  isBad?: boolean;
  fix?: ReactNode;
  children: ReactNode;
};

const LineText = ({
  icon = 'bell-off',
  isBad = icon === 'bell-off',
  fix,
  children,
}: LineTextProps) => (
  <>
    <Icon
      name={icon}
      className={`mt-0.5 size-4 shrink-0 md:mt-0 ${isBad ? 'text-red' : 'text-ink2'}`}
    />
    <p className="min-w-0 flex-1 text-pretty wrap-break-word">{children}</p>
    {fix}
  </>
);
