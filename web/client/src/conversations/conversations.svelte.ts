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

export const conversationsFeed = (): Feed => feedOf<ConversationEntity>({
  path: '/api/v1/conversations',
  take: (items) => items.map(put),
  stream: 'direct',
  version: (id) => known[id]?.last_status?.id,
  events: (feed, event, payload: never) => {
    if (event !== 'conversation') return;
    const id = put(payload);
    feed.drop((one) => one === id);
    feed.insert(id);
  },
});

export const markConversation = async (id: string, as: 'read' | 'unread'): Promise<void> =>
  void put(await post<ConversationEntity>(`/api/v1/conversations/${id}/${as}`));
