// A receiver as somebody else would write it: plain JavaScript, the library of Standard Webhooks,
// and nothing of ours. Answers 204 to what it can verify, else 401; prints what it got.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.argv[2]);
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  let verified = true;
  try {
    webhook.verify(body, request.headers, { jsonParse: false });
  } catch {
    verified = false;
  }
  console.log(JSON.stringify({ verified, id: request.headers['webhook-id'], body }));
  response.writeHead(verified ? 204 : 401).end();
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
