// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits to be sent, and the list of drafts.
import { ApiError, post } from '../base/api';
import type { Status } from '../base/entities';
import { keep, recall } from '../base/store';

export const draftIndex = async (): Promise<string[]> => (await recall<string[]>('drafts')) ?? [];
export async function forgetDraft(id: string): Promise<void> {
  await keep('draft:' + id, undefined);
  await keep('drafts', (await draftIndex()).filter((one) => one !== id));
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
