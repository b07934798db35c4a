// SPDX-License-Identifier: AGPL-3.0-or-later
// The beginning of a page: who is signed in, which language, where to.
import { credential, whenSessionEnds } from '../base/api';
import { startKeys } from '../base/keys';
import { forgetPrefsBut, forgetPrefsOf, prefs, startPrefs, takeServerPrefs } from '../base/prefs.svelte';
import { startRouting, useRoutes } from '../base/route.svelte';
import { site } from '../base/site.svelte';
import { begin, chooseAccount, renew, SignedOut, start } from '../base/start';
import { useOwner, wipeAllBut } from '../base/store';
import { connect, listen, startStreaming } from '../base/stream';
import { useLanguage } from '../base/text';
import { putAccount } from '../accounts/accounts.svelte';
import { sendWaiting } from '../compose/outbox';
import { gone } from '../statuses/statuses.svelte';
import { showOwn } from '../timelines/timelines';
import { routes } from './routes';
import { forgetPictures, removeWorker, startWorker } from './worker';

const wishes = (): string[] => [prefs.language, document.documentElement.lang, ...navigator.languages].filter(Boolean);

async function forgetOthers(here: readonly string[]): Promise<void> {
  const gone = await wipeAllBut(here);
  if (!gone.length) return;
  forgetPrefsOf(gone);
  await forgetPictures();
}

export async function startSession(): Promise<boolean> {
  startPrefs();
  const words = useLanguage(wishes());
  try {
    await begin();
  } catch (error) {
    if (error instanceof SignedOut) {
      if (await removeWorker()) location.reload();
      else location.assign('/auth/sign_in?return_to=' + encodeURIComponent(location.pathname + location.search));
      return false;
    }
    throw error;
  }
  const before = prefs.language;
  takeServerPrefs();
  await words;
  if (prefs.language !== before) await useLanguage(wishes());
  useOwner(start.me.id);
  if (start.shared) forgetPrefsBut(start.me.id);
  else if (start.accounts) void forgetOthers(start.accounts.map((one) => one.id)).catch(() => undefined);
  putAccount({ ...start.me });
  site.name = start.instance.title || site.name;
  const wanted = new URLSearchParams(location.search).get('as'); // of a notification that opened this window
  const other = wanted && wanted !== start.me.id && start.accounts?.find((one) => one.id === wanted);
  if (other) return chooseAccount(other, location.pathname), false;
  if (wanted) history.replaceState(history.state, '', location.pathname);
  whenSessionEnds(() => (site.ended = true));
  addEventListener('offline', () => (site.offline = true));
  const online = (): void => {
    site.offline = false;
    void (async () => {
      if (!credential()) await renew();
      connect();
      await sendWaiting(showOwn);
    })().catch((error: unknown) => (site.ended ||= error instanceof SignedOut));
  };
  addEventListener('online', online);
  online();
  site.offline = !navigator.onLine;
  startKeys();
  startStreaming();
  listen('user', { open: () => undefined, event: (event, payload) => event === 'delete' && gone(payload) });
  useRoutes(routes);
  startRouting();
  startWorker();
  return true;
}
