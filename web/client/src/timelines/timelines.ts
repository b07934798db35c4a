// SPDX-License-Identifier: AGPL-3.0-or-later
// Feeds of posts, and what streaming tells of them.
import { whenSilenced } from '../accounts/accounts.svelte';
import { query } from '../base/api';
import type { Status } from '../base/entities';
import { allFeeds, feedOf, known, type Feed } from '../base/feed.svelte';
import { filteredIn, gone, keepIds, landed, putStatus, status, whenGone } from '../statuses/statuses.svelte';

keepIds(function* () {
  for (const feed of allFeeds()) {
    yield* feed.ids;
    yield* feed.newer;
  }
});

whenGone((gone) => {
  for (const feed of allFeeds()) feed.drop((id) => id === gone || status(id)?.reblog?.id === gone);
});

// Timelines alone: what somebody keeps, or looks at on a profile, stays.
whenSilenced((account) => {
  const isBy = (id: string): boolean => [status(id)?.account.id, status(id)?.reblog?.account.id].includes(account);
  for (const feed of allFeeds()) if (feed.source.byId) feed.drop(isBy);
});

const hidden = (post: Status, context: string | undefined): boolean => filteredIn(post.reblog ?? post, context)?.action === 'hide';

export interface Timeline { path: string; stream?: string; context?: string; offline?: string; unknownIsEmpty?: boolean }

export function timeline({ path, stream, context, offline, unknownIsEmpty }: Timeline): Feed {
  return feedOf<Status>({
    path,
    ...(stream && { stream }),
    ...(offline && { offline }),
    ...(unknownIsEmpty && { unknownIsEmpty }),
    byId: !!stream,
    take: (items) => items.filter((item) => !hidden(item, context)).map(putStatus),
    events: (feed, event, payload: never) => {
      if (event === 'update') {
        if (!hidden(payload, context)) feed.arrive(landed(payload));
      } else if (event === 'status.update') putStatus(payload);
      else if (event === 'delete') gone(payload);
    },
  });
}

export const homeFeed = (): Feed => timeline({ path: '/api/v1/timelines/home', stream: 'user', context: 'home', offline: 'home' });

export const profilePath = (account: string, kind: Record<string, boolean>): string => `/api/v1/accounts/${account}/statuses?` + query(kind);
export const profileKinds: Record<'' | 'replies' | 'media', Record<string, boolean>> = { '': { exclude_replies: true }, replies: {}, media: { only_media: true, exclude_reblogs: true } };

// What the reader has just written stands at the top of home, and of their profile, at once.
export function showOwn(post: Status): void {
  const id = landed(post);
  if (post.visibility === 'direct') return;
  homeFeed().insert(id);
  for (const kind of ['', 'replies'] as const)
    if (kind || !post.in_reply_to_id) known(profilePath(post.account.id, profileKinds[kind]))?.insert(id);
}
