import { Icon } from './icon.tsx';
import { words } from './words.ts';

/** Beside a form that stays open: the server has confirmed what it shows. */
export const Saved = ({ isSaved }: { isSaved: boolean }) => (
  <p role="status" className="flex items-center gap-1.5 text-green empty:hidden">
    {isSaved && (
      <>
        <Icon name="check" />
        {words.saved}
      </>
    )}
  </p>
);
