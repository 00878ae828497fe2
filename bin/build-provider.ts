// Behind `npm run build:provider`: the provider as one file that Terraform can start, in its folder
// or in one that is named; with the name of a second file, its licences once more in that.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import project from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const [named = join(root, 'dist', 'terraform'), licencesFile] = process.argv.slice(2);
const folder = resolve(named);
// Terraform takes what follows its underscore for a version. As .cjs it is CommonJS wherever it
// lies, also in the tree of an ECMAScript package.
const file = join(folder, `terraform-provider-pager_v${project.version}.cjs`);

const nodeAtLeast = 20;
const needed = `The provider pager needs Node ${nodeAtLeast} or later on the machine that runs Terraform`;
const help =
  'Install it from https://nodejs.org, and make sure that the PATH of Terraform finds it.';
// Terraform shows the first line of standard output if the provider cannot start.
const check = `if (parseInt(process.versions.node, 10) < ${nodeAtLeast}) {
  console.log('${needed}; this is ' + process.version + ' (' + process.execPath + '). ${help}');
  process.exit(1);
}`;
// A shell says that there is no Node. To Node its line is a text, and a comment.
const start = `#!/bin/sh
':' //; command -v node >/dev/null || { echo "${needed}; there is no node. ${help}"; exit 1; }; exec node "$0" "$@"
`;

const options = {
  platform: 'node',
  format: 'cjs',
  charset: 'utf8',
  legalComments: 'inline',
} as const;
// In two steps: written for an old Node, classes look as if they had to be kept for their effects.
const bundle = await build({
  ...options,
  entryPoints: [join(root, 'bin', 'terraform-provider-pager.ts')],
  bundle: true,
  write: false,
  metafile: true,
  target: `node${nodeAtLeast}`,
  logLevel: 'warning',
});
const licences = await licencesOf(Object.keys(bundle.metafile.inputs));
const { code } = await transform(bundle.outputFiles[0]?.text ?? '', {
  ...options,
  // Older than what it needs, so that an old Node can read the file as far as the check.
  target: 'node12',
  banner: check,
  footer: `/*\n${licences}*/`,
});
await mkdir(folder, { recursive: true });
// Terraform might start one of another version.
const earlier = /^terraform-provider-pager_v.*\.cjs$/;
for (const name of await readdir(folder)) if (earlier.test(name)) await rm(join(folder, name));
await writeFile(file, code.replace(/^#!.*\n/, start), { mode: 0o755 });
if (licencesFile !== undefined) {
  const own = await readFile(join(root, 'LICENSE'), 'utf8');
  await writeFile(licencesFile, `${own}\n${licences}`);
}
console.log(relative(process.cwd(), file));

/** Of the packages that these files are of, which ask for it in every copy. */
async function licencesOf(files: readonly string[]): Promise<string> {
  const packages = new Set(
    files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []),
  );
  const texts = [...packages].sort().map(async (name) => {
    const place = join(root, 'node_modules', name);
    const [licence] = (await readdir(place)).filter((each) => /^licen[cs]e/i.test(each));
    if (licence === undefined) throw new Error(`${name} has no licence`);
    return `With ${name}:\n\n${await readFile(join(place, licence), 'utf8')}`;
  });
  return (await Promise.all(texts)).join('\n');
}
