// SPDX-License-Identifier: AGPL-3.0-or-later
// The number beside the bell: the server's, of what the reader wants to see, asked again when something arrives.
import { get, query } from '../base/api';
import { prefs } from '../base/prefs.svelte';
import { site } from '../base/site.svelte';
import { start } from '../base/start';
import { listen } from '../base/stream';

let waiting: ReturnType<typeof setTimeout> | undefined;

export async function refreshUnread(): Promise<void> {
  const { count } = await get<{ count: number }>('/api/v2/notifications/unread_count?' + query({ exclude_types: prefs.noticesWithout }));
  site.unread = count;
  const badges = navigator as Navigator & { setAppBadge?: (n: number) => Promise<void> };
  await badges.setAppBadge?.(count).catch(() => undefined);
}

export function watchUnread(): () => void {
  site.requests = start.me.source.follow_requests_count;
  const soon = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void refreshUnread().catch(() => undefined), 300);
  };
  return listen('user', { open: soon, event: (event) => (event === 'notification' || event === 'notifications_merged') && soon() });
}
