// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits to be sent, and the list of drafts.
import { ApiError, post } from '../base/api';
import type { Status } from '../base/entities';
import { keep, recall } from '../base/store';
import type { Kept } from './draft.svelte';
import { lookAtShared, unshare } from './shared';

export const draftIndex = async (): Promise<string[]> => (await recall<string[]>('drafts')) ?? [];
export async function indexDraft(id: string): Promise<void> {
  const all = await draftIndex();
  if (!all.includes(id)) await keep('drafts', [id, ...all]);
}
async function forgetHere(id: string): Promise<void> {
  await keep('draft:' + id, undefined);
  await keep('drafts', (await draftIndex()).filter((one) => one !== id));
}
export async function forgetDraft(id: string): Promise<void> {
  await forgetHere(id);
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

export interface Waiting { key: string; body: object; draft: string; place: string }
const waiting = async (): Promise<Waiting[]> => (await recall<Waiting[]>('outbox')) ?? [];
export async function queue(one: Waiting): Promise<void> {
  await keep('outbox', [...(await waiting()).filter(({ key }) => key !== one.key), one]);
}
async function unqueue(key: string): Promise<void> {
  await keep('outbox', (await waiting()).filter((one) => one.key !== key));
}

// What could not be sent goes out when there is a net again.
export async function sendWaiting(sent: (status: Status) => void): Promise<void> {
  for (const one of await waiting()) {
    try {
      const answer = await post<Status>('/api/v1/statuses', one.body, one.key);
      if ('account' in answer) sent(answer);
    } catch (error) {
      // Refused for good: it stays among the drafts. Everything else is tried again.
      if (!(error instanceof ApiError) || error.status === 401 || error.status === 429 || error.status >= 500) return;
      await unqueue(one.key);
      continue;
    }
    await unqueue(one.key);
    await forgetDraft(one.draft);
    await keep('draft-for:' + one.place, undefined);
  }
}
