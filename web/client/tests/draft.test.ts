// SPDX-License-Identifier: AGPL-3.0-or-later
import { beforeEach, expect, test, vi } from 'vitest';
import type { Status } from '../src/base/entities';
import { start } from '../src/base/start';
import { wipe } from '../src/base/store';

type Answer = { status?: number; body?: unknown } | 'no net';
let asked: { what: string; body: Record<string, unknown>; key?: string }[] = [];
let answers: Record<string, Answer> = {};
const calls = (): string[] => asked.map(({ what }) => what);

Object.assign(start, { me: { id: '1', acct: 'me', source: { privacy: 'public', language: 'en', sensitive: false } }, instance: { configuration: { polls: { min_expiration: 300 } } } });
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
const { Draft, draftOf } = await import('../src/compose/draft.svelte');
const { draftIndex, sendWaiting } = await import('../src/compose/outbox');

await (await import('../src/base/text')).useLanguage(['en']);

const hours = (n: number): string => new Date(Date.now() + n * 3_600_000).toISOString();
const picture = { id: '7', type: 'image', preview_url: 'x', description: null, meta: null };
const old = (more: object = {}): Status => ({
  id: '9', account: start.me, visibility: 'unlisted', sensitive: true, spoiler_text: 'careful', language: 'nl', created_at: hours(-48), media_attachments: [{ ...picture, description: 'a boat' }],
  poll: null, in_reply_to_id: null, quote: null, quote_approval: { automatic: ['followers'], manual: [], current_user: 'automatic' }, ...more,
}) as unknown as Status;

beforeEach(async () => {
  await wipe([]);
  asked = [];
  answers = { 'GET /api/v1/statuses/9/source': { body: { id: '9', text: 'as written', spoiler_text: 'careful', content_type: 'text/markdown' } }, 'DELETE /api/v1/statuses/9': { body: old() }, 'POST /api/v1/statuses': { body: old({ id: '10' }) } };
  vi.stubGlobal('fetch', (path: string, given: { method: string; body?: string; headers: Record<string, string> }) => {
    const what = `${given.method} ${path}`;
    const answer = answers[what] ?? {};
    asked.push({ what, body: given.body ? JSON.parse(given.body) : {}, key: given.headers['Idempotency-Key'] });
    if (answer === 'no net') return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve(new Response(JSON.stringify(answer.body ?? {}), { status: answer.status ?? 200 }));
  });
});

const kept = async (): Promise<(string | undefined)[]> => Promise.all((await draftIndex()).map(async (id) => (await draftOf(id))?.text));

test('what is deleted to be written anew is a draft with all it had', async () => {
  const above = old({ id: '5' });
  answers['GET /api/v1/statuses/5'] = { body: above };
  const draft = new Draft();
  await draft.begin({ kind: 'compose', again: old({ in_reply_to_id: '5', poll: { id: '1', options: [{ title: 'a', votes_count: 1 }, { title: 'b', votes_count: 2 }], multiple: true, expires_at: hours(24) } }) });
  expect(draft.poll).toEqual({ options: ['a', 'b'], multiple: true, hideTotals: false, seconds: 259200 });
  expect(draft.reply?.id).toBe('5');
  expect([draft.text, draft.warning, draft.warned, draft.visibility, draft.language, draft.sensitive, draft.quotePolicy]).toEqual(['as written', 'careful', true, 'unlisted', 'nl', true, 'followers']);
  expect(draft.media[0]?.description).toBe('a boat');
  expect(draft.format).toBe('text/markdown');
  await draft.save(); // as when the dialog is closed
  expect(await kept()).toEqual(['as written']);
});
test('it is a draft before anything is deleted, and none when the server refuses', async () => {
  answers['DELETE /api/v1/statuses/9'] = 'no net';
  await expect(new Draft().begin({ kind: 'compose', again: old() })).rejects.toThrow();
  expect(await kept()).toEqual(['as written']);
  answers['DELETE /api/v1/statuses/9'] = { status: 403 };
  await wipe([]);
  await expect(new Draft().begin({ kind: 'compose', again: old() })).rejects.toThrow();
  expect(await kept()).toEqual([]);
});
test('a description that was just typed is told before the post', async () => {
  const draft = new Draft();
  await draft.begin({ kind: 'compose' });
  draft.media = [picture as never];
  expect(draft.missingAlt).toBe(true);
  draft.describe('7', { description: 'a sea' });
  expect(draft.missingAlt).toBe(false);
  await draft.send();
  expect(calls()).toEqual(['PUT /api/v1/media/7', 'POST /api/v1/statuses']);
  expect(asked[0]?.body).toEqual({ description: 'a sea' });
});
test('a letter is no unfinished post for everybody', async () => {
  const fresh = new Draft();
  await fresh.begin({ kind: 'compose' });
  fresh.text = 'for everybody';
  await fresh.save();
  const letter = new Draft();
  await letter.begin({ kind: 'compose', visibility: 'direct' });
  expect([letter.text, letter.visibility]).toEqual(['', 'direct']);
  letter.text = '@bob hello';
  await letter.save();
  const again = new Draft();
  await again.begin({ kind: 'compose', visibility: 'direct' });
  expect([again.text, again.visibility]).toEqual(['@bob hello', 'direct']);
  again.visibility = 'public';
  await again.save();
  const third = new Draft();
  await third.begin({ kind: 'compose', visibility: 'direct' });
  expect([third.text, third.visibility]).toEqual(['', 'direct']);
  const post = new Draft();
  await post.begin({ kind: 'compose' });
  expect(post.text).toBe('for everybody');
});
test('what waits for the net is no draft any more, and one again when it is refused', async () => {
  answers['POST /api/v1/statuses'] = 'no net';
  const draft = new Draft();
  await draft.begin({ kind: 'compose' });
  draft.text = 'from the train';
  expect(await draft.send()).toBeUndefined();
  await draft.save(); // as when the dialog is closed
  expect(await kept()).toEqual([]);
  answers['POST /api/v1/statuses'] = { status: 422, body: { error: 'too long' } };
  await sendWaiting(() => undefined);
  expect(await kept()).toEqual(['from the train']);
  expect(asked.map(({ key }) => key).filter(Boolean)).toEqual([draft.key, draft.key]);
  await sendWaiting(() => undefined);
  expect(calls().filter((one) => one.startsWith('POST'))).toHaveLength(2);
});
test('a poll whose post is edited ends when it would have', async () => {
  const draft = new Draft();
  await draft.begin({ kind: 'compose', edit: old({ poll: { id: '1', options: [{ title: 'a', votes_count: null }, { title: 'b', votes_count: null }], multiple: false, expires_at: hours(120) } }) });
  await draft.send();
  const { poll } = asked.at(-1)!.body as { poll: { expires_in: number; hide_totals: boolean } };
  expect(Math.abs(poll.expires_in - 120 * 3600)).toBeLessThan(60);
  expect(poll.hide_totals).toBe(true);
});
test('an edit that changes nothing leaves no draft, and no other one is forgotten for it', async () => {
  const fresh = new Draft();
  await fresh.begin({ kind: 'compose' });
  fresh.text = 'unfinished';
  await fresh.save();
  const edit = new Draft();
  await edit.begin({ kind: 'compose', edit: old() });
  await edit.save();
  expect(await kept()).toEqual(['unfinished']);
  const next = new Draft();
  await next.begin({ kind: 'compose' });
  expect(next.text).toBe('unfinished');
});
