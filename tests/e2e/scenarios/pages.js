// SPDX-License-Identifier: AGPL-3.0-or-later
// Reading back to the first post, page by page, with the links of the answers.
import assert from 'node:assert/strict';
import { all, ids, until } from '../support/check.js';
import { account, get, notifications, person, post, server, status, stranger } from '../support/stage.js';

export default {
  'forty-five posts are read back to the first in every timeline': async () => {
    const alice = await person('pag_alice');
    const bob = await person('pag_bob');
    const written = [];
    for (let i = 1; i <= 45; ++i) written.unshift((await post(alice, `number ${i} #paging`)).id);
    await account(bob, alice).follow();

    const { home, tag, public: open } = bob.api.v1.timelines;
    const mine = (list) => ids(list.filter((s) => s.account.id === alice.id));
    assert.deepEqual(ids(await all(home.list())), written, 'home, pages of 20');
    assert.deepEqual(ids(await all(home.list({ limit: 40 }))), written, 'home, pages of 40');
    assert.deepEqual(ids(await all(home.list({ limit: 7 }))), written, 'home, pages of 7');
    assert.deepEqual(ids(await all(alice.account.statuses.list({ limit: 10 }))), written, 'account statuses');
    assert.deepEqual(ids(await all(tag.$select('paging').list({ limit: 20 }))), written, 'tag');
    assert.deepEqual(mine(await all(open.list({ limit: 20 }))), written, 'public');

    // And forward again: the page right above an id.
    const above = await home.list({ minId: written[30], limit: 10 });
    assert.deepEqual(ids(above), written.slice(20, 30), 'min_id');
    const newest = await home.list({ sinceId: written[30], limit: 10 });
    assert.deepEqual(ids(newest), written.slice(0, 10), 'since_id');
    const between = await home.list({ maxId: written[10], sinceId: written[15] });
    assert.deepEqual(ids(between), written.slice(11, 15), 'max_id and since_id');

    const page = await get('/api/v1/timelines/home?limit=3', bob.token);
    const link = page.headers.get('link');
    assert.equal(
      link,
      `<${server.url}/api/v1/timelines/home?limit=3&max_id=${written[2]}>; rel="next", ` +
        `<${server.url}/api/v1/timelines/home?limit=3&min_id=${written[0]}>; rel="prev"`,
    );
  },

  'lists by relation have links of their own': async () => {
    const star = await person('lnk_star');
    const fans = [];
    for (const n of [1, 2, 3, 4, 5]) fans.unshift(await person(`lnk_fan${n}`));
    for (const fan of [...fans].reverse()) await account(fan, star).follow();
    assert.deepEqual(ids(await all(star.account.followers.list({ limit: 2 }))), ids(fans), 'followers, newest first');

    const liked = [];
    for (const fan of fans) {
      const { id } = await post(fan, 'like this');
      liked.unshift(id);
      await status(star, id).favourite();
      await status(star, id).bookmark();
      await status(fan, (await status(star, id).fetch()).id).favourite();
    }
    assert.deepEqual(ids(await all(star.api.v1.favourites.list({ limit: 2 }))), liked, 'favourites');
    assert.deepEqual(ids(await all(star.api.v1.bookmarks.list({ limit: 2 }))), liked, 'bookmarks');
    for (const fan of fans) await account(star, fan).follow();
    assert.deepEqual(ids(await all(star.account.following.list({ limit: 2 }))), ids(fans).reverse(), 'following, newest first');
    const one = stranger.v1.statuses.$select(liked[0]);
    assert.equal((await all(one.favouritedBy.list({ limit: 1 }))).length, 2, 'favourited_by');
  },

  'notifications are read back to the first': async () => {
    const alice = await person('ntf_alice');
    const bob = await person('ntf_bob');
    for (let i = 0; i < 18; ++i) await status(bob, (await post(alice, `n ${i}`)).id).favourite();
    await until('18 notifications', async () => (await notifications(alice)).length === 18);
    const list = await all(alice.api.v1.notifications.list({ limit: 5 }));
    assert.equal(list.length, 18);
    assert.equal(new Set(ids(list)).size, 18);
    assert.deepEqual(ids(list), ids(list).sort((a, b) => (BigInt(b) > BigInt(a) ? 1 : -1)), 'newest first');
    assert.equal((await alice.api.v1.notifications.$select(list[0].id).fetch()).status.content, '<p>n 17</p>');
    assert.deepEqual(await alice.api.v1.notifications.list({ types: ['mention'] }), []);
    assert.deepEqual(await alice.api.v1.notifications.list({ excludeTypes: ['favourite'] }), []);
  },
};
