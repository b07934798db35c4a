// SPDX-License-Identifier: AGPL-3.0-or-later
// The page's side of the worker.
import { endpointOf } from '../base/api';
import { workerAddress } from '../base/content';
import { go } from '../base/route.svelte';
import { chooseAccount, start, type OwnAccount } from '../base/start';

// What a notification was told to another account of this browser is shown to that one.
function goAs(path: string, id?: string): void {
  const other = (start.accounts ?? []).find((one) => one.id === id && id !== start.me.id);
  if (other) chooseAccount(other, path);
  else go(path);
}

export function startWorker(): void {
  if (!('serviceWorker' in navigator) || !start.proof || import.meta.env.DEV) return;
  if (start.shared) return void removeWorker().catch(() => undefined); // one that is there from before
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ go?: string; as?: string }>) => data.go && goAs(data.go, data.as));
  const register = (): void => void navigator.serviceWorker.register(workerAddress()).catch(() => undefined);
  if ('requestIdleCallback' in window) requestIdleCallback(register);
  else setTimeout(register, 2000);
}

// A new version waits while tabs of the old one are open: whoever reloads gets it.
export async function reload(): Promise<void> {
  const known = await navigator.serviceWorker?.getRegistration();
  if (known) {
    await known.update().catch(() => undefined);
    known.waiting?.postMessage('skip');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  location.reload();
}

// Who has left is told nothing here any more, and what they were told is not left on the screen. `staying` are signed in here
// as before: while one of them is told at the address of this browser, it stays.
export async function stopPushes(staying: readonly OwnAccount[]): Promise<void> {
  const known = await navigator.serviceWorker?.getRegistration();
  for (const one of (await known?.getNotifications()) ?? []) one.close();
  const badges = navigator as Navigator & { clearAppBadge?: () => Promise<void> };
  await badges.clearAppBadge?.().catch(() => undefined);
  const address = await known?.pushManager?.getSubscription();
  if (!address) return;
  for (const { proof } of staying) if ((await endpointOf('Session ' + proof)) === address.endpoint) return;
  await address.unsubscribe();
}

// They are kept for all accounts together, so that those of posts that only one of them may see are among them.
export async function forgetPictures(): Promise<void> {
  if ('caches' in window) await caches.delete('dunlin-pictures').catch(() => false);
}

// Nobody is signed in any more: the server's own pages take over.
export async function removeWorker(): Promise<boolean> {
  const known = await navigator.serviceWorker?.getRegistration();
  if (!known) return false;
  await stopPushes([]).catch(() => undefined);
  await known.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
  return true;
}
