/** Packs the built program and installs it in projects as users do, without a network. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts';
import { temporaryFolder } from './server.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** Packs the present build; a new build would replace files that other tests use. */
export async function packInto(folder: string): Promise<string> {
  const flags = ['--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', ['pack', ...flags], { cwd: REPOSITORY });
  const [packed] = JSON.parse(stdout) as readonly [{ readonly filename: string }];
  return join(folder, packed.filename);
}

/** Makes npm install from a registry on loopback, with a cache of its own. */
export const npmEnvironment = ({ url }: PackageRegistry, cache: string): NodeJS.ProcessEnv => ({
  ...process.env,
  npm_config_registry: url,
  npm_config_cache: cache,
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
});

/** A project in which npm has installed the package, with its dependencies from a registry. */
export async function projectWithPackage(packed: string): Promise<string> {
  const project = temporaryFolder();
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  const registry = await startPackageRegistry(REPOSITORY);
  try {
    const env = npmEnvironment(registry, join(project, '.cache'));
    await run('npm', ['install', packed], { cwd: project, env });
  } finally {
    await registry.stop();
  }
  return project;
}
