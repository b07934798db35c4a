// SPDX-License-Identifier: AGPL-3.0-or-later
// What can be done with a post, as the items of its menu.
import { relate, nameOf } from '../accounts/accounts.svelte';
import type { Status } from '../base/entities';
import { lay } from '../base/sheets.svelte';
import { mayLabel, start } from '../base/start';
import { currentLanguage, t } from '../base/text';
import { sure } from '../parts/confirm.svelte';
import type { Item } from '../parts/Menu.svelte';
import { attempt, say } from '../parts/toasts.svelte';
import { addressOf } from './address';
import { answersMe, judge } from './replies';
import { boxOf, remove, toggle, translate } from './statuses.svelte';

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
  const old = await attempt(() => remove(status.id));
  if (old && again) lay({ kind: 'compose', text: old.text ?? '', visibility: old.visibility });
  else if (old) say(t.deleted);
}

export async function showTranslated(status: Status): Promise<void> {
  const box = boxOf(status.id);
  if (box?.translation) box.translation = undefined;
  else await attempt(() => translate(status.id, currentLanguage()));
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
    if (open || status.visibility === 'private') items.push({ label: status.pinned ? t.unpin : t.pin, icon: 'pin', act: () => void attempt(() => toggle(status.id, 'pin')) });
    if (open || status.visibility === 'private') items.push({ label: t.policy_title, icon: 'shield', act: () => lay({ kind: 'policy', status }) });
    items.push({ label: status.muted ? t.unmute_thread : t.mute_thread, icon: 'mute', act: () => void attempt(() => toggle(status.id, 'mute')) });
    items.push({ label: t.redraft, icon: 'pen', act: () => void removeAsked(status, true) }, { label: t.delete, icon: 'trash', bad: true, act: () => void removeAsked(status, false) });
    return items;
  }
  const name = nameOf(status.account);
  items.push({ label: t.mention_person(name), icon: 'at', line: true, act: () => lay({ kind: 'compose', text: `@${status.account.acct} ` }) });
  items.push({ label: status.muted ? t.unmute_thread : t.mute_thread, icon: 'mute', act: () => void attempt(() => toggle(status.id, 'mute')) });
  if (answersMe(status) && !status.reply_state) items.push({ label: t.hide_reply, icon: 'eye', act: () => void attempt(() => judge(status, 'hide')) });
  items.push({ label: t.filter_post, icon: 'filter', act: () => lay({ kind: 'filter', status }) });
  items.push({ label: t.mute_person(name), icon: 'mute', act: () => lay({ kind: 'mute', account: status.account }) });
  items.push({ label: t.block_person(name), icon: 'block', bad: true, act: () => void blockAsked(status) });
  items.push({ label: t.report_person(name), icon: 'flag', bad: true, act: () => lay({ kind: 'report', account: status.account, status }) });
  return items;
}

async function blockAsked(status: Status): Promise<void> {
  if (!(await sure(t.block_ask(nameOf(status.account)), t.block, t.block_more))) return;
  await attempt(() => relate(status.account.id, 'block'));
}
