// SPDX-License-Identifier: AGPL-3.0-or-later
import { t } from '../base/text';
import { isStaff } from '../base/start';

export const keyHelp = (): [string, [string, string][]][] => [
  [t.keys_list, [['j / k', t.key_move], ['Home / End', t.key_ends], ['.', t.key_newer], ['Enter / o', t.open_post], ['p', t.profile]]],
  [t.keys_post, [['r', t.reply], ['b', t.boost], ['f', t.favourite], ['d', t.bookmark], ['q', t.quote_this], ['e', t.key_media], ['x', t.key_warning], ['h', t.hide_media], ['m', t.key_mute], ['t', t.translate]]],
  [t.keys_anywhere, [['n', t.compose], ['/', t.search], ['?', t.keyboard], ['Ctrl+K', t.palette], ['Shift+1…5', t.key_account], ['1…6', t.key_column], ['Ctrl+Enter', t.key_send], ['Esc', t.close]]],
  [t.keys_go, [['g h', t.home], ['g n', t.notifications], ['g l', t.local_timeline], ['g t', t.public_timeline], ['g p', t.profile], ['g b', t.bookmarks], ['g f', t.favourites], ['g d', t.conversations], ['g e', t.explore], ['g s', t.settings], ...(isStaff() ? [['g a', t.moderation] as [string, string]] : [])]],
];
