// Pages of the period: by person, with those at night, and by channel. Each number is a list of pages.
import { Link } from '@tanstack/react-router';
import type { PageFilters, State } from '../pages/filters.ts';
import { sameTeam } from '../shell/pages.ts';
import { channelName } from '../ui/channel.ts';
import { Cell, RowHead, Table } from './part.tsx';
import type { ChannelPages, PersonPages } from './queries.ts';
import { words } from './words.ts';

type Of<Row> = { rows: readonly Row[]; filters: PageFilters };

const { people, channels } = words;

export function People({ rows, filters }: Of<PersonPages>) {
  if (rows.length === 0) return <p className="text-ink2">{people.nobody}</p>;
  return (
    <Table label={people.title} heads={[people.person, people.night, people.all]}>
      {rows.map(({ user_id: person, name, night, pages }) => (
        <tr key={person}>
          <RowHead>
            <Link to="/users/$id" params={{ id: person }} search={sameTeam} className="underline">
              <bdi>{name}</bdi>
            </Link>
          </RowHead>
          <Cell>
            <PagesLink count={night} filters={{ ...filters, person, state: 'sent', night: true }} />
          </Cell>
          <Cell>
            <PagesLink count={pages} filters={{ ...filters, person, state: 'sent' }} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

const states = Object.keys(channels.states) as readonly State[];

export function Channels({ rows, filters }: Of<ChannelPages>) {
  if (rows.length === 0) return <p className="text-ink2">{channels.none}</p>;
  return (
    <Table
      label={channels.title}
      heads={[channels.channel, ...states.map((state) => channels.states[state])]}
    >
      {rows.map((row) => (
        <tr key={row.channel}>
          <RowHead>{channelName(row.channel)}</RowHead>
          {states.map((state) => (
            <Cell key={state}>
              <PagesLink count={row[state]} filters={{ ...filters, channel: row.channel, state }} />
            </Cell>
          ))}
        </tr>
      ))}
    </Table>
  );
}

const PagesLink = ({ count, filters }: { count: number; filters: PageFilters }) =>
  count === 0 ? (
    0
  ) : (
    <Link
      to="/pages"
      search={(search) => ({ ...sameTeam(search), ...filters })}
      className="underline"
    >
      {count.toLocaleString()}
    </Link>
  );
