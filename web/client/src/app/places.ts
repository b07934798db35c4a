// SPDX-License-Identifier: AGPL-3.0-or-later
// Where one can go: the navigation, the menu of the phone and the command palette show these.
import { start } from '../base/start';
import { t } from '../base/text';
import type { IconName } from '../parts/icons';

export interface Place { href: string; label: string; icon: IconName; badge?: 'unread' | 'requests' }

export const mainPlaces = (): Place[] => [
  { href: '/home', label: t.home, icon: 'home' },
  { href: '/notifications', label: t.notifications, icon: 'bell', badge: 'unread' },
  { href: '/explore', label: t.explore, icon: 'compass' },
  { href: '/public/local', label: t.timelines, icon: 'local' },
  { href: '/conversations', label: t.conversations, icon: 'mail' },
  { href: '/lists', label: t.lists, icon: 'list' },
  { href: '/bookmarks', label: t.bookmarks, icon: 'bookmark' },
  { href: '/@' + start.me.acct, label: t.profile, icon: 'person' },
];

export const morePlaces = (): Place[] => [
  { href: '/columns', label: t.columns, icon: 'columns' },
  { href: '/search', label: t.search, icon: 'search' },
  { href: '/favourites', label: t.favourites, icon: 'star' },
  { href: '/followed-tags', label: t.followed_tags, icon: 'hash' },
  { href: '/collections', label: t.collections, icon: 'stack' },
  { href: '/requests', label: t.follow_requests, icon: 'people', badge: 'requests' },
  { href: '/waiting-replies', label: t.waiting_replies, icon: 'reply' },
  { href: '/catchup', label: t.catchup, icon: 'clock' },
  { href: '/drafts', label: t.drafts, icon: 'folder' },
  { href: '/scheduled', label: t.scheduled, icon: 'clock' },
  { href: '/announcements', label: t.announcements, icon: 'horn' },
  { href: '/filters', label: t.filters, icon: 'filter' },
  { href: '/settings', label: t.settings, icon: 'settings' },
];

export const staffPages = '/settings/moderation';
