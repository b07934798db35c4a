// SPDX-License-Identifier: AGPL-3.0-or-later
import { beforeEach, expect, test, vi } from 'vitest';
import { Feed } from '../src/base/feed.svelte';

// A server with posts of the ids 1 to `newest`.
let newest = 0;
let asked: string[] = [];
const url = '/api/v1/timelines/home';
function answer(path: string): Response {
  asked.push(path);
  const asks = new URL(path, 'http://localhost').searchParams;
  const number = (name: string, otherwise: number): number => Number(asks.get(name) ?? otherwise);
  const limit = number('limit', 20);
  let ids: number[] = [];
  if (asks.has('min_id')) for (let n = number('min_id', 0) + 1; n <= newest && ids.length < limit; ++n) ids.unshift(n);
  else for (let n = Math.min(newest, number('max_id', newest + 1) - 1); n > number('since_id', 0) && ids.length < limit; --n) ids.push(n);
  const last = ids.at(-1) ?? 1;
  const headers = last > 1 ? { Link: `<http://localhost${url}?limit=${limit}&max_id=${last}>; rel="next"` } : undefined;
  return new Response(JSON.stringify(ids.map((n) => ({ id: String(n) }))), headers ? { headers } : {});
}
const fresh = (): Feed => new Feed({ path: url, byId: true, take: (items: { id: string }[]) => items.map((one) => one.id) } as never);

beforeEach(() => {
  newest = 100;
  asked = [];
  vi.stubGlobal('fetch', (path: string) => Promise.resolve(answer(path)));
});

test('grows backwards to the end, each row once', async () => {
  const feed = fresh();
  while (feed.state !== 'end') await feed.older();
  expect(feed.ids).toHaveLength(100);
  expect(new Set(feed.ids).size).toBe(100);
});
test('what arrives waits until the reader asks', async () => {
  const feed = fresh();
  await feed.older();
  feed.arrive('101');
  feed.arrive('101');
  expect(feed.newer).toEqual(['101']);
  expect(feed.ids[0]).toBe('100');
  feed.showNewer();
  expect(feed.ids[0]).toBe('101');
});
test('after a short sleep what was missed waits, without overlap', async () => {
  const feed = fresh();
  await feed.older();
  feed.arrive('101');
  newest = 105;
  await feed.catchUp();
  expect(feed.newer).toEqual(['105', '104', '103', '102', '101']);
});
test('after a long sleep a row says that there is more between, and fills', async () => {
  const feed = fresh();
  await feed.older();
  newest = 200;
  await feed.catchUp();
  expect(feed.newer).toHaveLength(41);
  expect(feed.newer.at(-1)).toBe('gap:161:100');
  feed.showNewer();
  await feed.fill('gap:161:100');
  await feed.fill('gap:121:100');
  expect(feed.ids.some((id) => id.startsWith('gap'))).toBe(false);
  expect(feed.ids.slice(0, 120)).toEqual(Array.from({ length: 120 }, (_, n) => String(200 - n)));
});
test('what is deleted goes, wherever it stands', async () => {
  const feed = fresh();
  await feed.older();
  feed.arrive('101');
  feed.drop((id) => id === '101' || id === '95');
  expect(feed.newer).toEqual([]);
  expect(feed.ids).not.toContain('95');
});
test('a long feed drops its far end and asks for it again', async () => {
  newest = 3000;
  const feed = fresh();
  while (feed.ids.at(-1) !== '781') await feed.older();
  expect(feed.ids).toHaveLength(2000);
  expect(feed.cut).toBe(true);
  const before = feed.ids[0]!;
  await feed.above();
  expect(feed.ids[40]).toBe(before);
  expect(feed.ids).toHaveLength(2000);
});
test('going on further down leaves what is above to be asked for', async () => {
  const feed = fresh();
  await feed.older();
  await feed.jump('50');
  expect(feed.ids[0]).toBe('50');
  await feed.above();
  expect(feed.ids[0]).toBe('90');
  await feed.above();
  expect([feed.ids[0], feed.cut]).toEqual(['100', false]);
});
test('a refusal is said, and the next try goes on', async () => {
  const feed = fresh();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"error":"no"}', { status: 503 })));
  await feed.older();
  expect(feed.state).toBe('failed');
  vi.stubGlobal('fetch', (path: string) => Promise.resolve(answer(path)));
  await feed.older();
  expect(feed.ids).toHaveLength(20);
});
test('what comes while the missed posts are asked for stands above them', async () => {
  const feed = fresh();
  await feed.older();
  newest = 103;
  const asking = feed.catchUp();
  feed.arrive('104');
  await asking;
  expect(feed.newer).toEqual(['104', '103', '102', '101']);
});
test('what moves stands before the first row that it belongs before, and below all with the older ones', async () => {
  const feed = fresh();
  await feed.older();
  const before = (id: number) => (other: string): boolean => id > Number(other);
  feed.drop((id) => id === '100');
  feed.putBefore('100', before(100));
  expect(feed.ids.slice(0, 2)).toEqual(['100', '99']);
  feed.putBefore('1', before(1));
  expect(feed.ids).toHaveLength(20);
});
test('an empty list hears of its first post', async () => {
  newest = 0;
  const feed = fresh();
  await feed.older();
  newest = 1;
  await feed.catchUp();
  expect(feed.ids).toEqual(['1']);
});
test('whoever comes anew sees the first page, and until then what was there', async () => {
  const feed = fresh();
  await feed.older();
  await feed.older();
  newest = 101;
  const asking = feed.refresh();
  expect(feed.ids).toHaveLength(40);
  await asking;
  expect([feed.ids[0], feed.ids.length, feed.state]).toEqual(['101', 20, 'idle']);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no net')));
  await feed.refresh();
  expect([feed.ids.length, feed.state]).toEqual([20, 'idle']);
});

