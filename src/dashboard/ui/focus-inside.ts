/** The ref of what replaces a pressed button, with which the focus would be gone. */
export function focusInside(element: HTMLElement | null): void {
  const field = element?.querySelector<HTMLElement>('input:not([readonly])');
  (field ?? element)?.focus();
}
