// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may answer a post, and what its author does with answers.
import { nameOf } from '../accounts/accounts.svelte';
import { post, put } from '../base/api';
import type { Status } from '../base/entities';
import { start } from '../base/start';
import { t } from '../base/text';
import { detached, putStatus } from './statuses.svelte';

export type ReplyPolicy = NonNullable<Status['reply_policy']>;

export const replyChoices = (): [ReplyPolicy, string][] => [['public', t.reply_public], ['followers', t.reply_followers], ['following', t.reply_following], ['mentioned', t.reply_mentioned], ['nobody', t.reply_nobody]];

export function replyNotice(one: Status): string {
  const name = nameOf(one.account);
  switch (one.reply_policy) {
    case 'followers': return t.replies_by_followers(name);
    case 'following': return t.replies_by_following(name);
    case 'mentioned': return t.replies_by_mentioned(name);
    case 'nobody': return t.replies_by_nobody;
    default: return '';
  }
}

// Whom a policy never concerns: the author, and whoever the post names or answers.
const isNamed = (one: Status): boolean => [one.account.id, one.in_reply_to_account_id, ...one.mentions.map(({ id }) => id)].includes(start.me.id);
export const mayReply = (one: Status): boolean => one.reply_policy !== 'nobody' || isNamed(one);
export const noticeForAnswer = (one: Status): string => (isNamed(one) ? '' : replyNotice(one));

export const answersMe = (one: Status): boolean => !!one.in_reply_to_id && one.in_reply_to_account_id === start.me.id && one.account.id !== start.me.id;

export async function judge(answer: Status, act: 'approve' | 'refuse' | 'hide' | 'unhide'): Promise<void> {
  putStatus(await post<Status>(`/api/dunlin/v1/statuses/${answer.in_reply_to_id}/replies/${answer.id}/${act}`));
  if (act === 'refuse') detached(answer.id);
}

export const setPolicy = async (id: string, policy: { reply_policy: string; quote_approval_policy: string }): Promise<void> =>
  void putStatus(await put<Status>(`/api/v1/statuses/${id}/interaction_policy`, policy));
