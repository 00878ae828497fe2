import { isNumberChannel, rings } from '../../resources/channels.ts';
import { Section } from '../ui/section.tsx';
import { type Connection, usageLines } from './connection.ts';
import { words } from './words.ts';

/** What was sent by the connection: what its vendor is likely to bill. */
export function UsageSection({ connection }: { connection: Connection }) {
  const { channels } = connection;
  const hasSms = channels.some((channel) => isNumberChannel(channel) && !rings(channel));
  const hasCalls = channels.some(rings);
  return (
    <Section title={words.usage} text={words.usageText}>
      <table className="w-full max-w-md text-start tabular-nums">
        <thead>
          <tr className="border-b border-line text-sm text-ink3">
            <th scope="col" className="py-1 text-start font-normal">
              {words.month}
            </th>
            <th scope="col" className="py-1 text-end font-normal">
              {words.messages}
            </th>
            {hasSms && (
              <th scope="col" className="py-1 text-end font-normal">
                {words.segments}
              </th>
            )}
            {hasCalls && (
              <th scope="col" className="py-1 text-end font-normal">
                {words.minutes}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {usageLines(connection).map(({ key, name, isCountry, ...sums }) => (
            <tr key={key}>
              <th
                scope="row"
                className={`py-1 text-start font-normal ${isCountry ? 'ps-4 text-ink2' : ''}`}
              >
                {name}
              </th>
              <td className="py-1 text-end">{sums.messages}</td>
              {hasSms && <td className="py-1 text-end">{sums.segments}</td>}
              {hasCalls && <td className="py-1 text-end">{sums.minutes}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
