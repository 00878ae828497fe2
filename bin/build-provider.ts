// Behind `npm run build:provider`: the provider as one file that Terraform can start, alone in its
// folder (or in one that is named).
import { chmod, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import project from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'dist', 'terraform'));
// Terraform takes what follows its underscore for a version. As .cjs it is CommonJS wherever it
// lies, also in the tree of an ECMAScript package.
const file = join(folder, `terraform-provider-pager_v${project.version}.cjs`);

const nodeAtLeast = 20;
// Terraform shows the first line of standard output if the provider cannot start.
const check = `if (parseInt(process.versions.node, 10) < ${nodeAtLeast}) {
  console.log('The provider pager needs Node ${nodeAtLeast} or later; this is ' + process.version);
  process.exit(1);
}`;

await rm(folder, { recursive: true, force: true });
await build({
  entryPoints: [join(root, 'bin', 'terraform-provider-pager.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // Older than what it needs, so that an old Node can read the file as far as the check.
  target: 'node12',
  banner: { js: check },
  charset: 'utf8',
  legalComments: 'inline',
  logLevel: 'warning',
});
await chmod(file, 0o755);
console.log(relative(process.cwd(), file));
