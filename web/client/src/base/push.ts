// SPDX-License-Identifier: AGPL-3.0-or-later
// Push messages to this browser, for the account that is signed in.
import { ApiError, get, post, put, del } from './api';
import type { WebPushSubscription } from './entities';
import { start } from './start';
import { t } from './text';

export const kinds = ['mention', 'quote', 'favourite', 'reblog', 'follow', 'follow_request', 'status', 'poll', 'update', 'quoted_update', 'admin.sign_up', 'admin.report'] as const;
export const kindNames = (): Record<string, string> => ({ mention: t.kind_mention, quote: t.kind_quote, favourite: t.kind_favourite, reblog: t.kind_boost, follow: t.kind_follow, follow_request: t.kind_request, status: t.kind_status, poll: t.kind_poll, update: t.kind_update, quoted_update: t.kind_quoted_update, 'admin.sign_up': t.kind_sign_up, 'admin.report': t.kind_report });
export type Alerts = Record<string, boolean>;
export const supported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

export async function current(): Promise<WebPushSubscription | null> {
  try {
    const known = await get<WebPushSubscription>('/api/v1/push/subscription');
    const here = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
    return here && here.endpoint === known.endpoint ? known : null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

export async function subscribe(alerts: Alerts, policy: string): Promise<WebPushSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(start.instance.configuration.vapid.public_key) });
  const { endpoint, keys } = subscription.toJSON();
  return post<WebPushSubscription>('/api/v1/push/subscription', { subscription: { endpoint, keys, standard: true }, data: { alerts, policy } });
}
export const change = (alerts: Alerts, policy: string): Promise<WebPushSubscription> => put<WebPushSubscription>('/api/v1/push/subscription', { data: { alerts, policy } });
export async function unsubscribe(): Promise<void> {
  await del('/api/v1/push/subscription');
  // Other accounts of this browser are told at the same address.
  if ((start.accounts?.length ?? 1) < 2) await (await (await navigator.serviceWorker.ready).pushManager.getSubscription())?.unsubscribe();
}
