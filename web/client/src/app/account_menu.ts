// SPDX-License-Identifier: AGPL-3.0-or-later
import { send, useCredential } from '../base/api';
import { forgetPrefs } from '../base/prefs.svelte';
import { chooseAccount, isStaff, start, type OwnAccount } from '../base/start';
import { wipe } from '../base/store';
import { t } from '../base/text';
import { sure } from '../parts/confirm.svelte';
import type { Item } from '../parts/Menu.svelte';
import { staffPages } from './places';
import { forgetPictures, removeWorker, stopPushes } from './worker';

const here = (): OwnAccount[] => start.accounts ?? [];

// One after the other: each answer writes the cookie anew, without the session that has ended.
async function signOut(leaving: readonly { id: string; proof: string }[]): Promise<void> {
  const gone = leaving.map((one) => one.id);
  const staying = here().filter((one) => !gone.includes(one.id));
  await stopPushes(staying).catch(() => undefined);
  for (const one of leaving) {
    useCredential('Session ' + one.proof);
    await send('DELETE', '/api/web/session').catch(() => undefined);
  }
  await wipe(gone);
  forgetPrefs(gone);
  sessionStorage.clear();
  if (staying[0]) {
    await forgetPictures();
    return chooseAccount(staying[0]);
  }
  await removeWorker();
  location.assign('/');
}
const signOutOne = (): void => void signOut([{ id: start.me.id, proof: start.proof ?? '' }]);
async function signOutAll(): Promise<void> {
  if (await sure(t.sign_out_all_ask, t.sign_out_all, t.sign_out_all_more)) await signOut(here());
}

export function accountItems(): Item[] {
  const others = here().filter((one) => one.id !== start.me.id);
  return [
    { label: t.profile, icon: 'person', href: '/@' + start.me.acct },
    { label: t.settings, icon: 'settings', href: '/settings' },
    ...(isStaff() ? [{ label: t.moderation, icon: 'flag' as const, href: staffPages }] : []),
    ...others.map((one): Item => ({ label: '@' + one.username, icon: 'people', act: () => chooseAccount(one) })),
    ...(here().length < 5 ? [{ label: t.add_account, icon: 'plus' as const, href: '/auth/sign_in?add=1&return_to=/home' }] : []),
    { label: t.keyboard, icon: 'list', href: '/settings/keyboard' },
    { label: others.length ? t.sign_out_of('@' + start.me.username) : t.sign_out, icon: 'out', line: true, act: signOutOne },
    ...(others.length ? [{ label: t.sign_out_all, icon: 'out' as const, act: () => void signOutAll() }] : []),
  ];
}
