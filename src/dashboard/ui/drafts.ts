// Forms in which something was typed since they are open: nobody loses it to a reload of ours.
const typed = new Set<Element>();

document.addEventListener('input', ({ target }) => {
  const form = target instanceof Element ? target.closest('form') : null;
  if (form !== null) typed.add(form);
});

export function hasDraft(): boolean {
  for (const form of typed) if (!form.isConnected) typed.delete(form);
  return typed.size > 0;
}

/** The server has confirmed a save of it. */
export function forgetDraft(form: Element): void {
  typed.delete(form);
}
