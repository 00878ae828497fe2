// Runs alone, before anything is painted: `system` is no class.
const theme = localStorage.getItem('pager.theme');
if (theme === 'light' || theme === 'dark') document.documentElement.classList.add(theme);
