import { useState } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { box, Card } from './card.tsx';
import { hostOf, pairsOf, rawText } from './details.ts';
import type { Incident } from './incident.ts';
import { words } from './words.ts';

/** What the tool has sent: hostile until shown otherwise, so text and nothing else. */
export function AlertDetails({ incident: { details, links } }: { incident: Incident }) {
  const [isRaw, setRaw] = useState(false);
  const pairs = pairsOf(details);
  return (
    <>
      {details !== undefined && (
        <Card
          title={words.alert}
          aside={
            pairs !== null && (
              <button
                type="button"
                aria-pressed={isRaw}
                onClick={() => setRaw(!isRaw)}
                className="min-h-6 rounded-sm px-1 text-sm text-ink2 underline pointer-coarse:min-h-11"
              >
                {isRaw ? words.table : words.raw}
              </button>
            )
          }
        >
          {pairs === null || isRaw ? (
            <pre className={`${box} font-mono text-sm whitespace-pre-wrap wrap-anywhere`}>
              {rawText(details)}
            </pre>
          ) : (
            <table className={`${box} alert-details`}>
              <tbody>
                {pairs.map(({ name, value }) => (
                  <tr key={`${name} ${value}`}>
                    <th scope="row">
                      <bdi>{name}</bdi>
                    </th>
                    <td>
                      <Value text={value} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Card>
      )}
      {links.length > 0 && <Links links={links} />}
    </>
  );
}

/** A value that is an address leads there, and is seen whole. */
function Value({ text }: { text: string }) {
  const shown = <bdi>{text}</bdi>;
  if (hostOf(text) === null) return shown;
  return (
    <a href={text} target="_blank" rel="noopener noreferrer" className="text-iris underline">
      {shown}
    </a>
  );
}

const Links = ({ links }: Pick<Incident, 'links'>) => (
  <Card title={words.links}>
    <ul className="flex flex-wrap gap-2">
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
  </Card>
);
