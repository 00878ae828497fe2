// Mails of the largest size that is taken, which cost their readers the most that is known.
const bytes = 1024 * 1024 - 1_024;
const fill = (piece: string) => piece.repeat(Math.floor(bytes / piece.length));
const from = 'From: tool@monitor.test\r\n';

export const hostileSubject = 'Disk full';

const mailOf = (headers: string, body: string, subject = hostileSubject) =>
  `${from}Subject: ${subject}\r\n${headers}\r\n${body}`;

/** By what is wrong with them. */
export const hostileMails = {
  'empty lines': mailOf('', fill('\r\n')),
  'mails in mails': mailOf(
    'Content-Type: message/rfc822\r\n',
    'Content-Type: message/rfc822\r\n\r\n'.repeat(20) + fill('x\r\n'),
  ),
  'format=flowed': mailOf(
    'Content-Type: text/plain; format=flowed; delsp=yes\r\n',
    fill('word \r\n'),
  ),
  'labels of Alertmanager': mailOf(
    '',
    fill(`1 alert for ${'='.repeat(800)}\r\n`),
    '[FIRING:1] Disk full',
  ),
  'empty parts': mailOf('Content-Type: multipart/mixed; boundary=b\r\n', fill('--b\r\n\r\nx\r\n')),
};
