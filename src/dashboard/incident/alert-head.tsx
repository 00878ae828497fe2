import { Fragment } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { cardOf, hostOf, type Sent } from './details.ts';
import { words } from './words.ts';

/** What is wrong, in the words of the tool. */
export function AlertDescription({ incident }: { incident: Sent }) {
  const description = cardOf(incident)?.description;
  if (!description) return null;
  return (
    <p className="max-w-prose text-pretty whitespace-pre-wrap wrap-anywhere md:text-base">
      <Breakable text={description.value} />
    </p>
  );
}

export function AlertLinks({ links }: Pick<Sent, 'links'>) {
  if (links.length === 0) return null;
  return (
    <ul aria-label={words.links} className="flex flex-wrap gap-2">
      {links.map(({ href, text }) => {
        const host = hostOf(href);
        return (
          <li key={href} className="min-w-0">
            {host === null ? (
              <span className="wrap-anywhere text-ink2">
                <bdi>{text ?? href}</bdi> ({words.notALink})
              </span>
            ) : (
              <a
                href={href}
                target="_blank"
                rel="noopener noreferrer"
                className={`${buttonClass()} max-w-full py-1`}
              >
                <Icon name="external-link" />
                <span className="min-w-0 wrap-anywhere">
                  <bdi>{text ?? host}</bdi>{' '}
                  {text !== undefined && (
                    <span className="ms-1 text-sm font-normal text-ink3">{host}</span>
                  )}
                </span>
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A long name goes on below where it has a joint. */
export const Breakable = ({ text }: { text: string }) => (
  <bdi>
    {text.split(/(?<=[./_-])/).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </bdi>
);
