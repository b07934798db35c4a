// SPDX-License-Identifier: AGPL-3.0-or-later
import { send } from '../base/api';
import { chooseAccount, start } from '../base/start';
import { wipe } from '../base/store';
import { t } from '../base/text';
import type { Item } from '../parts/Menu.svelte';
import { isStaff, staffPages } from './places';
import { removeWorker } from './worker';

async function signOut(): Promise<void> {
  await send('DELETE', '/api/web/session').catch(() => undefined);
  await wipe();
  sessionStorage.clear();
  if ((start.accounts?.length ?? 1) < 2) await removeWorker();
  location.assign('/');
}

export function accountItems(): Item[] {
  const others = (start.accounts ?? []).filter((one) => one.id !== start.me.id);
  return [
    { label: t.profile, icon: 'person', href: '/@' + start.me.acct },
    { label: t.settings, icon: 'settings', href: '/settings' },
    ...(isStaff() ? [{ label: t.moderation, icon: 'flag' as const, href: staffPages }] : []),
    ...others.map((one): Item => ({ label: '@' + one.username, icon: 'people', act: () => chooseAccount(one.proof) })),
    ...((start.accounts?.length ?? 1) < 5 ? [{ label: t.add_account, icon: 'plus' as const, href: '/auth/sign_in?add=1&return_to=/home' }] : []),
    { label: t.keyboard, icon: 'list', href: '/settings/keyboard' },
    { label: t.sign_out, icon: 'out', line: true, act: () => void signOut() },
  ];
}
