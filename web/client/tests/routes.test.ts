// SPDX-License-Identifier: AGPL-3.0-or-later
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routeLines } from '../build/files';
import { routes } from '../src/app/routes';
import { match, useRoutes } from '../src/base/route.svelte';

useRoutes(routes);

test('the server is told of every route, and of what it needs at once', () => {
  const lines = routeLines(readFileSync('src/app/routes.ts', 'utf8'));
  expect(lines.map((line) => line.pattern)).toEqual(routes.map((route) => route.pattern));
  expect(lines.map((line) => line.first)).toEqual(routes.map((route) => route.first ?? []));
});
test('addresses find their page', () => {
  expect(match('/home')?.route.pattern).toBe('/home');
  expect(match('/@bob@b.example')?.params).toEqual({ acct: 'bob@b.example' });
  expect(match('/@bob/123')?.params).toEqual({ acct: 'bob', id: '123' });
  expect(match('/tags/%zz')?.params).toEqual({ tag: '%zz' });
  expect(match('/@bob/not-a-post')).toBeUndefined();
  expect(match('/auth/sign_in')).toBeUndefined();
  expect(match('/@bob.rss')).toBeUndefined();
  expect(match('/tags/marsh.atom')).toBeUndefined();
  expect(match('/@bob@rss.example')?.params).toEqual({ acct: 'bob@rss.example' });
});
