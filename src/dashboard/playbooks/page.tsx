import { RecordsPage } from '../records/list-page.tsx';
import { playbooks } from './kind.ts';
import { words } from './words.ts';

const isFilled = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0;

export const PlaybooksPage = () => (
  <RecordsPage
    kind={playbooks}
    note={({ actions, run_automatically }) =>
      [
        words.actions(isFilled(actions) ? actions.length : 0),
        isFilled(run_automatically) ? words.automatic : words.manual,
      ].join(' · ')
    }
    aside={({ enabled }) =>
      enabled === false && <span className="shrink-0 text-ink3">{words.disabled}</span>
    }
  />
);
