// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits to be sent, and the list of drafts.
import { ApiError, post } from '../base/api';
import type { Status } from '../base/entities';
import { go } from '../base/route.svelte';
import { keep, recall } from '../base/store';
import { t } from '../base/text';
import { say } from '../parts/toasts.svelte';
import type { Kept } from './draft.svelte';
import { tell, type About } from './media';
import { lookAtShared, unshare } from './shared';

export const freshId = (): string => Date.now().toString(36) + Math.random().toString(36).slice(2, 8);
export const draftIndex = async (): Promise<string[]> => (await recall<string[]>('drafts')) ?? [];
export async function indexDraft(id: string): Promise<void> {
  const all = await draftIndex();
  if (!all.includes(id)) await keep('drafts', [id, ...all]);
}
async function forgetHere(id: string): Promise<void> {
  await keep('draft:' + id, undefined);
  await keep('drafts', (await draftIndex()).filter((one) => one !== id));
}
// `place`: where it would go on by itself.
export async function forgetDraft(id: string, place?: string): Promise<void> {
  await forgetHere(id);
  if (place && (await recall<string>('draft-for:' + place)) === id) await keep('draft-for:' + place, undefined);
  await unshare(id);
}

// Brings the drafts of this device and of the server together: of two the later one counts.
export async function meetDrafts(): Promise<void> {
  const { drafts, ended } = await lookAtShared();
  for (const id of ended) await forgetHere(id);
  for (const draft of drafts) {
    const here = await recall<Kept>('draft:' + draft.id);
    if (here && here.changed >= draft.changed) continue;
    await keep('draft:' + draft.id, draft);
    await indexDraft(draft.id);
  }
}

export interface Waiting { key: string; body: object; media: readonly About[]; draft: Kept }
// Until November 2026 the name of the draft stood here, and media were told of before the post waited.
type Earlier = Omit<Waiting, 'media' | 'draft'> & { draft: string; place: string };
async function upToDate(one: Waiting | Earlier): Promise<Waiting> {
  if (typeof one.draft !== 'string') return one as Waiting;
  const { draft: id, place, ...rest } = one as Earlier;
  const draft = await recall<Kept>('draft:' + id);
  return { ...rest, media: [], draft: draft ?? ({ id, place } as Kept) };
}
const waiting = async (): Promise<Waiting[]> => Promise.all(((await recall<(Waiting | Earlier)[]>('outbox')) ?? []).map(upToDate));
export async function queue(one: Waiting): Promise<void> {
  await keep('outbox', [...(await waiting()).filter(({ key }) => key !== one.key), one]);
}
async function unqueue(key: string): Promise<void> {
  await keep('outbox', (await waiting()).filter((one) => one.key !== key));
}

// Under another name: the old one is on its way out of the server.
async function putBack(draft: Kept): Promise<void> {
  const id = freshId();
  await keep('draft:' + id, { ...draft, id });
  await indexDraft(id);
}

type Sent = (status: Status) => void;
let next: ReturnType<typeof setTimeout> | undefined;
export function sendLater(sent: Sent): void {
  clearTimeout(next);
  next = setTimeout(() => void sendWaiting(sent), 60_000);
}

// What could not be sent goes out when there is a net again, once, whoever notices that first.
let sending: Promise<void> | undefined;
export const sendWaiting = (sent: Sent): Promise<void> => (sending ??= sendAll(sent).finally(() => (sending = undefined)));

async function sendAll(sent: Sent): Promise<void> {
  for (const one of await waiting()) {
    try {
      await tell(one.media);
      const answer = await post<Status>('/api/v1/statuses', one.body, one.key);
      if ('account' in answer) sent(answer);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return; // the page asks them to sign in
      if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) return sendLater(sent);
      await putBack(one.draft);
      say(t.refused_later(error.message), { bad: true, action: { label: t.drafts, act: () => go('/drafts') } });
    }
    await unqueue(one.key);
    await forgetDraft(one.draft.id, one.draft.place);
  }
}
