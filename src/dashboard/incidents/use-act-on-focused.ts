import { useNavigate } from '@tanstack/react-router';
import type { IncidentAction } from '../shell/keys.ts';

/** On its page, where what it does is shown first: the row that has the focus. */
export function useActOnFocused(): (action: IncidentAction) => void {
  const navigate = useNavigate();
  return (act) => {
    const row = document.activeElement
      ?.closest('li')
      ?.querySelector<HTMLElement>('[data-incident]');
    const number = row?.dataset['incident'];
    if (number === undefined) return;
    void navigate({
      to: '/incidents/$number',
      params: { number },
      search: ({ team }) => ({ ...(team && { team }), act }),
    });
  };
}
