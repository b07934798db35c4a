// SPDX-License-Identifier: AGPL-3.0-or-later
// What can be done about somebody, as the items of their menu.
import { del, get, post, query } from '../base/api';
import type { Account, Relationship } from '../base/entities';
import { lay } from '../base/sheets.svelte';
import { start } from '../base/start';
import { t } from '../base/text';
import { sure } from '../parts/confirm.svelte';
import type { Item } from '../parts/Menu.svelte';
import { attempt, say } from '../parts/toasts.svelte';
import { nameOf, putRelation, relate } from './accounts.svelte';

export async function blockAsked(account: Account): Promise<void> {
  if (!(await sure(t.block_ask(nameOf(account)), t.block, t.block_more))) return;
  if (await attempt(() => relate(account.id, 'block'))) say(t.blocked);
}

async function blockDomain(account: Account, known: Relationship, domain: string): Promise<void> {
  const lost = await attempt(() => (known.domain_blocking ? Promise.resolve(null) : get<{ following_count: number; followers_count: number }>('/api/v1/domain_blocks/preview?' + query({ domain }))));
  if (lost === undefined) return;
  if (lost && !(await sure(t.block_domain_ask(domain), t.block, t.block_domain_more(lost.followers_count, lost.following_count)))) return;
  await attempt(async () => {
    await (known.domain_blocking ? del('/api/v1/domain_blocks', { domain }) : post('/api/v1/domain_blocks', { domain }));
    putRelation({ ...known, domain_blocking: !known.domain_blocking });
  });
}

async function copyAddress(account: Account): Promise<void> {
  await navigator.clipboard.writeText(account.url);
  say(t.copied);
}

export function profileMenu(account: Account, known: Relationship | undefined): Item[] {
  const copy: Item = { label: t.share_link, icon: 'link', act: () => void copyAddress(account) };
  const feed: Item = { label: 'RSS', icon: 'link', href: `/@${account.acct}.rss` };
  if (account.id === start.me.id)
    return [copy, feed, { label: t.favourites, icon: 'star', href: '/favourites' }, { label: t.pinned_posts, icon: 'pin', href: '/pinned' }, { label: t.follow_requests, icon: 'people', href: '/requests' }, { label: t.blocked_people, icon: 'block', href: '/blocks', line: true }, { label: t.muted_people, icon: 'mute', href: '/mutes' }, { label: t.blocked_domains, icon: 'globe', href: '/domain-blocks' }];
  const name = nameOf(account);
  const domain = account.acct.split('@')[1];
  const items: Item[] = [
    { label: t.mention_person(name), icon: 'at', act: () => lay({ kind: 'compose', text: `@${account.acct} ` }) },
    { label: t.write_to(name), icon: 'mail', act: () => lay({ kind: 'compose', text: `@${account.acct} `, visibility: 'direct' }) },
    copy,
    ...(domain ? [] : [feed]),
    { label: t.search_posts_of, icon: 'search', href: '/search?q=' + encodeURIComponent('from:' + account.acct + ' ') },
  ];
  if (!known) return items;
  if (known.following)
    items.push(
      { label: t.on_lists, icon: 'list', line: true, act: () => lay({ kind: 'lists', account }) },
      { label: t.show_their_boosts, checked: known.showing_reblogs, act: () => void attempt(() => relate(account.id, 'follow', { reblogs: !known.showing_reblogs })) },
      { label: t.recommend, checked: known.endorsed, act: () => void attempt(() => relate(account.id, known.endorsed ? 'unendorse' : 'endorse')) },
    );
  items.push({ label: t.add_to_collection, icon: 'stack', act: () => lay({ kind: 'collect', account }) }, { label: t.write_note, icon: 'pen', act: () => lay({ kind: 'note', account }) });
  if (known.followed_by) items.push({ label: t.remove_follower, icon: 'close', act: () => void attempt(() => relate(account.id, 'remove_from_followers')) });
  items.push(known.muting ? { label: t.unmute_person(name), icon: 'mute', line: true, act: () => void attempt(() => relate(account.id, 'unmute')) } : { label: t.mute_person(name), icon: 'mute', line: true, act: () => lay({ kind: 'mute', account }) });
  items.push(known.blocking ? { label: t.unblock, icon: 'block', act: () => void attempt(() => relate(account.id, 'unblock')) } : { label: t.block_person(name), icon: 'block', bad: true, act: () => void blockAsked(account) });
  if (domain) items.push({ label: known.domain_blocking ? t.unblock_domain(domain) : t.block_domain(domain), icon: 'globe', bad: !known.domain_blocking, act: () => void blockDomain(account, known, domain) });
  items.push({ label: t.report_person(name), icon: 'flag', bad: true, act: () => lay({ kind: 'report', account }) });
  return items;
}
