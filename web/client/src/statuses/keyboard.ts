// SPDX-License-Identifier: AGPL-3.0-or-later
// Keys on the post that has the focus. Letters typed into a field are letters.
import { go } from '../base/route.svelte';
import type { Status } from '../base/entities';
import { nameOf as keyOf } from '../base/keys';
import { lay } from '../base/sheets.svelte';
import { prefs } from '../base/prefs.svelte';
import { sure } from '../parts/confirm.svelte';
import { t } from '../base/text';
import { attempt, say } from '../parts/toasts.svelte';
import { addressOf } from './address';
import { mayTranslate, showTranslated } from './menu';
import { mayReply } from './replies';
import { boxOf, isOpen, showsMedia, toggle } from './statuses.svelte';

export const mayBoost = (post: Status): boolean => post.visibility === 'public' || post.visibility === 'unlisted';

export async function boost(post: Status): Promise<void> {
  if (!post.reblogged && prefs.confirmBoost && !(await sure(t.boost_ask, t.boost, '', false))) return;
  await attempt(() => toggle(post.id, 'reblog'));
}

export function pressed(event: KeyboardEvent, post: Status, article: HTMLElement, blurred: boolean): void {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || target.closest('input, textarea, select')) return;
  const key = keyOf(event);
  if (key === 'Enter' && target !== article) return;
  if (!prefs.shortcuts && key !== 'Enter') return;
  const box = boxOf(post.id);
  const acts: Record<string, () => unknown> = {
    Enter: () => go(addressOf(post)),
    o: () => go(addressOf(post)),
    p: () => go('/@' + post.account.acct),
    r: () => (mayReply(post) ? lay({ kind: 'compose', reply: post }) : say(t.replies_by_nobody)),
    q: () => lay({ kind: 'compose', quote: post }),
    b: () => void boost(post),
    f: () => void attempt(() => toggle(post.id, 'favourite')),
    d: () => void attempt(() => toggle(post.id, 'bookmark')),
    e: () => post.media_attachments.length && lay({ kind: 'media', media: post.media_attachments, at: 0 }),
    x: () => box && (box.open = !isOpen(post)),
    h: () => box && (box.media = !showsMedia(post, blurred)),
    m: () => lay({ kind: 'mute', account: post.account }),
    t: () => void (mayTranslate(post) && showTranslated(post)),
  };
  const act = acts[key];
  if (!act) return;
  event.preventDefault();
  act();
}
