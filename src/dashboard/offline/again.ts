// Of the page in place of one that could not be loaded: loads that as soon as anything answers.
const TRY_EVERY_MS = 5_000;

async function loadAgain(): Promise<void> {
  try {
    await fetch(location.href, { method: 'HEAD', cache: 'no-store', redirect: 'manual' });
  } catch {
    const tried = document.querySelector('[role="status"]');
    if (tried) tried.textContent = `Tried at ${new Date().toLocaleTimeString()}.`;
    return;
  }
  location.reload();
}

addEventListener('online', () => void loadAgain());
document.querySelector('button')?.addEventListener('click', () => void loadAgain());
setInterval(() => void loadAgain(), TRY_EVERY_MS);
