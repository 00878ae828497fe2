import { useEffect, useState } from 'react';

type Saving = {
  /** All that another edit of the form changes. */
  readonly form: string;
  /** Whether it is known what a save does. */
  readonly isKnown: boolean;
};

/** A save that waits until it is known what it does; another edit calls it off. */
export function useSaveOnceKnown({ form, isKnown }: Saving, send: () => Promise<void>) {
  const [wanted, setWanted] = useState<string | null>(null);
  const isChecking = wanted === form && !isKnown;
  const save = async () => {
    setWanted(isKnown ? null : form);
    if (isKnown) await send();
  };
  const isReady = wanted === form && isKnown;
  useEffect(() => {
    if (isReady) void save();
  }, [isReady]);
  return { isChecking, save: () => void save() };
}