// Rows that come up again: the server answers what `rows` holds, twenty at a time.
const versions = new Map<string, number>();
let rows: [string, number][] = [];
const grouped = (): Feed =>
  new Feed({
    path: url,
    version: (id: string) => versions.get(id),
    take: (items: [string, number][]) => items.map(([id, version]) => (versions.set(id, version), id)),
  } as never);
function answerRows(): void {
  versions.clear();
  rows = Array.from({ length: 30 }, (_, n): [string, number] => ['g' + (30 - n), 30 - n]);
  vi.stubGlobal('fetch', (path: string) => {
    const from = Number(new URL(path, 'http://localhost').searchParams.get('offset') ?? 0);
    const next = from + 20 < rows.length ? { headers: { Link: `<http://localhost${url}?offset=${from + 20}>; rel="next"` } } : {};
    return Promise.resolve(new Response(JSON.stringify(rows.slice(from, from + 20)), next));
  });
}
test('a row that has lost what brought it up goes down to where it belongs', async () => {
  answerRows();
  const feed = grouped();
  await feed.older();
  rows = [...rows.slice(1, 4), ['g30', 26.5], ...rows.slice(4, 7), ...rows.slice(8)];
  await feed.catchUp();
  expect(feed.newer).toEqual([]);
  expect(feed.ids.slice(0, 5)).toEqual(['g29', 'g28', 'g27', 'g30', 'g26']);
  expect(feed.ids).toContain('g10'); // which the first page holds now
});
test('a group that something has joined comes up again, once', async () => {
  answerRows();
  const feed = grouped();
  await feed.older();
  rows = [['g31', 32], ['g28', 31], ...rows.filter(([id]) => id !== 'g28')];
  await feed.catchUp();
  expect(feed.newer).toEqual(['g31', 'g28']);
  expect(feed.ids).not.toContain('g28');
  await feed.catchUp();
  expect(feed.newer).toEqual(['g31', 'g28']);
});
test('where more came than a page holds, the list begins anew', async () => {
  answerRows();
  const feed = grouped();
  await feed.older();
  rows = [...Array.from({ length: 25 }, (_, n): [string, number] => ['h' + n, 100 - n]), ...rows];
  await feed.catchUp();
  feed.showNewer();
  while (feed.state !== 'end') await feed.older();
  expect(feed.ids).toEqual(rows.map(([id]) => id));
});
