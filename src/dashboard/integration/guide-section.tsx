import { useEffect, useState } from 'react';
import { type GuideAddresses, withAddresses } from '../../resources/guide-addresses.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { CopyText } from './copy-text.tsx';
import {
  addressesFor,
  type Integration,
  type IntegrationType,
  withoutToken,
} from './integration.ts';
import { words } from './words.ts';

const SHOWN_MS = 60_000;

type GuideSectionProps = {
  integration: Integration;
  type: IntegrationType;
  /** Whether whoever reads sees the addresses. */
  mayManage: boolean;
};

/** The steps of the type with this integration's addresses, without the token until it is shown. */
export function GuideSection({ integration, type, mayManage }: GuideSectionProps) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => setShown(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isShown]);
  const { name, description, guide, guide_url } = type;
  const addresses = addressesFor(integration, mayManage);
  const visible = (text: string) =>
    isShown || !mayManage ? text : withoutToken(text, integration.token);
  const seen = { url: visible(addresses.url), email: visible(addresses.email) };
  const copying = { canCopy: mayManage, visible, show: () => setShown(true) };
  return (
    <Section
      title={words.connect(name)}
      text={description}
      action={
        mayManage && (
          <Button icon="key-round" onClick={() => setShown(!isShown)}>
            {isShown ? words.hide : words.show}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {!mayManage && <p className="text-ink2">{words.addressesHidden}</p>}
        <CopyText {...copying} label={words.url} text={addresses.url} />
        <ol className="flex list-decimal flex-col gap-2 ps-5">
          {guide.steps.map((step) => (
            <li key={step} className="text-pretty wrap-anywhere">
              <StepText text={step} addresses={seen} />
            </li>
          ))}
        </ol>
        {guide.snippets.map(({ file, text }) => (
          <CopyText key={file} {...copying} label={file} text={withAddresses(text, addresses)} />
        ))}
        {guide.notes !== undefined && guide.notes.length > 0 && (
          <>
            <h3 className="font-medium">{words.notes}</h3>
            <ul className="flex list-disc flex-col gap-2 ps-5 text-ink2">
              {guide.notes.map((note) => (
                <li key={note} className="text-pretty wrap-anywhere">
                  <StepText text={note} addresses={seen} />
                </li>
              ))}
            </ul>
          </>
        )}
        {type.slug !== 'email' && (
          <CopyText {...copying} label={words.email} text={addresses.email} />
        )}
        <a
          href={`${guide_url}?integration=${integration.id}`}
          className="inline-flex items-baseline gap-1 self-start text-iris underline"
        >
          {words.guidePage}
          <Icon name="external-link" className="size-3.5" />
        </a>
      </div>
    </Section>
  );
}

/** An address in a sentence looks like one. */
const StepText = ({ text, addresses }: { text: string; addresses: GuideAddresses }) =>
  text.split(/(\{(?:url|email|origin|origin_scheme|origin_host|token)\})/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The parts of a text never change their order.
      <code key={index} className="rounded-sm bg-sunken px-1 text-sm">
        {withAddresses(part, addresses)}
      </code>
    ),
  );
