// SPDX-License-Identifier: AGPL-3.0-or-later
// Following, unfollowing, blocking, and asking to follow.
import assert from 'node:assert/strict';
import { has, ids, lacks, refused, until } from '../support/check.js';
import { account, home, notifications, person, post, status } from '../support/stage.js';

export default {
  'home is complete right after follow, unfollow and follow again': async () => {
    const alice = await person('fol_alice');
    const bob = await person('fol_bob');
    const old = await post(alice, 'written before anybody followed');
    lacks(await home(bob), old.id, 'home before the follow');

    const now = await account(bob, alice).follow();
    assert.deepEqual([now.id, now.following, now.requested, now.showingReblogs], [alice.id, true, false, true]);
    has(await home(bob), old.id, 'home right after the follow');
    assert.deepEqual((await bob.api.v1.accounts.relationships.fetch({ id: [alice.id] }))[0], now);
    assert.equal((await alice.api.v1.accounts.relationships.fetch({ id: [bob.id] }))[0].followedBy, true);
    has(await alice.account.followers.list(), bob.id, 'followers');
    has(await bob.account.following.list(), alice.id, 'following');
    assert.equal((await alice.account.fetch()).followersCount, 1);
    assert.equal((await bob.account.fetch()).followingCount, 1);

    const gone = await account(bob, alice).unfollow();
    assert.equal(gone.following, false);
    lacks(await home(bob), old.id, 'home right after the unfollow');
    lacks(await alice.account.followers.list(), bob.id, 'followers');
    lacks(await bob.account.following.list(), alice.id, 'following');
    assert.equal((await alice.account.fetch()).followersCount, 0);
    assert.equal((await bob.account.fetch()).followingCount, 0);

    await account(bob, alice).follow({ reblogs: false, notify: true });
    const [relationship] = await bob.api.v1.accounts.relationships.fetch({ id: [alice.id] });
    assert.deepEqual([relationship.showingReblogs, relationship.notifying], [false, true]);
    const bell = await post(alice, 'ring the bell');
    has(await home(bob), bell.id, 'home');
    await until('a notification of the new post', async () => (await notifications(bob, 'status'))[0]?.status.id === bell.id);
    const carol = await person('fol_carol');
    const other = await post(carol, 'to be boosted');
    const boost = await status(alice, other.id).reblog();
    lacks(await home(bob), boost.id, 'home of somebody who wants no reblogs from her');
    await refused(403, account(bob, bob).follow(), 'Following your own account is not allowed');
  },

  'a block hides everything at once, in both directions': async () => {
    const alice = await person('blk_alice');
    const bob = await person('blk_bob');
    const carol = await person('blk_carol');
    await account(bob, alice).follow();
    await account(alice, bob).follow();
    await account(bob, carol).follow();
    const hers = await post(alice, 'hello @blk_bob');
    const boost = await status(carol, hers.id).reblog();
    has(await home(bob), hers.id, 'home before the block');
    await until('the mention', async () => (await notifications(bob, 'mention')).length === 1);

    const now = await account(bob, alice).block();
    assert.deepEqual([now.blocking, now.following, now.followedBy], [true, false, false]);
    lacks(await home(bob), hers.id, 'home right after the block');
    lacks(await home(bob), boost.id, 'home right after the block, through a reblog:');
    await until('notifications from her are gone', async () => (await notifications(bob)).every((n) => n.account.id !== alice.id));
    assert.equal((await alice.api.v1.accounts.relationships.fetch({ id: [bob.id] }))[0].blockedBy, true);
    const his = await post(bob, 'not for alice');
    await refused(404, status(alice, his.id).fetch(), 'Not Found');
    assert.deepEqual(await alice.api.v1.accounts.$select(bob.id).statuses.list(), []);
    await refused(403, account(alice, bob).follow());
    lacks(await home(alice), his.id, "the blocked one's home");

    assert.equal((await account(bob, alice).unblock()).blocking, false);
    lacks(await home(bob), hers.id, 'home after the unblock, which restores no follow,');
    assert.equal((await status(alice, his.id).fetch()).id, his.id);
  },

  'a mute hides from home, and its end brings back': async () => {
    const alice = await person('mut_alice');
    const bob = await person('mut_bob');
    await account(bob, alice).follow();
    const { id } = await post(alice, 'noise');
    assert.deepEqual([(await account(bob, alice).mute()).muting], [true]);
    lacks(await home(bob), id, 'home right after the mute');
    assert.equal((await account(bob, alice).unmute()).muting, false);
    has(await home(bob), id, 'home after the mute');
  },

  "a locked account's follower waits until accepted": async () => {
    const alice = await person('lck_alice');
    const bob = await person('lck_bob');
    const carol = await person('lck_carol');
    assert.equal((await alice.api.v1.accounts.updateCredentials({ locked: true })).locked, true);
    const { id } = await post(alice, 'for those I let in', { visibility: 'private' });

    const asked = await account(bob, alice).follow();
    assert.deepEqual([asked.following, asked.requested], [false, true]);
    lacks(await home(bob), id, 'home while waiting');
    await account(carol, alice).follow();
    const request = await until('the notification', async () => (await notifications(alice, 'follow_request')).find((n) => n.account.id === bob.id));
    assert.ok(request);
    assert.deepEqual(ids(await alice.api.v1.followRequests.list()), [carol.id, bob.id]);
    assert.equal((await alice.api.v1.accounts.verifyCredentials()).source.followRequestsCount, 2);

    assert.equal((await alice.api.v1.followRequests.$select(bob.id).authorize()).followedBy, true);
    has(await home(bob), id, 'home right after being let in');
    assert.equal((await alice.api.v1.followRequests.$select(carol.id).reject()).followedBy, false);
    const [refusedOne] = await carol.api.v1.accounts.relationships.fetch({ id: [alice.id] });
    assert.deepEqual([refusedOne.following, refusedOne.requested], [false, false]);
    assert.deepEqual(await alice.api.v1.followRequests.list(), []);
    await refused(404, alice.api.v1.followRequests.$select(carol.id).authorize());
    assert.equal((await alice.account.fetch()).followersCount, 1);

    assert.equal((await account(alice, bob).removeFromFollowers()).followedBy, false);
    lacks(await home(bob), id, 'home of a removed follower');
  },
};
