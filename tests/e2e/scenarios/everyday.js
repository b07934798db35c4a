// SPDX-License-Identifier: AGPL-3.0-or-later
// What apps do every day beyond posting and following: lists, filters, polls, drafts, conversations, grouped
// notifications, requests to a locked account.
import assert from 'node:assert/strict';
import { has, ids, lacks, refused, until } from '../support/check.js';
import { account, get, home, person, post, status } from '../support/stage.js';

const json = async (path, who) => {
  const answer = await get(path, who.token);
  assert.equal(answer.status, 200, path);
  return answer.json();
};

export default {
  'a list shows its members alone, and an exclusive one keeps them out of home': async () => {
    const anna = await person('anna');
    const [bert, cora] = [await person('bert'), await person('cora')];
    for (const one of [bert, cora]) await account(anna, one).follow();

    const list = await anna.api.v1.lists.create({ title: 'friends', repliesPolicy: 'list' });
    const chosen = anna.api.v1.lists.$select(list.id);
    await refused(422, anna.api.v1.lists.create({ title: 'x', repliesPolicy: 'nonsense' }));
    await chosen.accounts.create({ accountIds: [bert.id] });
    assert.deepEqual(ids(await chosen.accounts.list()), [bert.id]);
    assert.deepEqual(ids(await account(anna, bert).lists.list()), [list.id]);

    const [listed, other] = [await post(bert, 'for the list'), await post(cora, 'not for the list')];
    const timeline = () => anna.api.v1.timelines.list.$select(list.id).list();
    has(await timeline(), listed.id, 'the list timeline');
    lacks(await timeline(), other.id, 'the list timeline');
    has(await home(anna), listed.id, 'home');
    await chosen.update({ title: 'friends', exclusive: true });
    lacks(await home(anna), listed.id, 'home, with the list exclusive,');
    has(await home(anna), other.id, 'home');
    await chosen.remove();
    has(await home(anna), listed.id, 'home, without the list,');
    await refused(404, chosen.fetch());
  },

  'a filter is told with every status it hits, in its first version too': async () => {
    const dora = await person('dora');
    const emil = await person('emil');
    await account(dora, emil).follow();
    const spoiler = await post(emil, 'The butler did it.');
    const harmless = await post(emil, 'Butlers are people.');
    const filter = await dora.api.v2.filters.create({
      title: 'spoilers',
      context: ['home'],
      filterAction: 'warn',
      keywordsAttributes: [{ keyword: 'butler', wholeWord: true }],
    });
    const shown = (await home(dora)).find((one) => one.id === spoiler.id);
    assert.deepEqual(shown.filtered.map((hit) => [hit.filter.title, hit.keywordMatches]), [['spoilers', ['butler']]]);
    assert.deepEqual((await home(dora)).find((one) => one.id === harmless.id).filtered, []);
    assert.deepEqual((await json('/api/v1/filters', dora)).map((one) => one.phrase), ['butler']);
    await dora.api.v2.filters.$select(filter.id).remove();
    assert.deepEqual((await status(dora, spoiler.id).fetch()).filtered, []);
  },

  'a poll takes each vote once and hides its totals until it ends': async () => {
    const fred = await person('fred');
    const gina = await person('gina');
    const asked = await post(fred, 'Tea or coffee?', {
      visibility: 'unlisted', // toot cannot draw hidden totals
      poll: { options: ['tea', 'coffee'], expiresIn: 300, hideTotals: true },
    });
    assert.deepEqual(asked.poll.options.map((o) => o.title), ['tea', 'coffee']);
    const poll = gina.api.v1.polls.$select(asked.poll.id);
    assert.equal((await poll.fetch()).options[0].votesCount, null, 'totals are hidden');
    const voted = await poll.votes.create({ choices: [1] });
    assert.deepEqual([voted.voted, voted.ownVotes], [true, [1]]);
    await refused(422, poll.votes.create({ choices: [0] }));
    await refused(422, fred.api.v1.polls.$select(asked.poll.id).votes.create({ choices: [0] }));
    assert.equal((await poll.fetch()).votesCount, 1);
  },

  'a status is edited, and its history keeps what it was': async () => {
    const hugo = await person('hugo');
    const first = await post(hugo, 'one mistkae');
    const edited = await status(hugo, first.id).update({ status: 'one mistake' });
    assert.match(edited.content, /one mistake/);
    assert.ok(edited.editedAt);
    const history = await status(hugo, first.id).history.list();
    assert.deepEqual(history.map((h) => /mistkae/.test(h.content)), [true, false]);
    await status(hugo, first.id).pin();
    assert.deepEqual(ids(await hugo.api.v1.accounts.$select(hugo.id).statuses.list({ pinned: true })), [first.id]);
  },

  'a scheduled status waits, can be moved, and can be given up': async () => {
    const inge = await person('inge');
    const soon = new Date(Date.now() + 3600_000).toISOString();
    const draft = await inge.api.v1.statuses.create({ status: 'later', scheduledAt: soon });
    assert.equal(draft.params.text, 'later');
    const chosen = inge.api.v1.scheduledStatuses.$select(draft.id);
    const moved = await chosen.update({ scheduledAt: new Date(Date.now() + 7200_000).toISOString() });
    assert.notEqual(moved.scheduledAt, draft.scheduledAt);
    assert.deepEqual(ids(await inge.api.v1.scheduledStatuses.list()), [draft.id]);
    await chosen.remove();
    assert.deepEqual(await inge.api.v1.scheduledStatuses.list(), []);
    lacks(await home(inge), draft.id, 'home');
  },

  'a conversation gathers private mentions and knows what is read': async () => {
    const jan = await person('jan');
    const kaja = await person('kaja');
    await account(kaja, jan).follow(); // a stranger's private mention would wait in the requests
    const first = await post(jan, '@kaja between us', { visibility: 'direct' });
    const [conversation] = await until('the conversation', async () => {
      const list = await kaja.api.v1.conversations.list();
      return list.length && list;
    });
    assert.equal(conversation.unread, true);
    assert.deepEqual(conversation.accounts.map((a) => a.acct), ['jan']);
    assert.equal(conversation.lastStatus.id, first.id);
    const read = await kaja.api.v1.conversations.$select(conversation.id).read();
    assert.equal(read.unread, false);
    await kaja.api.v1.conversations.$select(conversation.id).remove();
    assert.deepEqual(await kaja.api.v1.conversations.list(), []);
  },

  'notifications come in groups, and strangers wait in requests': async () => {
    const lena = await person('lena');
    const fans = [await person('fan1'), await person('fan2'), await person('fan3')];
    const liked = await post(lena, 'like this');
    for (const fan of fans) await status(fan, liked.id).favourite();
    const grouped = await until('one group of three', async () => {
      const page = await json('/api/v2/notifications', lena);
      return page.notification_groups[0]?.notifications_count === 3 && page;
    });
    assert.equal(grouped.notification_groups.length, 1);
    assert.equal(grouped.notification_groups[0].type, 'favourite');
    assert.equal(grouped.statuses[0].id, liked.id);
    assert.equal(grouped.accounts.length, 3);
    assert.equal((await json('/api/v2/notifications/unread_count', lena)).count, 1);

    await lena.api.v2.notifications.policy.update({ forNotFollowing: 'filter' });
    const asked = await post(fans[0], '@lena hello?');
    const [request] = await until('a request', async () => {
      const list = await json('/api/v1/notifications/requests', lena);
      return list.length && list;
    });
    assert.equal(request.account.id, fans[0].id);
    assert.equal(request.last_status.id, asked.id);
    await lena.api.v1.notifications.requests.$select(request.id).accept();
    await until('the mention among the notifications', async () =>
      (await lena.api.v1.notifications.list()).some((n) => n.type === 'mention' && n.status.id === asked.id));
    assert.deepEqual(await json('/api/v1/notifications/requests', lena), []);
  },

  'a locked account answers requests one by one': async () => {
    const mona = await person('mona');
    const [nils, olga] = [await person('nils'), await person('olga')];
    await mona.api.v1.accounts.updateCredentials({ locked: true });
    for (const one of [nils, olga]) assert.equal((await account(one, mona).follow()).requested, true);
    assert.deepEqual(ids(await mona.api.v1.followRequests.list()).sort(), [nils.id, olga.id].sort());
    await mona.api.v1.followRequests.$select(nils.id).authorize();
    await mona.api.v1.followRequests.$select(olga.id).reject();
    const relation = async (who) => (await who.api.v1.accounts.relationships.fetch({ id: [mona.id] }))[0];
    assert.deepEqual([(await relation(nils)).following, (await relation(olga)).following], [true, false]);
    assert.deepEqual(await mona.api.v1.followRequests.list(), []);
  },

  'hashtags are followed, featured and found; people and posts are searched': async () => {
    const pia = await person('pia');
    const quin = await person('quin');
    const tagged = await post(quin, 'about #Herons and reeds');
    await pia.api.v1.tags.$select('herons').follow();
    await until('the post in home', async () => ids(await home(pia)).includes(tagged.id));
    assert.deepEqual((await pia.api.v1.followedTags.list()).map((t) => t.name.toLowerCase()), ['herons']);
    await pia.api.v1.tags.$select('herons').unfollow();
    lacks(await home(pia), tagged.id, 'home');
    const found = await until('the post among what is found', async () => {
      const answer = await quin.api.v2.search.list({ q: 'herons' });
      return answer.statuses.length > 0 && answer;
    });
    has(found.statuses, tagged.id, 'the search');
    assert.ok(found.hashtags.some((t) => t.name.toLowerCase() === 'herons'));
    assert.deepEqual(ids((await pia.api.v2.search.list({ q: 'quin', type: 'accounts' })).accounts), [quin.id]);
  },
};
