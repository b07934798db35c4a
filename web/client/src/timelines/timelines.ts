// SPDX-License-Identifier: AGPL-3.0-or-later
// Feeds of posts, and what streaming tells of them.
import type { Status } from '../base/entities';
import { allFeeds, feedOf, type Feed } from '../base/feed.svelte';
import { filteredIn, keepIds, putStatus, status, whenGone } from '../statuses/statuses.svelte';

keepIds(function* () {
  for (const feed of allFeeds()) {
    yield* feed.ids;
    yield* feed.newer;
  }
});

const isGone = (gone: string) => (id: string): boolean => id === gone || status(id)?.reblog?.id === gone;
whenGone((gone) => {
  for (const feed of allFeeds()) feed.drop(isGone(gone));
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
        if (!hidden(payload, context)) feed.arrive(putStatus(payload));
      } else if (event === 'status.update') putStatus(payload);
      else if (event === 'delete') feed.drop(isGone(payload));
    },
  });
}

export const homeFeed = (): Feed => timeline({ path: '/api/v1/timelines/home', stream: 'user', context: 'home', offline: 'home' });

// What the reader has just written stands at the top of home at once.
export function showOwn(post: Status): void {
  if (post.visibility === 'direct') return;
  homeFeed().insert(putStatus(post));
}
