// Comes with the menus and dialogs, in their chunk.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { PagerError, pager } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { Icon } from '../ui/icon.tsx';
import { actionsFor, pagesFor } from './allowed-pages.ts';
import { type Jump, jumpsOf, type Searched } from './jumps.ts';
import { recordPages, sameTeam } from './pages.ts';
import { popupWords } from './popup-words.ts';
import { words } from './words.ts';

export type PaletteProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Leads anywhere by typing a part of its name. */
export const Palette = ({ isOpen, onOpenChange }: PaletteProps) => (
  <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/50" />
      <Dialog.Popup
        aria-label={words.palette}
        className="fixed inset-x-2 top-2 z-50 flex max-h-[min(28rem,60dvh)] flex-col rounded-xl border border-line bg-surface shadow-popup outline-none md:inset-x-auto md:start-1/2 md:top-24 md:w-lg md:-translate-x-1/2 rtl:md:translate-x-1/2"
      >
        <Jumps close={() => onOpenChange(false)} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);

function Jumps({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['search', wanted],
    queryFn: ({ signal }) => search(wanted, signal),
    enabled: wanted !== '',
    staleTime: 30_000,
  });
  const { data: session } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const jumps = jumpsOf(
    text,
    [...pagesFor(session?.user), ...actionsFor(session?.user)],
    isPlaceholderData ? undefined : data,
    recordPages,
  );
  const isSearching = text.trim() !== '' && (isFetching || wanted !== text.trim());
  return (
    <Autocomplete.Root
      open
      inline
      items={jumps}
      filter={null}
      value={text}
      onValueChange={setText}
      itemToStringValue={(jump: Jump) => jump.text}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Icon
          name={isSearching ? 'refresh-cw' : 'search'}
          className={`size-4 text-ink3 ${isSearching ? 'motion-safe:animate-spin' : ''}`}
        />
        <span role="status" className="sr-only">
          {isSearching && popupWords.searching}
        </span>
        <Autocomplete.Input
          aria-label={words.palette}
          placeholder={words.palette}
          maxLength={200}
          className="h-11 min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-ink3"
        />
        <Dialog.Close className="rounded-sm border border-edge px-1.5 text-sm text-ink2 pointer-coarse:min-h-11 pointer-coarse:border-0">
          {popupWords.closeKey}
        </Dialog.Close>
      </div>
      <Autocomplete.Empty className="px-4 py-3 text-ink3 empty:hidden">
        {isSearching ? popupWords.searching : error ? popupWords.searchFailed : popupWords.noMatch}
      </Autocomplete.Empty>
      <Autocomplete.List className="overflow-y-auto overscroll-contain p-1 empty:hidden">
        {(jump: Jump) => (
          <Autocomplete.Item
            key={jump.path}
            value={jump}
            onClick={() => {
              close();
              void navigate({ to: jump.path, search: sameTeam });
            }}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 outline-none select-none data-highlighted:bg-sunken pointer-coarse:min-h-11 pointer-coarse:text-lg"
          >
            <Icon name={jump.icon} className="size-4 text-ink3" />
            <bdi className="min-w-0 truncate">{jump.text}</bdi>
            {jump.hint && <span className="ms-auto shrink-0 text-sm text-ink3">{jump.hint}</span>}
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
      {wanted !== '' && (
        <a
          href={`/docs?q=${encodeURIComponent(wanted)}`}
          className="flex min-h-9 shrink-0 items-center gap-2.5 border-t border-line px-3 text-ink2 hover:bg-sunken pointer-coarse:min-h-11"
        >
          <Icon name="search" className="size-4 shrink-0 text-ink3" />
          <bdi className="min-w-0 truncate">{popupWords.searchDocuments(wanted)}</bdi>
        </a>
      )}
    </Autocomplete.Root>
  );
}

async function search(text: string, signal: AbortSignal): Promise<Searched> {
  // Not for each letter of a word that is typed fast.
  await new Promise((resolve) => setTimeout(resolve, 150));
  signal.throwIfAborted();
  const answer = await pager.client.send({
    method: 'GET',
    path: '/search',
    query: { q: text, archived: 'true' },
  });
  if (!answer.ok) throw new PagerError(answer.failure);
  return answer.body as unknown as Searched;
}
