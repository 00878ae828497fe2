const KEY = 'pager.keys';

/** Whether keys without Ctrl or Cmd act: who speaks to their computer may not want it. */
export const areKeysOn = (): boolean => localStorage.getItem(KEY) !== 'off';

export function setKeysOn(areOn: boolean): void {
  if (areOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}
