// SPDX-License-Identifier: AGPL-3.0-or-later
// Who sees a post.
import assert from 'node:assert/strict';
import { has, lacks, refused } from '../support/check.js';
import { account, client, home, person, post, status, stranger } from '../support/stage.js';

export default {
  'each visibility is seen by whom it is meant for, and is unknown to others': async () => {
    const alice = await person('prv_alice');
    const follower = await person('prv_follower');
    const named = await person('prv_named');
    const other = await person('prv_other');
    await account(follower, alice).follow();
    const posts = {};
    for (const visibility of ['public', 'unlisted', 'private', 'direct'])
      posts[visibility] = await post(alice, `@prv_named ${visibility} #prv`, { visibility });

    const may = {
      public: { alice, follower, named, other, stranger },
      unlisted: { alice, follower, named, other, stranger },
      private: { alice, follower, named },
      direct: { alice, named },
    };
    const everybody = { alice, follower, named, other, stranger: { api: stranger } };
    for (const [visibility, { id }] of Object.entries(posts)) {
      assert.equal(posts[visibility].visibility, visibility);
      for (const [name, who] of Object.entries(everybody)) {
        const one = who.api.v1.statuses.$select(id);
        if (may[visibility][name]) {
          assert.equal((await one.fetch()).id, id, `${name} may read ${visibility}`);
          await one.context.fetch();
        } else {
          await refused(404, one.fetch(), 'Not Found');
          await refused(404, one.context.fetch(), 'Not Found');
          if (name !== 'stranger') await refused(404, one.favourite(), 'Not Found');
        }
        const list = await who.api.v1.accounts.$select(alice.id).statuses.list();
        (may[visibility][name] ? has : lacks)(list, id, `account statuses as ${name} sees them, of ${visibility}:`);
      }
    }
    for (const visibility of ['public', 'unlisted', 'private']) has(await home(follower), posts[visibility].id, `home, ${visibility}:`);
    lacks(await home(follower), posts.direct.id, 'home');
    const open = await stranger.v1.timelines.public.list({ limit: 40 });
    has(open, posts.public.id, 'public');
    for (const visibility of ['unlisted', 'private', 'direct']) lacks(open, posts[visibility].id, `public, ${visibility}:`);
    const tagged = await named.api.v1.timelines.tag.$select('prv').list();
    has(tagged, posts.public.id, 'tag');
    for (const visibility of ['unlisted', 'private', 'direct']) lacks(tagged, posts[visibility].id, `tag, ${visibility}:`);
    assert.equal((await alice.account.fetch()).statusesCount, 3, 'a direct post is not counted');

    await account(follower, alice).unfollow();
    await refused(404, status(follower, posts.private.id).fetch(), 'Not Found');
  },

  'only the author reblogs a private post': async () => {
    const alice = await person('own_alice');
    const bob = await person('own_bob');
    await account(bob, alice).follow();
    const { id } = await post(alice, 'mine', { visibility: 'private' });
    await refused(403, status(bob, id).reblog(), 'This action is not allowed');
    assert.equal((await status(alice, id).reblog()).visibility, 'private');
  },

  'an unknown token reads what is public, and no more': async () => {
    const api = client('y'.repeat(43));
    assert.ok(Array.isArray(await api.v1.timelines.public.list()));
    await refused(401, api.v1.timelines.home.list(), 'The access token is invalid');
  },
};
