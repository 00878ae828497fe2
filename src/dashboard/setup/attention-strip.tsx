import type { ReactNode } from 'react';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Moment } from '../ui/moment.tsx';
import type { Fact } from './attention.ts';
import { words } from './words.ts';

const { attention } = words;

/** Facts above the list that somebody should know or can mend; nothing where there are none. */
export function AttentionStrip({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <ul
      aria-label={attention.label}
      className="mx-3 mb-2 divide-y divide-line rounded-lg border border-line bg-surface md:mx-4"
    >
      {facts.map((fact) => (
        <li key={keyOf(fact)} className="flex items-start gap-2.5 px-3 py-2 md:items-center">
          <FactShown fact={fact} />
        </li>
      ))}
    </ul>
  );
}

const keyOf = (fact: Fact) =>
  [
    fact.type,
    'schedule' in fact && fact.schedule.id,
    'user' in fact && fact.user.id,
    'webhook' in fact && fact.webhook.id,
    'integration' in fact && fact.integration.id,
  ].join(' ');

function FactShown({ fact }: { fact: Fact }) {
  switch (fact.type) {
    case 'you_unreachable':
      return (
        <LineText icon="bell-off" isBad fix={['/me', attention.fix.me]}>
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
      return (
        <LineText icon="bell-off" isBad>
          {fact.reason}
        </LineText>
      );
    case 'quota':
      return (
        <LineText icon="bell-off" isBad={fact.used >= fact.limit}>
          {attention.quota(fact.used, fact.limit)} <Reason text={attention.fix.quota} />
        </LineText>
      );
    case 'person_unreachable':
      return (
        <LineText icon="bell-off" isBad fix={[`/users/${fact.user.id}`, attention.fix.person]}>
          {attention.person(fact.user.name, fact.schedule.name)} <Reason text={fact.reason} />
        </LineText>
      );
    case 'gap':
      return (
        <LineText
          icon="bell-off"
          isBad
          fix={[`/on-calls/${fact.schedule.id}`, attention.fix.schedule]}
        >
          {attention.gap(fact.schedule.name)} <Moment at={fact.start} /> {attention.until}{' '}
          <Moment at={fact.end} />
          {fact.more > 0 && `, ${attention.moreGaps(fact.more)}`}
        </LineText>
      );
    case 'webhook_failing':
      return (
        <LineText icon="bell-off" isBad>
          {attention.webhook(fact.webhook.name)} <Moment at={fact.since} />.{' '}
          <Reason text={attention.fix.webhook} />
        </LineText>
      );
    case 'integration_dropping':
      return (
        <LineText icon="bell-off" isBad fix={guideOf(fact)}>
          {attention.dropping(fact.integration.name, fact.reason)}
        </LineText>
      );
    case 'integration_silent':
      return (
        <LineText icon="bell-off" fix={guideOf(fact)}>
          {attention.silent(fact.integration.name)} <Moment at={fact.since} />.
        </LineText>
      );
  }
}

type OfIntegration = Extract<Fact, { integration: unknown }>;

const guideOf = ({ integration: { slug } }: OfIntegration) =>
  [`/docs/integrations/${slug}`, attention.fix.guide] as const;

const Reason = ({ text }: { text: string }) => <span className="text-ink2">{text}</span>;

type LineTextProps = {
  icon: IconName;
  isBad?: boolean;
  fix?: readonly [href: string, text: string] | null;
  children: ReactNode;
};

const LineText = ({ icon, isBad = false, fix = null, children }: LineTextProps) => (
  <>
    <Icon
      name={icon}
      className={`mt-0.5 size-4 shrink-0 md:mt-0 ${isBad ? 'text-red' : 'text-ink2'}`}
    />
    <p className="min-w-0 flex-1 text-pretty wrap-break-word">{children}</p>
    {fix && (
      <a
        href={fix[0]}
        className="shrink-0 font-medium text-iris underline-offset-2 hover:underline"
      >
        {fix[1]}
      </a>
    )}
  </>
);
