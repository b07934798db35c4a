// SPDX-License-Identifier: AGPL-3.0-or-later
// Who hears what: every stream and every event, over WebSockets and as server-sent events; and a page in a browser.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { until } from '../support/check.js';
import { startCallback } from '../support/browser.js';
import { png } from '../support/png.js';
import { account, browser, notifications, person, post, scopes, server, status } from '../support/stage.js';
import { listenToAll, mastoOf, subscribed } from '../support/streams.js';

const each = (names, ...words) => Object.fromEntries(names.map((name) => [name, words]));
const OPEN = ['public', 'public:local', 'hashtag', 'hashtag:local'];
const MEDIA = ['public:media', 'public:local:media'];

const picture = async (who) =>
  (await who.api.v2.media.create({ file: new Blob([png(60, 40)], { type: 'image/png' }), description: 'p' })).id;

const lastNotification = async (who, type) => (await notifications(who, type))[0].id;

// What comes into streams is told to all that listen; ends them whatever happens.
async function during(listeners, work) {
  try {
    await work();
  } finally {
    for (const one of listeners) one.end();
  }
}

async function ask(token, path, form) {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: new URLSearchParams(form),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

async function device(name) {
  const token = (await server.command('token', 'create', name, '--scopes', `${scopes} crypto`)).trim();
  const { publicKey } = generateKeyPairSync('ed25519');
  const fingerprint = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  await ask(token, '/api/v1/crypto/keys/upload', {
    'device[device_id]': name,
    'device[name]': 'Phone',
    'device[fingerprint_key]': fingerprint,
    'device[identity_key]': randomBytes(32).toString('base64'),
  });
  return { name, token };
}

export default {
  'every stream hears of posts, edits and deletions as its timeline shows them': async () => {
    const alice = await person('str_alice');
    const bob = await person('str_bob');
    const carol = await person('str_carol');
    await account(alice, bob).follow();
    const list = await alice.api.v1.lists.create({ title: 'L' });
    const members = alice.api.v1.lists.$select(list.id).accounts;
    await members.create({ accountIds: [bob.id] });
    const ears = await listenToAll(alice, list.id);
    await during([ears], async () => {
      const made = await post(bob, `#cats @${alice.name}`, { mediaIds: [await picture(bob)] });
      const notice = `notification ${await until('the mention', () => lastNotification(alice, 'mention'))}`;
      const shown = ['list', ...OPEN, ...MEDIA];
      await ears.hears('a post', {
        ...each(shown, `update ${made.id}`),
        user: [`update ${made.id}`, notice],
        'user:notification': [notice],
      });
      await status(bob, made.id).update({ status: `edited #cats @${alice.name}`, mediaIds: made.mediaAttachments.map((m) => m.id) });
      await ears.hears('an edit', each(['user', 'user:notification', ...shown], `status.update ${made.id}`));
      await status(bob, made.id).remove();
      await ears.hears('a deletion', each(['user', ...shown], `delete ${made.id}`));

      const quiet = await post(bob, 'quiet #cats', { visibility: 'unlisted' });
      await ears.hears('an unlisted post', each(['user', 'list'], `update ${quiet.id}`));
      const theirs = await post(carol, 'of a stranger');
      await ears.hears('a post of a stranger', each(['public', 'public:local'], `update ${theirs.id}`));
      const boost = await status(bob, theirs.id).reblog();
      await ears.hears('a boost', each(['user', 'list'], `update ${boost.id}`));
      await status(bob, theirs.id).unreblog();
      await ears.hears('a boost that is taken back', each(['user', 'list'], `delete ${boost.id}`));

      await account(alice, bob).unfollow();
      const away = await post(bob, 'after the unfollow #cats');
      await ears.hears('a post after the unfollow', each(OPEN, `update ${away.id}`));
      await account(alice, bob).follow();
      await members.create({ accountIds: [bob.id] }).catch(() => {}); // it may still be a member
      const back = await post(bob, 'after the follow #cats');
      await ears.hears('a post after the follow', each(['user', 'list', ...OPEN], `update ${back.id}`));
      await members.remove({ accountIds: [bob.id] });
      const unlisted = await post(bob, 'not in the list any more');
      await ears.hears('a post of who left the list', each(['user', 'public', 'public:local'], `update ${unlisted.id}`));

      const direct = await post(bob, `@${alice.name} between us`, { visibility: 'direct' });
      const mention = `notification ${await until('it', async () => (await notifications(alice, 'mention'))[0].status.id === direct.id && lastNotification(alice, 'mention'))}`;
      const [conversation] = await alice.api.v1.conversations.list();
      await ears.hears('a direct post', {
        user: [`update ${direct.id}`, mention],
        'user:notification': [mention],
        direct: [`conversation ${conversation.id}`],
      });
      await account(alice, bob).block();
      await post(bob, 'after the block #cats');
      await ears.hears('a post of somebody blocked', {});
    });
  },

  'who may not read a post hears nothing of it, nor of its edits and its end': async () => {
    const bob = await person('stx_bob');
    const names = ['follower', 'stranger', 'muting', 'blocking', 'blocked'];
    const people = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await person(`stx_${name}`)])));
    for (const name of ['follower', 'muting']) await account(people[name], bob).follow();
    await account(people.muting, bob).mute();
    await account(people.blocking, bob).block();
    await account(bob, people.blocked).block();
    const ears = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await listenToAll(people[name])])));
    const all = async (what, expected) => {
      for (const name of names) await ears[name].hears(what, expected[name] ?? {});
    };
    await during(Object.values(ears), async () => {
      for (const [visibility, strangers] of [['public', OPEN], ['unlisted', []], ['private', []]]) {
        const made = await post(bob, `${visibility} #cats`, { visibility });
        const told = (event) => ({
          follower: each(['user', ...strangers], `${event} ${made.id}`),
          stranger: each(strangers, `${event} ${made.id}`),
        });
        await all(`a ${visibility} post`, told('update'));
        await status(bob, made.id).update({ status: `${visibility} edited #cats` });
        await all(`an edit of a ${visibility} post`, told('status.update'));
        await status(bob, made.id).remove();
        await all(`the end of a ${visibility} post`, told('delete'));
      }
      const theirs = await post(people.blocked, 'of somebody blocked');
      for (const name of names) await ears[name].hears('a post of another', each(['public', 'public:local', ...(name === 'blocked' ? ['user'] : [])], `update ${theirs.id}`));
    });
  },

  'what happens to a person comes to their own streams': async () => {
    const alice = await person('ste_alice');
    const bob = await person('ste_bob');
    const ears = await listenToAll(alice);
    const others = await listenToAll(bob);
    await during([ears, others], async () => {
      await alice.api.v2.filters.create({ title: 'f', context: ['home'] });
      await ears.hears('changed filters', { user: ['filters_changed'] });

      await alice.api.v2.notifications.policy.update({ forNotFollowing: 'filter' });
      const asked = await post(bob, `hello @${alice.name}`, { visibility: 'unlisted' });
      await others.hears('an own post', { user: [`update ${asked.id}`] });
      const [wish] = await until('the request', async () => {
        const found = await alice.api.v1.notifications.requests.list();
        return found.length > 0 && found;
      });
      await alice.api.v1.notifications.requests.$select(wish.id).accept();
      await ears.hears('accepted requests', each(['user', 'user:notification'], 'notifications_merged 1'));

      const number = /\d+/.exec(await server.command('announcement', 'create', 'Down on Sunday'))[0];
      // Another program wrote it, so it is noticed after some seconds.
      for (const one of [ears, others]) {
        await until('the announcement', async () => {
          await one.hears('an announcement', { user: [`announcement ${number}`] });
          return true;
        }, 15);
      }
      await bob.api.v1.announcements.$select(number).reactions.$select('👍').update();
      for (const one of [ears, others]) await one.hears('a reaction', { user: ['announcement.reaction'] });
      await server.command('announcement', 'delete', number);
      for (const one of [ears, others]) {
        await until('its end', async () => {
          await one.hears('the end of an announcement', { user: [`announcement.delete ${number}`] });
          return true;
        }, 15);
      }
    });
  },

  'an encrypted message comes to its device and to no other': async () => {
    const alice = await person('std_alice');
    const bob = await person('std_bob');
    const phone = await device(alice.name);
    const theirs = await device(bob.name);
    const ears = await listenToAll(phone);
    const others = await listenToAll(alice);
    await during([ears, others], async () => {
      await ask(theirs.token, '/api/v1/crypto/deliveries', {
        'device[][account_id]': alice.id,
        'device[][device_id]': phone.name,
        'device[][type]': '0',
        'device[][body]': 'c2VjcmV0',
        'device[][hmac]': 'aG1hYw==',
      });
      const answer = await fetch(`${server.url}/api/v1/crypto/encrypted_messages`, { headers: { Authorization: `Bearer ${phone.token}` } });
      const [message] = await answer.json();
      await ears.hears('an encrypted message', { user: [`encrypted_message ${message.id}`] });
      await others.hears('a message to another device', {});
    });
  },

  'an operator sees who listens': async () => {
    const alice = await person('sto_alice');
    const client = mastoOf(alice);
    try {
      await client.prepare();
      const values = client.hashtag.subscribe({ tag: 'Operas' })[Symbol.asyncIterator]();
      values.next().catch(() => {});
      await until('she is listed', async () => {
        const all = JSON.parse(await server.command('streaming', '--json'));
        const one = all.find((listener) => listener.account === alice.name);
        return one?.transport === 'websocket' && one.streams.includes('hashtag Operas');
      });
      assert.match(await server.command('streaming'), /sto_alice +Command line +websocket +\d+ +hashtag Operas/);
    } finally {
      client.close();
    }
  },

  'a page of another site listens with EventSource and WebSocket': async () => {
    const alice = await person('stb_alice');
    const bob = await person('stb_bob');
    await account(alice, bob).follow();
    const elsewhere = await startCallback();
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(elsewhere.url);
      await page.evaluate(
        async ({ url, host, token }) => {
          const heard = (window.heard = []);
          const source = new EventSource(`${url}/api/v1/streaming/user?access_token=${token}`);
          for (const event of ['update', 'status.update', 'delete', 'filters_changed'])
            source.addEventListener(event, (e) => heard.push(`events ${event} ${e.data.startsWith('{') ? JSON.parse(e.data).id : e.data}`));
          const socket = new WebSocket(`ws://${host}/api/v1/streaming`, token);
          socket.onmessage = ({ data }) => {
            const { event, payload } = JSON.parse(data);
            heard.push(`socket ${event} ${payload?.startsWith('{') ? JSON.parse(payload).id : payload}`);
          };
          await Promise.all([source, socket].map((one) => new Promise((resolve, reject) => ((one.onopen = resolve), (one.onerror = reject)))));
          socket.send(JSON.stringify({ type: 'subscribe', stream: 'user' }));
        },
        { url: server.url, host: server.host, token: alice.token },
      );
      await subscribed(alice, 1);
      // Each is waited for: what is edited or gone by the time that listeners are told of it is not told of as new.
      const wanted = [];
      const hears = async (events, sockets = events) => {
        wanted.push(`events ${events}`, `socket ${sockets}`);
        await until(events, async () => (await page.evaluate('heard.length')) >= wanted.length).catch(() => {});
        assert.deepEqual((await page.evaluate('heard')).sort(), [...wanted].sort());
      };
      const made = await post(bob, 'to a browser');
      await hears(`update ${made.id}`);
      await status(bob, made.id).update({ status: 'edited in a browser' });
      await hears(`status.update ${made.id}`);
      await status(bob, made.id).remove();
      await hears(`delete ${made.id}`);
      await alice.api.v2.filters.create({ title: 'f', context: ['home'] });
      await hears('filters_changed ""', 'filters_changed undefined');
    } finally {
      await context.close();
      elsewhere.close();
    }
  },
};
