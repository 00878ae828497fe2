import { useEffect, useMemo, useRef } from 'react';
import { type IncidentAction, incidentActions } from './keys.ts';
import { useKeys } from './use-keys.ts';

/** The keys of all actions, for whatever they are about now. */
export function useActionKeys(act: (action: IncidentAction) => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useKeys(
    useMemo(
      () =>
        Object.fromEntries(incidentActions.map((action) => [action, () => latest.current(action)])),
      [],
    ),
  );
}
