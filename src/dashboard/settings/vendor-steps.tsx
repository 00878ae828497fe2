import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { ManifestField } from './manifest-section.tsx';
import { slackWords, twilioWords, words } from './words.ts';

/** Where what a connection needs comes from, at vendors that are not known from their fields alone. */
export function VendorSteps({ vendor }: { vendor: string }) {
  switch (vendor) {
    case 'telegram':
      return (
        <Steps
          label={words.steps}
          link={{ href: 'https://t.me/BotFather', text: words.openBotFather }}
          steps={[words.sendNewBot, words.copyToken]}
          note={words.alone}
        />
      );
    case 'twilio':
      return (
        <Steps
          label={twilioWords.steps}
          link={{ href: 'https://console.twilio.com', text: twilioWords.openConsole }}
          steps={[twilioWords.account, twilioWords.number, twilioWords.geo]}
          note={twilioWords.prefixes}
        />
      );
    case 'slack':
      return (
        <Steps
          label={slackWords.steps}
          link={{ href: 'https://api.slack.com/apps', text: slackWords.openApps }}
          steps={[slackWords.make, slackWords.install, slackWords.generate]}
          note={slackWords.public}
        >
          <ManifestField />
        </Steps>
      );
    default:
      return null;
  }
}

type StepsProps = {
  label: string;
  link: { readonly href: string; readonly text: string };
  steps: readonly string[];
  note: ReactNode;
  /** What is to be copied from here. */
  children?: ReactNode;
};

const Steps = ({ label, link, steps, note, children }: StepsProps) => (
  <section aria-label={label} className="rounded-md bg-sunken px-3 py-2 text-sm">
    <ol className="flex list-decimal flex-col gap-1 ps-5">
      <li>
        <a
          href={link.href}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-baseline gap-1 underline"
        >
          {link.text}
          <Icon name="external-link" className="size-3.5" />
        </a>
      </li>
      {steps.map((step) => (
        <li key={step} className="text-pretty">
          {step}
        </li>
      ))}
    </ol>
    <p className="mt-2 font-medium text-pretty">{note}</p>
    {children && <div className="mt-2">{children}</div>}
  </section>
);
