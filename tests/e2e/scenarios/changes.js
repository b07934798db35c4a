// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that change, ask, wait or stand out.
import assert from 'node:assert/strict';
import { has, ids, lacks, refused, until } from '../support/check.js';
import { pngFile } from '../support/png.js';
import { home, notifications, person, post, status, stranger } from '../support/stage.js';

export default {
  'an edited post shows its new text, tells who boosted it and keeps its history': async () => {
    const alice = await person('edit_alice');
    const bob = await person('edit_bob');
    const picture = await alice.api.v2.media.create({ file: pngFile(64, 64) });
    const { id } = await post(alice, 'frist #typo', { mediaIds: [picture.id] });
    await status(bob, id).reblog();
    const edited = await status(alice, id).update({
      status: 'first @edit_bob',
      spoilerText: 'cw',
      mediaIds: [picture.id],
      mediaAttributes: [{ id: picture.id, description: 'a square' }],
    });
    assert.match(edited.content, /first/);
    assert.ok(edited.editedAt);
    assert.deepEqual([edited.spoilerText, edited.sensitive, edited.tags.length], ['cw', true, 0]);
    assert.equal(edited.mediaAttachments[0].description, 'a square');
    const versions = await stranger.v1.statuses.$select(id).history.list();
    assert.deepEqual(versions.map((v) => v.spoilerText), ['', 'cw']);
    assert.deepEqual(versions.map((v) => v.mediaAttachments[0].description), [null, 'a square']);
    for (const type of ['update', 'mention'])
      await until(`the notification of type ${type}`, async () => (await notifications(bob, type))[0]?.status.id === id);
    has(await home(alice), id, 'home');
    await refused(404, status(bob, id).update({ status: 'mine now' }), 'Not Found');
  },

  'a poll takes one vote of each': async () => {
    const alice = await person('poll_alice');
    const voters = await Promise.all(['poll_bob', 'poll_carol'].map(person));
    const { id, poll } = await post(alice, 'Tea?', { visibility: 'unlisted', poll: { options: ['yes', 'no'], expiresIn: 300, hideTotals: true } });
    assert.deepEqual(poll.options.map((o) => o.title), ['yes', 'no']);
    const vote = (who, choice) => who.api.v1.polls.$select(poll.id).votes.create({ choices: [choice] });
    for (const voter of voters) {
      const tries = await Promise.allSettled([0, 1, 0, 1].map((choice) => vote(voter, choice)));
      assert.equal(tries.filter((t) => t.status === 'fulfilled').length, 1, 'one counts');
    }
    const seen = (await status(voters[0], id).fetch()).poll;
    assert.deepEqual([seen.voted, seen.votesCount, seen.votersCount, seen.ownVotes.length], [true, 2, 2, 1]);
    assert.deepEqual(seen.options.map((o) => o.votesCount), [null, null], 'hidden until the end');
    await refused(422, vote(voters[0], 0), 'Validation failed: You have already voted on this poll');
    await refused(422, vote(alice, 0), 'Validation failed: You cannot vote in your own polls');
  },

  'a scheduled post waits, can be moved and be given up': async () => {
    const alice = await person('later_alice');
    const at = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString();
    const draft = await post(alice, 'later', { scheduledAt: at(60), visibility: 'unlisted' });
    assert.deepEqual([draft.params.text, draft.params.visibility], ['later', 'unlisted']);
    const moved = await alice.api.v1.scheduledStatuses.$select(draft.id).update({ scheduledAt: at(90) });
    assert.ok(moved.scheduledAt > draft.scheduledAt);
    has(await alice.api.v1.scheduledStatuses.list(), draft.id);
    await refused(422, post(alice, 'soon', { scheduledAt: at(2) }), 'Validation failed: Scheduled at date must be in the future');
    await alice.api.v1.scheduledStatuses.$select(draft.id).remove();
    lacks(await alice.api.v1.scheduledStatuses.list(), draft.id);
    assert.deepEqual(await home(alice), []);
  },

  'pinned posts stand first, muted conversations are quiet': async () => {
    const alice = await person('pin_alice');
    const bob = await person('pin_bob');
    const older = await post(alice, 'older');
    const newer = await post(alice, 'newer');
    for (const { id } of [newer, older]) assert.equal((await status(alice, id).pin()).pinned, true);
    assert.deepEqual(ids(await bob.api.v1.accounts.$select(alice.id).statuses.list({ pinned: true })), [older.id, newer.id]);
    assert.equal((await status(alice, older.id).unpin()).pinned, false);
    assert.equal((await status(alice, older.id).mute()).muted, true);
    await post(bob, '@pin_alice hear me', { inReplyToId: older.id });
    await post(bob, '@pin_alice and me');
    await until('the other mention', async () => (await notifications(alice, 'mention')).length === 1);
    assert.equal((await status(alice, older.id).unmute()).muted, false);
  },
};
