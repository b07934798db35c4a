// SPDX-License-Identifier: AGPL-3.0-or-later
// The little every screen knows of the whole: whose server it is, what is unread, how often the reader has changed their name or
// face (start.me), how they came here.
export const site = $state({ name: 'Dunlin', unread: 0, requests: 0, self: 0, moved: false, ended: false, offline: false });
