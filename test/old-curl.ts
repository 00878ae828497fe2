// A folder that comes first in PATH: a curl that knows no more options than curl 7.61 (RHEL 8),
// refuses connections at first, and then is the real one; a sleep that takes no time; a logger
// that writes to a file.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of curl 7.61.0, by docs/options-in-versions of curl. */
const plain = `
--anyauth --append -a --basic --cert-status --compressed --compressed-ssh --create-dirs --crlf
--digest --disable -q --disable-eprt --disable-epsv --disallow-username-in-url --fail -f
--fail-early --false-start --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip
--ftp-ssl-ccc --ftp-ssl-control --get -G --globoff -g --haproxy-protocol --head -I --help -h
--http1.0 -0 --http1.1 --http2 --http2-prior-knowledge --ignore-content-length --include -i
--insecure -k --ipv4 -4 --ipv6 -6 --junk-session-cookies -j --list-only -l --location -L
--location-trusted --manual -M --metalink --negotiate --netrc -n --netrc-optional --next -:
--no-alpn --no-buffer -N --no-keepalive --no-npn --no-sessionid --ntlm --ntlm-wb --path-as-is
--post301 --post302 --post303 --progress-bar -# --proxy-anyauth --proxy-basic --proxy-digest
--proxy-insecure --proxy-negotiate --proxy-ntlm --proxy-ssl-allow-beast --proxy-tlsv1
--proxytunnel -p --raw --remote-header-name -J --remote-name -O --remote-name-all --remote-time
-R --retry-connrefused --sasl-ir --show-error -S --silent -s --socks5-basic --socks5-gssapi
--socks5-gssapi-nec --ssl --ssl-allow-beast --ssl-no-revoke --ssl-reqd --sslv2 -2 --sslv3 -3
--styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay --tftp-no-options --tlsv1
-1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace-time --use-ascii -B --verbose -v
--version -V --xattr`;
const withValue = `
--abstract-unix-socket --cacert --capath --cert -E --cert-type --ciphers --config -K
--connect-timeout --connect-to --continue-at -C --cookie -b --cookie-jar -c --crlfile --data -d
--data-ascii --data-binary --data-raw --data-urlencode --delegation --dns-interface
--dns-ipv4-addr --dns-ipv6-addr --dns-servers --dump-header -D --egd-file --engine
--expect100-timeout --form -F --form-string --ftp-account --ftp-alternative-to-user --ftp-method
--ftp-port -P --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms --header -H --hostpubmd5 --interface
--keepalive-time --key --key-type --krb --libcurl --limit-rate --local-port --login-options
--mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs --max-time -m --netrc-file
--noproxy --oauth2-bearer --output -o --pass --pinnedpubkey --preproxy --proto --proto-default
--proto-redir --proxy -x --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type
--proxy-ciphers --proxy-crlfile --proxy-header --proxy-key --proxy-key-type --proxy-pass
--proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype
--proxy-tlspassword --proxy-tlsuser --proxy-user -U --proxy1.0 --pubkey --quote -Q --random-file
--range -r --referer -e --request -X --request-target --resolve --retry --retry-delay
--retry-max-time --service-name --socks4 --socks4a --socks5 --socks5-gssapi-service
--socks5-hostname --speed-limit -Y --speed-time -y --stderr --telnet-option -t --tftp-blksize
--time-cond -z --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace
--trace-ascii --unix-socket --upload-file -T --url --user -u --user-agent -A --write-out -w`;

const patternOf = (options: string) => {
  const each = options.trim().split(/\s+/);
  return each.map((option) => `'${option}'`).join(' | ');
};

const refusal = `unknown() {
  echo "curl: option $1: is unknown" >&2
  exit 2
}
is_value=
for word; do
  if [ -n "$is_value" ]; then is_value=; continue; fi
  case $word in
    --*)
      case $word in
        ${patternOf(withValue)}) is_value=yes ;;
        ${patternOf(plain)}) ;;
        *) unknown "$word" ;;
      esac ;;
    -?*)
      letters=\${word#-}
      while [ -n "$letters" ]; do
        letter=-\${letters%"\${letters#?}"}
        letters=\${letters#?}
        case $letter in
          ${patternOf(withValue)}) [ -n "$letters" ] || is_value=yes; break ;;
          ${patternOf(plain)}) ;;
          *) unknown "$letter" ;;
        esac
      done ;;
  esac
done`;

export type OldCurl = {
  /** To put first in PATH. */
  readonly folder: string;
  /** How often it was called. */
  calls(): Promise<number>;
  /** What was written to the system log. */
  log(): Promise<string>;
};

/** `failures`: how many calls find nobody who listens. */
export async function installOldCurl(within: string, failures: number): Promise<OldCurl> {
  const folder = join(within, 'first-in-path');
  await mkdir(folder);
  const real = execFileSync('/bin/sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
  const [calls, log] = [join(folder, 'calls'), join(folder, 'log')];
  const scripts = {
    curl: `#!/bin/sh
${refusal}
printf . >>'${calls}'
if [ "$(wc -c <'${calls}')" -le ${failures} ]; then
  echo 'curl: (7) Failed to connect to the server: Connection refused' >&2
  printf 000
  exit 7
fi
exec '${real}' "$@"
`,
    sleep: '#!/bin/sh\n',
    logger: `#!/bin/sh\necho "$*" >>'${log}'\n`,
  };
  for (const [name, text] of Object.entries(scripts))
    await writeFile(join(folder, name), text, { mode: 0o755 });
  const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');
  return { folder, calls: async () => (await textOf(calls)).length, log: () => textOf(log) };
}
