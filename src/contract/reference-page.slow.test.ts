/** The documents for readers are complete, self-contained, and have correct examples. */
import { describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { publicEndpoints } from './endpoints.ts';
import { curlText } from './reference.ts';
import { referenceMarkdown } from './reference-markdown.ts';
import { referencePage } from './reference-page.ts';
import { operatorSurface, publicSurface, surfaces } from './surfaces.ts';

describe('the page', () => {
  test.each(surfaces)('[API-41] every call of $name has a section and a link', (surface) => {
    const page = referencePage(surface);
    for (const [name, row] of Object.entries(surface.endpoints)) {
      expect(page).toContain(`id="${name}"`);
      expect(page).toContain(`data-for="${name}"`);
      expect(page).toContain(`<span>${row.path}</span>`);
    }
  });
  test.each(surfaces)(
    '[API-41] no two calls of $name have the same text in the list',
    (surface) => {
      const listed = [...referencePage(surface).matchAll(/data-for="[^"]+">(.*?)<\/a>/g)].map(
        ([, words]) => words,
      );
      expect(listed).toHaveLength(Object.keys(surface.endpoints).length);
      expect(new Set(listed).size).toBe(listed.length);
    },
  );
  test.each(surfaces)('[API-41] the page of $name fetches nothing', (surface) => {
    const page = referencePage(surface);
    expect(page).not.toMatch(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?!data:)/);
    expect(page).not.toMatch(/@import|url\(|\bfetch\(|XMLHttpRequest|https:\/\//);
  });
  test('[API-41] all texts are escaped', () => {
    const row: Endpoint = {
      ...(publicEndpoints.getServerTime as Endpoint),
      summary: '<b>"&\'`x<y`',
      group: 'Market',
    };
    const page = referencePage({
      ...publicSurface,
      title: '<script>',
      endpoints: { getServerTime: row },
    });
    expect(page).toContain('&lt;b&gt;&quot;&amp;&#39;<code>x&lt;y</code>');
    expect(page).not.toContain('<b>"');
    expect(page).toContain('<title>&lt;script&gt;</title>');
  });
  test('[API-60] groups have the order in which a reader needs them', () => {
    const listed = [
      ...referencePage(publicSurface).matchAll(/<div class="group">\n<h2>(.*?)<\/h2>/g),
    ].map(([, name]) => name);
    expect(listed).toEqual([
      'Market',
      'Unified orders',
      'Futures orders',
      'Spot orders',
      'Positions and fills',
      'Unified account',
      'Futures settings',
      'Bills',
      'Withdrawals and deposits',
      'Unified trigger orders',
      'Futures trigger orders',
      'Spot trigger orders',
      'Isolated spot margin',
      'Copy trading',
      'Agent',
    ]);
  });
  test('[API-60] the operator page does not explain client order IDs', () => {
    expect(referencePage(publicSurface)).toContain('Retries');
    expect(referencePage(operatorSurface)).not.toContain('Retries');
  });
  test.each(surfaces)('[API-41] every sentence about a field of $name is complete', (surface) => {
    expect(referencePage(surface)).not.toMatch(/[^.>] (?:Default <code>|At most \d)/);
    expect(referenceMarkdown([surface])).not.toMatch(/[^.|] (?:Default `|At most \d+\. )/);
  });
  test('[API-41] the reference in Markdown has every call', () => {
    const text = referenceMarkdown(surfaces);
    for (const row of [
      ...Object.values(publicSurface.endpoints),
      ...Object.values(operatorSurface.endpoints),
    ]) {
      expect(text).toContain(`\`${row.method} ${row.path}\``);
    }
  });
});

describe('shell examples', () => {
  const lineOf = (text: string, start: string): string =>
    text.split('\n').find((line) => line.startsWith(start))!;
  const quoted = (line: string): string => line.slice(line.indexOf("'") + 1, -1);

  test('[API-46] the example signs exactly the bytes that it sends', () => {
    const get = curlText(publicEndpoints.listPendingTriggerOrders as Endpoint, publicSurface);
    expect(quoted(lineOf(get, 'TARGET='))).toBe(
      '/api/v2/mix/order/orders-plan-pending?planType=normal_plan&productType=USDT-FUTURES',
    );
    expect(lineOf(get, 'SIGN=')).toContain(`"\${TIME}GET$TARGET"`);
    expect(get).not.toContain('$BODY');

    const post = curlText(publicEndpoints.setHoldMode as Endpoint, publicSurface);
    expect(quoted(lineOf(post, 'BODY='))).toBe('{"holdMode":"one_way_mode"}');
    expect(lineOf(post, 'SIGN=')).toContain(`"\${TIME}POST$TARGET$BODY"`);
    expect(post).toContain('-d "$BODY"');
  });
  test('[API-46] market calls need no key, operator calls a token', () => {
    expect(curlText(publicEndpoints.getServerTime as Endpoint, publicSurface)).not.toContain(
      'ACCESS-KEY',
    );
    const revoke = curlText(operatorSurface.endpoints.revokeKey!, operatorSurface);
    expect(revoke).toContain('-X DELETE');
    expect(revoke).toContain('Authorization: Bearer $OPERATOR_TOKEN');
    expect(revoke).toContain("TARGET='/operator/v1/keys/rk_4f0c2a9d'");
  });
});
