/**
 * A package registry on loopback that serves the installed packages, so that `npm install` needs no
 * network.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALLED = 'node_modules/';
const PACKED_BYTES_MAX = 64 * 1024 * 1024;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

export interface PackageRegistry {
  readonly url: string;
  stop(): Promise<void>;
}

/** Folders of the packages that users install, by name, without those for development. */
function installedFolders(repository: string): ReadonlyMap<string, readonly string[]> {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as Lock;
  const paths = Object.keys(lock.packages).filter(
    (path) => path !== '' && lock.packages[path]!.dev !== true,
  );
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length);
    folders.set(name, [...(folders.get(name) ?? []), path]);
  }
  return folders;
}

/** The manifest of a folder, or undefined for an optional package of another platform. */
function manifestIn(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
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

    const paths = folders.get(decodeURIComponent(asked.pathname.slice(1))) ?? [];
    const versions = paths.flatMap((path) => {
      const manifest = manifestIn(join(repository, path));
      if (manifest === undefined) return [];
      const tarball = `http://${request.headers.host}/tarball?folder=${encodeURIComponent(path)}`;
      return [{ ...manifest, dist: { tarball } }];
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
