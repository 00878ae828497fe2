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
  try {
    const { public_key } = await post('/auth/passkey-options', {});
    const publicKey = credentials.parseRequestOptionsFromJSON(public_key);
    const credential = await navigator.credentials.get({ publicKey, mediation, signal });
    await post('/auth/sign-in-passkey', { credential: credential.toJSON() });
    location.assign(offer.dataset.next);
  } catch (error) {
    if (signal.aborted || (mediation === 'conditional' && error.name !== 'Refused')) return;
    show(sentenceOf(error));
    await fillIn();
  }
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const read = await answer.json();
  if (answer.ok) return read;
  throw Object.assign(new Error(read.message), { name: 'Refused' });
}

function sentenceOf({ name, message }) {
  if (name === 'Refused') return message;
  if (name === 'TypeError') return 'Pager cannot be reached. Try again.';
  return 'No passkey was used. Try again, or sign in with your password.';
}

function show(sentence) {
  const shown = document.querySelector('[role="alert"]') ?? document.createElement('p');
  shown.setAttribute('role', 'alert');
  shown.textContent = sentence;
  document.querySelector('h1').after(shown);
}
