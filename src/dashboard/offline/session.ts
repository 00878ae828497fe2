// What the service worker does in the session of whoever is signed in in this browser.

export type Session = {
  /** Of their contacts. */
  readonly path: string;
  send(path: string, body: object): Promise<Response>;
};

/** Else what the server answered. It throws where there is no answer. */
export async function sessionHere(): Promise<Session | Response> {
  const headers = { accept: 'application/json' };
  const answer = await fetch('/auth/session', { headers });
  if (!answer.ok) return answer;
  const { user, csrf_token } = await answer.json();
  const sent = { ...headers, 'content-type': 'application/json', 'x-csrf-token': csrf_token };
  return {
    path: `/api/v1/users/${user.id}/contacts`,
    send: (path, body) =>
      fetch(path, { method: 'POST', headers: sent, body: JSON.stringify(body) }),
  };
}
