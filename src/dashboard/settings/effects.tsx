import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../ui/loaded.tsx';
import { Warnings } from '../ui/warnings.tsx';
import { effectsQuery } from './queries.ts';
import { words } from './words.ts';

/** Whom pages reach no more once it is saved or archived so. */
export function Effects({ record }: { record: Readonly<Record<string, unknown>> }) {
  const query = useQuery(effectsQuery(record));
  return (
    <Loaded query={query}>
      {(messages) =>
        messages.length === 0 ? <p>{words.noEffects}</p> : <Warnings warnings={messages} />
      }
    </Loaded>
  );
}
