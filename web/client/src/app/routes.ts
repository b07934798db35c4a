// SPDX-License-Identifier: AGPL-3.0-or-later
// Every address of the client and the page it shows. The first that fits counts. build/files.ts reads this table for the
// server: one line each, `first` being what the page asks for at once.
import type { Route } from '../base/route.svelte';

export const routes: readonly Route[] = [
  { pattern: '/home', load: () => import('../timelines/HomePage.svelte'), first: ['/api/v1/timelines/home?limit=20'] },
  { pattern: '/public', load: () => import('../timelines/PublicPage.svelte'), first: ['/api/v1/timelines/public?limit=20'] },
  { pattern: '/public/local', load: () => import('../timelines/PublicPage.svelte'), first: ['/api/v1/timelines/public?local=true&limit=20'] },
  { pattern: '/public/remote', load: () => import('../timelines/PublicPage.svelte'), first: ['/api/v1/timelines/public?remote=true&limit=20'] },
  { pattern: '/notifications', load: () => import('../notifications/NotificationsPage.svelte'), first: ['/api/v2/notifications?limit=20'] },
  { pattern: '/@:acct', load: () => import('../timelines/ProfilePage.svelte'), first: ['/api/v1/accounts/lookup?acct=:acct'] },
  { pattern: '/@:acct/:id', load: () => import('../threads/ThreadPage.svelte'), first: ['/api/v1/statuses/:id', '/api/v1/statuses/:id/context'] },
  { pattern: '/compose', load: () => import('../compose/ComposePage.svelte'), areas: ['compose'] },
];
