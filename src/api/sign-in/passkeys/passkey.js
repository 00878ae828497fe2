// Of the sign-in page: where the browser can, a passkey is offered by a button, and among what the
// browser fills in.
const offer = document.getElementById('passkey');
const credentials = globalThis.PublicKeyCredential;
/** A page may be open for long; what the browser is asked is good for five minutes. */
const RENEWED_EVERY = 240_000;
let waiting = new AbortController();
let renewal;

if (location.origin === offer.dataset.origin && credentials?.parseRequestOptionsFromJSON) {
  offer.hidden = false;
  offer.querySelector('button').addEventListener('click', () => signIn('optional'));
  await fillIn();
}

async function fillIn() {
  if (!(await credentials.isConditionalMediationAvailable?.())) return;
  void signIn('conditional');
  renewal = setTimeout(fillIn, RENEWED_EVERY);
}

/** Of a button that is pressed and the browser's own offer, the later one counts. */
async function signIn(mediation) {
  clearTimeout(renewal);
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  let isUsed = false;
  try {
    const { public_key } = await post('/auth/passkey-options', {});
    const publicKey = credentials.parseRequestOptionsFromJSON(public_key);
    const credential = await navigator.credentials.get({ publicKey, mediation, signal });
    isUsed = true;
    await post('/auth/sign-in-passkey', { credential: credential.toJSON() });
    location.assign(offer.dataset.next);
  } catch (error) {
    // What nobody chose fails silently, and is tried again when it would have been renewed.
    if (signal.aborted || (mediation === 'conditional' && !isUsed)) return;
    show(sentenceOf(error));
    await fillIn();
  }
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const sent = fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await sent.catch(() => null);
  const read = await answer?.json().catch(() => null);
  if (answer?.ok && read) return read;
  const message = read?.message ?? 'Pager cannot be reached. Try again.';
  throw Object.assign(new Error(message), { name: 'Refused' });
}

function sentenceOf({ name, message }) {
  if (name === 'Refused') return message;
  return 'No passkey was used. Try again, or sign in with your password.';
}

function show(sentence) {
  const shown = document.querySelector('[role="alert"]') ?? document.createElement('p');
  shown.setAttribute('role', 'alert');
  shown.textContent = sentence;
  document.querySelector('h1').after(shown);
}
