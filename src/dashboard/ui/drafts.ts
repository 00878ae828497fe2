// Forms in which something was typed since they are open: nobody loses it to a link or a reload.

/** Its last edit; and up to which one it is being sent, if it is. */
type Draft = { readonly last: number; readonly sent: number | null };

const drafts = new Map<HTMLFormElement, Draft>();
let last = 0;

// Before the form itself, which may find that it is as it was again.
document.addEventListener('input', markTyped, { capture: true });

function markTyped(event: Event): void {
  const { target } = event;
  const form = target instanceof Element ? target.closest('form') : null;
  if (form !== null && !isByBrowser(event)) markDraft(form);
}

/** A password that the browser or a manager of passwords has filled in was typed by nobody. */
const isByBrowser = (event: Event): boolean =>
  event.target instanceof HTMLInputElement &&
  event.target.type === 'password' &&
  !(event instanceof InputEvent);

/** Something of it was changed, also without typing. */
export function markDraft(form: HTMLFormElement): void {
  last += 1;
  drafts.set(form, { last, sent: drafts.get(form)?.sent ?? null });
}

export const forgetDraft = (form: HTMLFormElement): boolean => drafts.delete(form);

/** What is typed goes with the page, as its person knows. */
export const forgetDrafts = (): void => drafts.clear();

/** Whether there is one; one that is on its way is. */
export const hasDraft = (): boolean => existing().length > 0;

/** Whether something would be lost with the page: what is on its way goes on without it. */
export const hasUnsentDraft = (): boolean => existing().some(({ last, sent }) => last !== sent);

function existing(): readonly Draft[] {
  for (const form of drafts.keys()) if (!form.isConnected || isEmpty(form)) drafts.delete(form);
  return [...drafts.values()];
}

/** What was typed is gone again. */
const isEmpty = (form: HTMLFormElement): boolean =>
  [...form.elements].every(
    (one) => !(one instanceof HTMLTextAreaElement || isInput(one)) || one.value === '',
  );

const isInput = (one: Element): one is HTMLInputElement | HTMLSelectElement =>
  one instanceof HTMLInputElement || one instanceof HTMLSelectElement;

/** It is sent as it is now. */
export function sendDraft(form: HTMLFormElement): void {
  const draft = drafts.get(form);
  if (draft) drafts.set(form, { last: draft.last, sent: draft.sent ?? draft.last });
}

/** There is an answer. Whether all of it is stored: what was typed meanwhile is not. */
export function settleDraft(form: HTMLFormElement, isStored: boolean): boolean {
  const draft = drafts.get(form);
  if (draft === undefined) return isStored;
  const isWhole = isStored && draft.sent === draft.last;
  if (isWhole) drafts.delete(form);
  else drafts.set(form, { last: draft.last, sent: null });
  return isWhole;
}
