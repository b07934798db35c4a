// SPDX-License-Identifier: AGPL-3.0-or-later
// Notifications in groups, requests of people one does not know, and conversations.
import assert from 'node:assert/strict';
import { has, ids, until } from '../support/check.js';
import { account, notifications, person, post, status } from '../support/stage.js';

const direct = { visibility: 'direct' };

export default {
  'likes of one post stand in one group': async () => {
    const alice = await person('grp_alice');
    const bob = await person('grp_bob');
    const carol = await person('grp_carol');
    const liked = await post(alice, 'to be liked');
    await status(bob, liked.id).favourite();
    await status(carol, liked.id).favourite();
    await account(bob, alice).follow();
    const { accounts, statuses, notificationGroups } = await until('all of them', async () => {
      const found = await alice.api.v2.notifications.list();
      return found.notificationGroups.length === 2 && found.notificationGroups[1].notificationsCount === 2 && found;
    });
    const [follow, likes] = notificationGroups;
    assert.deepEqual([follow.type, likes.type, likes.statusId], ['follow', 'favourite', liked.id]);
    assert.deepEqual(likes.sampleAccountIds, [carol.id, bob.id]);
    assert.deepEqual(ids(accounts).sort(), [bob.id, carol.id].sort());
    assert.deepEqual(ids(statuses), [liked.id]);
    assert.equal((await alice.api.v2.notifications.unreadCount.fetch()).count, 2);

    const people = await alice.api.v2.notifications.$select(likes.groupKey).accounts.fetch();
    assert.deepEqual(ids(people), [carol.id, bob.id]);
    const again = await alice.api.v2.notifications.$select(likes.groupKey).fetch();
    assert.equal(again.notificationGroups[0].notificationsCount, 2);
    await alice.api.v2.notifications.$select(likes.groupKey).dismiss();
    assert.deepEqual((await notifications(alice)).map((n) => n.type), ['follow']);
  },

  'a stranger’s private mention asks first, and is a conversation once accepted': async () => {
    const alice = await person('req_alice');
    const bob = await person('req_bob');
    const policy = await alice.api.v2.notifications.policy.fetch();
    assert.deepEqual([policy.forPrivateMentions, policy.forNotFollowing], ['filter', 'accept']);
    const psst = await post(bob, 'psst @req_alice', direct);
    const [request] = await until('the request', async () => {
      const found = await alice.api.v1.notifications.requests.list();
      return found.length > 0 && found;
    });
    assert.deepEqual([request.account.id, request.lastStatus.id], [bob.id, psst.id]);
    assert.deepEqual(await notifications(alice), []);
    assert.deepEqual(await alice.api.v1.conversations.list(), []);

    await alice.api.v1.notifications.requests.$select(request.id).accept();
    await until('the merge', async () => (await alice.api.v1.notifications.requests.merged.fetch()).merged);
    assert.deepEqual((await notifications(alice)).map((n) => n.status.id), [psst.id]);
    const [conversation] = await alice.api.v1.conversations.list();
    assert.deepEqual([conversation.unread, conversation.lastStatus.id], [true, psst.id]);
    has(conversation.accounts, bob.id, 'the people of the conversation');
    assert.equal((await alice.api.v1.conversations.$select(conversation.id).read()).unread, false);

    const reply = await post(alice, 'what? @req_bob', { ...direct, inReplyToId: psst.id });
    const [his] = await until('the answer', async () => {
      const found = await bob.api.v1.conversations.list();
      return found[0]?.lastStatus.id === reply.id && found;
    });
    assert.equal(his.unread, true);
    await bob.api.v1.conversations.$select(his.id).remove();
    assert.deepEqual(await bob.api.v1.conversations.list(), []);
  },
};
