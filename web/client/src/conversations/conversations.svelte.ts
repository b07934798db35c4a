// SPDX-License-Identifier: AGPL-3.0-or-later
// Conversations the client knows, and the list of them, the latest first.
import { putAccount } from '../accounts/accounts.svelte';
import { post } from '../base/api';
import type { ConversationEntity } from '../base/entities';
import { feedOf, type Feed } from '../base/feed.svelte';
import { putStatus } from '../statuses/statuses.svelte';

const known = $state<Record<string, ConversationEntity>>({});
export const conversation = (id: string): ConversationEntity | undefined => known[id];

function put(one: ConversationEntity): string {
  one.accounts.forEach(putAccount);
  if (one.last_status) putStatus(one.last_status);
  known[one.id] = one;
  return one.id;
}

const isNewer = (one = '0', other = '0'): boolean => BigInt(one) > BigInt(other);

export const conversationsFeed = (): Feed => feedOf<ConversationEntity>({
  path: '/api/v1/conversations',
  take: (items) => items.map(put),
  stream: 'direct',
  version: (id) => known[id]?.last_status?.id,
  events: (feed, event, payload: never) => {
    if (event !== 'conversation') return;
    const { id, last_status: last } = payload as ConversationEntity;
    const before = known[id]?.last_status?.id;
    put(payload);
    if (before === last?.id && feed.ids.includes(id)) return; // read, or unread again
    feed.drop((one) => one === id);
    feed.putBefore(id, (other) => isNewer(last?.id, known[other]?.last_status?.id));
  },
});

export const markConversation = async (id: string, as: 'read' | 'unread'): Promise<void> =>
  void put(await post<ConversationEntity>(`/api/v1/conversations/${id}/${as}`));
