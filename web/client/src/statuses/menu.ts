// SPDX-License-Identifier: AGPL-3.0-or-later
// What can be done with a post, as the items of its menu.
import { nameOf } from '../accounts/accounts.svelte';
import { blockAsked } from '../accounts/profile_menu';
import { post } from '../base/api';
import type { Status } from '../base/entities';
import { lay } from '../base/sheets.svelte';
import { mayLabel, start } from '../base/start';
import { currentLanguage, t } from '../base/text';
import { sure } from '../parts/confirm.svelte';
import type { Item } from '../parts/Menu.svelte';
import { attempt, say } from '../parts/toasts.svelte';
import { addressOf } from './address';
import { answersMe, judge } from './replies';
import { boxOf, putStatus, remove, toggle, translate, type Toggle } from './statuses.svelte';

export const mayTranslate = (status: Status): boolean =>
  !!start.instance.configuration?.translation.enabled && ['public', 'unlisted'].includes(status.visibility) && !!status.language && status.language !== currentLanguage();

export async function share(status: Status): Promise<void> {
  const url = status.url ?? status.uri;
  if ('share' in navigator && matchMedia('(pointer: coarse)').matches) return void (await navigator.share({ url }).catch(() => undefined));
  await navigator.clipboard.writeText(url);
  say(t.copied);
}

export async function removeAsked(status: Status, again: boolean): Promise<void> {
  if (!(await sure(again ? t.redraft_ask : t.delete_ask, again ? t.redraft : t.delete, again ? t.redraft_more : t.delete_more))) return;
  if (again) lay({ kind: 'compose', again: status });
  else if (await attempt(() => remove(status.id))) say(t.deleted);
}

export async function showTranslated(status: Status): Promise<void> {
  const box = boxOf(status.id);
  if (box?.translation) box.translation = undefined;
  else await attempt(() => translate(status.id, currentLanguage()));
}

// Nothing else on the page tells that it has happened.
async function turn(status: Status, what: Toggle, on: string, off: string): Promise<void> {
  const now = await attempt(() => toggle(status.id, what));
  if (now !== undefined) say(now ? on : off);
}

async function revokeAsked(quoting: Status, mine: string): Promise<void> {
  if (!(await sure(t.revoke_quote_ask, t.revoke_quote, t.revoke_quote_more))) return;
  const now = await attempt(() => post<Status>(`/api/v1/statuses/${mine}/quotes/${quoting.id}/revoke`));
  if (!now) return;
  putStatus(now);
  say(t.quote_revoked);
}

export function menuOf(status: Status): Item[] {
  const mine = status.account.id === start.me.id;
  const open = status.visibility === 'public' || status.visibility === 'unlisted';
  const items: Item[] = [{ label: t.open_post, icon: 'next', href: addressOf(status) }];
  if (status.quote_approval?.current_user !== 'denied' && open) items.push({ label: t.quote_this, icon: 'quote', act: () => lay({ kind: 'compose', quote: status }) });
  items.push({ label: t.share_link, icon: 'link', act: () => void share(status) });
  if (!status.url?.startsWith(location.origin) && status.url) items.push({ label: t.open_there, icon: 'out', act: () => void window.open(status.url!, '_blank', 'noopener') });
  if (mayTranslate(status)) items.push({ label: boxOf(status.id)?.translation ? t.show_original : t.translate, icon: 'translate', act: () => void showTranslated(status) });
  items.push({ label: t.who_favourited, icon: 'star', href: addressOf(status) + '/favourites' }, { label: t.who_boosted, icon: 'boost', href: addressOf(status) + '/boosts' });
  if (open) items.push({ label: t.quotes_of, icon: 'quote', href: addressOf(status) + '/quotes' });
  if (mayLabel()) items.push({ label: t.moderation, icon: 'shield', href: '/settings/moderation/posts/' + status.id });
  if (mine) {
    items.push({ label: t.edit, icon: 'pen', line: true, act: () => lay({ kind: 'compose', edit: status }) });
    if (open || status.visibility === 'private') items.push({ label: status.pinned ? t.unpin : t.pin, icon: 'pin', act: () => void turn(status, 'pin', t.pinned_now, t.unpinned_now) });
    if (open || status.visibility === 'private') items.push({ label: t.policy_title, icon: 'shield', act: () => lay({ kind: 'policy', status }) });
    items.push({ label: status.muted ? t.unmute_thread : t.mute_thread, icon: 'mute', act: () => void turn(status, 'mute', t.thread_muted, t.thread_unmuted) });
    items.push({ label: t.redraft, icon: 'pen', act: () => void removeAsked(status, true) }, { label: t.delete, icon: 'trash', bad: true, act: () => void removeAsked(status, false) });
    return items;
  }
  const name = nameOf(status.account);
  items.push({ label: t.mention_person(name), icon: 'at', line: true, act: () => lay({ kind: 'compose', text: `@${status.account.acct} ` }) });
  items.push({ label: status.muted ? t.unmute_thread : t.mute_thread, icon: 'mute', act: () => void turn(status, 'mute', t.thread_muted, t.thread_unmuted) });
  if (answersMe(status) && !status.reply_state) items.push({ label: t.hide_reply, icon: 'eye', act: () => void attempt(() => judge(status, 'hide')) });
  const quoted = status.quote?.state === 'accepted' ? status.quote.quoted_status : undefined;
  if (quoted?.account.id === start.me.id) items.push({ label: t.revoke_quote, icon: 'quote', act: () => void revokeAsked(status, quoted.id) });
  items.push({ label: t.filter_post, icon: 'filter', act: () => lay({ kind: 'filter', status }) });
  items.push({ label: t.mute_person(name), icon: 'mute', act: () => lay({ kind: 'mute', account: status.account }) });
  items.push({ label: t.block_person(name), icon: 'block', bad: true, act: () => void blockAsked(status.account) });
  items.push({ label: t.report_person(name), icon: 'flag', bad: true, act: () => lay({ kind: 'report', account: status.account, status }) });
  return items;
}
