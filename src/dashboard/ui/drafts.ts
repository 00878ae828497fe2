// Forms in which something was typed since they are open: nobody loses it to a reload of ours.
const edits = new Map<Element, number>();
let last = 0;

document.addEventListener('input', ({ target }) => {
  const form = target instanceof Element ? target.closest('form') : null;
  if (form !== null) markDraft(form);
});

/** Something of it was changed, also without typing. */
export function markDraft(form: Element): void {
  last += 1;
  edits.set(form, last);
}

export function hasDraft(): boolean {
  for (const form of edits.keys()) if (!form.isConnected) edits.delete(form);
  return edits.size > 0;
}

/** Which edit of it was the last; 0 without any. */
export const lastEdit = (form: Element): number => edits.get(form) ?? 0;

/** The server has confirmed a save of it, as it was after that edit. */
export function forgetDraft(form: Element, edit = lastEdit(form)): void {
  if (lastEdit(form) === edit) edits.delete(form);
}
