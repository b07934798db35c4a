// SPDX-License-Identifier: AGPL-3.0-or-later
// Notifications, grouped by the server; what streams in joins its group or begins one.
import { asksAnew, putAccount } from '../accounts/accounts.svelte';
import { query } from '../base/api';
import type { GroupedNotificationsResults, GroupEntity, Notification } from '../base/entities';
import { allFeeds, feedOf, type Feed } from '../base/feed.svelte';
import { putStatus, whenGone } from '../statuses/statuses.svelte';

class Box {
  value = $state.raw<GroupEntity>(undefined as unknown as GroupEntity);
}
const groups = new Map<string, Box>();
export const group = (key: string): GroupEntity | undefined => groups.get(key)?.value;
// As text: a number of this size is not exact in a browser.
export const newestIn = (key: string): string => group(key)?.page_max_id ?? '0';

whenGone((gone) => {
  for (const feed of allFeeds()) feed.drop((key) => group(key)?.status_id === gone);
});

function put(entity: GroupEntity): string {
  let box = groups.get(entity.group_key);
  if (!box) groups.set(entity.group_key, (box = new Box()));
  box.value = entity;
  return entity.group_key;
}

function takePages(pages: GroupedNotificationsResults[]): string[] {
  return pages.flatMap((page) => {
    page.accounts.forEach(putAccount);
    page.partial_accounts?.forEach(putAccount);
    page.statuses.forEach(putStatus);
    return page.notification_groups.map(put);
  });
}

export function join(known: GroupEntity | undefined, one: Notification): GroupEntity {
  const { account, status, id, created_at, ...rest } = one;
  const before = known?.sample_account_ids ?? [];
  return {
    ...rest,
    notifications_count: (known?.notifications_count ?? 0) + 1,
    most_recent_notification_id: Number(id),
    page_max_id: id,
    latest_page_notification_at: created_at,
    sample_account_ids: [account.id, ...before.filter((other) => other !== account.id)].slice(0, 8),
    ...(status && { status_id: status.id }),
  } as GroupEntity;
}

function arrive(feed: Feed, one: Notification, types: readonly string[], without: readonly string[]): void {
  if ((types.length && !types.includes(one.type)) || without.includes(one.type)) return;
  putAccount(one.account);
  if (one.status) putStatus(one.status);
  if (one.type === 'follow_request') asksAnew(one.account.id);
  const key = one.group_key || 'ungrouped-' + one.id;
  put(join(group(key), { ...one, group_key: key }));
  feed.drop((id) => id === key);
  feed.arrive(key);
}

// What somebody is held back with, one by one.
export const heldFeed = (account: string): Feed => feedOf<Notification>({
  path: '/api/v1/notifications?' + query({ account_id: account }),
  take: (all) => all.map((one) => {
    putAccount(one.account);
    if (one.status) putStatus(one.status);
    return put(join(undefined, { ...one, group_key: 'held-' + one.id }));
  }),
});

// Of these types, or of all but those.
export function notificationsFeed(types: readonly string[], without: readonly string[] = []): Feed {
  const asked = query({ types, exclude_types: without });
  return feedOf<GroupedNotificationsResults>({
    path: '/api/v2/notifications' + (asked && '?' + asked),
    stream: 'user',
    take: takePages,
    version: newestIn,
    ...(asked ? {} : { offline: 'notifications' }),
    events: (feed, event, payload) => event === 'notification' && arrive(feed, payload, types, without),
  });
}
