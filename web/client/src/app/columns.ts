// SPDX-License-Identifier: AGPL-3.0-or-later
// What can stand in a column, by the address of the screen that shows it alone.
import { start } from '../base/start';
import { t } from '../base/text';
import type { Timeline } from '../timelines/timelines';

export const mostColumns = 6;
interface Shown { title: string; timeline?: Timeline; kinds?: string[] }

export function columnOf(address: string): Shown {
  const [, first, second = ''] = address.split('/').map(decodeURIComponent);
  switch (address) {
    case '/home': return { title: t.home, timeline: { path: '/api/v1/timelines/home', stream: 'user', context: 'home', offline: 'home' } };
    case '/notifications': return { title: t.notifications, kinds: [] };
    case '/notifications/mentions': return { title: t.mentions, kinds: ['mention', 'quote'] };
    case '/public/local': return { title: t.local_timeline, timeline: { path: '/api/v1/timelines/public?local=true', stream: 'public:local', context: 'public' } };
    case '/public': return { title: t.public_timeline, timeline: { path: '/api/v1/timelines/public', stream: 'public', context: 'public' } };
    case '/bookmarks': return { title: t.bookmarks, timeline: { path: '/api/v1/bookmarks' } };
    case '/favourites': return { title: t.favourites, timeline: { path: '/api/v1/favourites' } };
  }
  if (first === 'lists') return { title: start.lists?.find((one) => one.id === second)?.title ?? t.lists, timeline: { path: '/api/v1/timelines/list/' + second, stream: 'list?list=' + second, context: 'home' } };
  return { title: '#' + second, timeline: { path: '/api/v1/timelines/tag/' + encodeURIComponent(second), stream: 'hashtag?tag=' + encodeURIComponent(second.toLowerCase()), context: 'public' } };
}

export const addresses = (tags: readonly string[]): string[] => [
  '/home', '/notifications', '/notifications/mentions', '/public/local', '/public', '/bookmarks', '/favourites',
  ...(start.lists ?? []).map((one) => '/lists/' + one.id),
  ...tags.map((name) => '/tags/' + encodeURIComponent(name)),
];

export const usual = ['/home', '/notifications', '/public/local'];
