/**
 * A package registry on loopback that serves the installed packages, so that `npm install` needs no
 * network.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALLED = 'node_modules/';
const PACKED_BYTES_MAX = 64 * 1024 * 1024;

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly os?: readonly string[] | undefined;
  readonly cpu?: readonly string[] | undefined;
}

export interface PackageRegistry {
  readonly url: string;
  stop(): Promise<void>;
}

/** What users install, by name and folder, without packages for development. */
function installedFolders(repository: string): ReadonlyMap<string, ReadonlyMap<string, Locked>> {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as Lock;
  const folders = new Map<string, Map<string, Locked>>();
  for (const [path, locked] of Object.entries(lock.packages)) {
    if (path === '' || locked.dev === true) continue;
    const name = path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length);
    folders.set(name, (folders.get(name) ?? new Map<string, Locked>()).set(path, locked));
  }
  return folders;
}

/**
 * The manifest in a folder. A package for another platform is not installed: npm writes its version
 * and platform into a lock file, and does not download it.
 */
function manifestOf(folder: string, name: string, { version, os, cpu }: Locked): Manifest {
  const path = join(folder, 'package.json');
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest)
    : { name, version, os, cpu };
}

/** A package as a registry ships it: its own files under `package/`, without nested packages. */
async function packed(folder: string): Promise<Buffer> {
  const flags = [
    '-cz',
    '--exclude=./node_modules',
    '--transform=s,^\\.,package,',
    '-C',
    folder,
    '.',
  ];
  return (await run('tar', flags, { encoding: 'buffer', maxBuffer: PACKED_BYTES_MAX })).stdout;
}

export async function startPackageRegistry(repository: string): Promise<PackageRegistry> {
  const folders = installedFolders(repository);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = new URL(request.url!, 'http://registry');
    const folder = asked.searchParams.get('folder');
    if (folder !== null) {
      response.end(await packed(join(repository, folder)));
      return;
    }

    const name = decodeURIComponent(asked.pathname.slice(1));
    const versions = [...(folders.get(name) ?? [])].map(([path, locked]) => {
      const tarball = `http://${request.headers.host}/tarball?folder=${encodeURIComponent(path)}`;
      return { ...manifestOf(join(repository, path), name, locked), dist: { tarball } };
    });
    if (versions.length === 0) {
      response.writeHead(404).end('{}');
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: versions[0]!.name,
        'dist-tags': { latest: versions[0]!.version },
        versions: Object.fromEntries(versions.map((version) => [version.version, version])),
      }),
    );
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
