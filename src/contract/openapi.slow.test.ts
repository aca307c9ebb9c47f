/** The OpenAPI documents are complete and pass the recommended rules of the linter. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { REJECTIONS } from '../messages/rejections.ts';
import { errorCode } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { type ApiSurface, operatorSurface, publicSurface, surfaces } from './surfaces.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly $ref?: string;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: {
      readonly 'application/json': { readonly schema: unknown; readonly example: unknown };
    };
  };
  readonly responses: Readonly<Record<string, unknown>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const pathsOf = (surface: ApiSurface): Paths => openApiDocument(surface).paths as unknown as Paths;

describe('contents', () => {
  test.each(surfaces)('[API-40] $name has every call, under each of its paths', (surface) => {
    const paths = pathsOf(surface);
    for (const row of Object.values(surface.endpoints)) {
      for (const path of [row.path, ...(row.aliases ?? [])]) {
        const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[row.method.toLowerCase()];
        expect([path, operation === undefined]).toEqual([path, false]);
        expect(Object.keys(operation!.responses)).toEqual(
          expect.arrayContaining(['200', '400', '503']),
        );
      }
    }
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
  test('[API-40] parameters are where they are sent', () => {
    const list = pathsOf(publicSurface)['/api/v2/mix/order/orders-plan-pending']!.get!;
    expect(list.parameters).toContainEqual(
      expect.objectContaining({ name: 'planType', in: 'query', required: true }),
    );
    expect(list.parameters).toContainEqual(
      expect.objectContaining({ name: 'limit', in: 'query', required: false }),
    );
    expect(list.requestBody).toBeUndefined();
    const place = pathsOf(publicSurface)['/api/v3/trade/place-batch']!.post!;
    expect(place.parameters).toEqual([{ $ref: '#/components/parameters/locale' }]);
    expect(place.requestBody).toMatchObject({ required: true });
    const user = pathsOf(operatorSurface)['/operator/v1/users/{uid}']!.get!;
    expect(user.parameters).toContainEqual(
      expect.objectContaining({ name: 'uid', in: 'path', required: true }),
    );
  });
  test('[API-40] the body does not repeat fields of the path', () => {
    const approve = pathsOf(operatorSurface)['/operator/v1/withdrawals/{orderId}/approve']!.post!;
    expect(approve.parameters).toContainEqual(
      expect.objectContaining({ name: 'orderId', in: 'path', required: true }),
    );
    const { schema, example } = approve.requestBody!.content['application/json'];
    expect(schema).toEqual({ type: 'object', properties: { operator: expect.anything() } });
    expect(example).not.toHaveProperty('orderId');
    expect(approve.requestBody!.required).toBe(false);
  });
  test('[API-40] public calls have four headers, operator calls a token, and market calls no key', () => {
    expect(
      Object.keys(pathsOf(publicSurface)['/api/v3/trade/order-info']!.get!.security[0]!),
    ).toHaveLength(4);
    expect(pathsOf(publicSurface)['/api/v2/public/time']!.get!.security).toEqual([]);
    expect(pathsOf(operatorSurface)['/operator/v1/audit']!.get!.security).toEqual([{ token: [] }]);
    expect(pathsOf(operatorSurface)['/operator/v1/health']!.get!.security).toEqual([]);
  });
  test('[API-40] the example of a refusal belongs to its own API', () => {
    const { components } = openApiDocument(operatorSurface) as unknown as {
      components: { responses: Readonly<Record<string, unknown>> };
    };
    const example = { code: '40037', msg: 'The operator token is missing or wrong' };
    expect(components.responses.Refused401).toMatchObject({
      content: { 'application/json': { example } },
    });
  });
  test('[API-40] every code of the public API is listed', () => {
    const text = JSON.stringify(openApiDocument(publicSurface));
    for (const reason of REJECTIONS.filter((each) => each !== 'operatorTokenWrong')) {
      for (const dialect of ['v2', 'v3', 'broker'] as const)
        expect(text).toContain(`"${errorCode(reason, dialect)}"`);
    }
  });
});

describe('the linter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const cli = join(
    dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
    'bin/cli.js',
  );

  test('[API-40] the linter finds neither an error nor a warning', () => {
    const files = surfaces.map((surface) => {
      const file = join(folder, `${surface.name}.json`);
      writeFileSync(file, JSON.stringify(openApiDocument(surface)));
      return file;
    });
    const quiet = {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    const found = execFileSync(
      process.execPath,
      [cli, 'lint', '--format=json', '--extends=recommended', ...files],
      {
        cwd: folder,
        env: quiet,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    expect(found.match(/"(?:errors|warnings)": ?\d+/g)).toEqual(
      surfaces.flatMap(() => ['"errors": 0', '"warnings": 0']),
    );
  }, 60_000);
});
