export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** As theme-before-paint.ts reads it. */
const KEY = 'pager.theme';

export function themeNow(): Theme {
  const stored = localStorage.getItem(KEY);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function setTheme(theme: Theme): void {
  const { classList } = document.documentElement;
  classList.remove(...themes);
  if (theme === 'system') localStorage.removeItem(KEY);
  else {
    localStorage.setItem(KEY, theme);
    classList.add(theme);
  }
}
